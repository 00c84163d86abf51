// Steps that show one at a time, at the person's own pace; after the last, from the start.

const stepsOf = (path) => [...path.querySelectorAll("[role=status] > p")];

export function showSteps(path, number) {
  const steps = stepsOf(path);
  steps.forEach((step, i) => (step.hidden = i !== number));
  const [back, on] = path.querySelectorAll("[data-step]");
  back.disabled = number === 0;
  on.textContent = number === steps.length - 1 ? on.dataset.fromStart : on.dataset.next;
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-step]");
  if (!button) return;
  const path = button.closest(".ride-path");
  const steps = stepsOf(path);
  const shown = steps.findIndex((step) => !step.hidden);
  showSteps(path, (shown + Number(button.dataset.step)) % steps.length);
  if (button.disabled) path.querySelector('[data-step="1"]').focus();
});

document.querySelectorAll(".ride-path").forEach((path) => showSteps(path, 0));
