// The Help block: choosing a country, copying a number. The same on every page.

document.documentElement.classList.add("scripted");

export async function refreshHelp(wanted = {}) {
  const place = document.getElementById("help-place");
  const focused = document.activeElement?.closest("#help-place select")?.name;
  const reply = await fetch("/help-block", {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(wanted),
  }).catch(() => null);
  if (!reply?.ok) return; // what stands there stays
  place.innerHTML = await reply.text(); // made and escaped by our own server
  if (focused) place.querySelector(`select[name="${focused}"]`)?.focus();
}

document.addEventListener("change", (event) => {
  const form = event.target.closest?.(".choice");
  if (!form) return;
  refreshHelp({ country: form.country.value, need: form.need.value });
});

document.addEventListener("submit", (event) => {
  if (event.target.matches(".choice")) event.preventDefault();
});

document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button) return;
  try {
    await navigator.clipboard.writeText(button.dataset.copy);
    button.textContent = "Copied";
  } catch {
    button.textContent = "Select it";
    getSelection().selectAllChildren(button.previousElementSibling);
  }
  setTimeout(() => (button.textContent = "Copy"), 2500);
});
