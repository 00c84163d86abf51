// Understand: reading in the library. What is looked for lives in the field alone.

import { whenLeaving } from "./exit.js";
import { onPanel } from "./panels.js";

const STOPPED = "The program has stopped. Start it again to go on.";
const $ = (id) => document.getElementById(`understand-${id}`);
const panel = document.getElementById("panel-understand");

let trail = []; // the pages before this one: what they held, and where one was
let newest = 0; // an answer that comes after a later question is not shown

async function ask(path, record) {
  const mine = ++newest;
  let html;
  try {
    const reply = await fetch(`/understand/${path}`, {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify(record),
    });
    html = await reply.text(); // made and escaped by our own server
  } catch {
    html = `<p>${STOPPED}</p>`;
  }
  return mine === newest ? html : null;
}

// --- Pages -------------------------------------------------------------------------------

function backButton() {
  const button = document.createElement("button");
  button.type = "button";
  button.dataset.back = "";
  button.textContent = trail.length > 1 ? "Back" : "Back to all subjects";
  return button;
}

async function openPage(path, record) {
  const html = await ask(path, record);
  if (html === null) return;
  const held = $("page").hidden ? null : [...$("page").childNodes];
  trail.push({ held, from: document.activeElement, top: panel.scrollTop });
  const template = document.createElement("template");
  template.innerHTML = html;
  $("page").replaceChildren(backButton(), template.content, backButton());
  showPage(true);
  panel.scrollTop = 0;
  const heading = $("page").querySelector("[data-heading]");
  (heading ?? $("page").querySelector("button")).focus({ preventScroll: true });
  if (heading?.closest(".wanted")) heading.scrollIntoView({ block: "start" });
}

function showPage(shown) {
  $("page").hidden = !shown;
  $("home").hidden = shown;
}

function goBack() {
  newest += 1;
  const { held, from, top } = trail.pop();
  showPage(held !== null);
  $("page").replaceChildren(...(held ?? []));
  panel.scrollTop = top;
  (from?.isConnected ? from : panel.querySelector("h2")).focus({ preventScroll: true });
}

function goHome() {
  newest += 1;
  trail = [];
  $("page").replaceChildren();
  showPage(false);
}

// --- Looking for something ---------------------------------------------------------------

async function look() {
  const words = $("words").value.trim();
  if (!words) {
    $("words").focus();
    return;
  }
  $("said").textContent = "Looking …";
  const html = await ask("find", { words });
  if (html === null) return;
  $("said").textContent = "";
  $("found").innerHTML = html;
  const first = $("found").querySelector(".card h3, [data-heading]");
  if (!first) return;
  first.tabIndex = -1;
  first.focus({ preventScroll: true });
  first.scrollIntoView({ block: "start" });
}

function clearSearch() {
  newest += 1;
  $("words").value = "";
  $("said").textContent = "";
  $("found").replaceChildren();
}

// --- Clicks, keys, leaving ---------------------------------------------------------------

function onClick(button) {
  if (button.dataset.read) openPage("read", { read: button.dataset.read });
  if (button.dataset.stage) openPage("stage", { stage: button.dataset.stage });
  if ("back" in button.dataset) goBack();
  if ("ask" in button.dataset) $("words").value = button.textContent;
  if ("ask" in button.dataset || button.id === "understand-look") look();
  if (button.id === "understand-clear") {
    clearSearch();
    $("words").focus();
  }
}

function forget() {
  clearSearch();
  goHome();
  for (const part of panel.querySelectorAll("details")) part.open = false;
}

panel.addEventListener("click", (event) => {
  const button = event.target.closest("button");
  if (button) onClick(button);
});

panel.addEventListener("keydown", (event) => {
  if (event.key !== "Enter" || event.target !== $("words") || event.isComposing) return;
  event.preventDefault();
  look();
});

document.addEventListener("click", (event) => {
  if (event.target.closest?.("#end")) forget();
});

onPanel("understand", {
  // From a reply: straight to the part it used; “Back” leads to all subjects.
  open: ({ passage }) => {
    if (!passage) return undefined;
    goHome();
    return openPage("read", { read: passage });
  },
  close: clearSearch,
});
whenLeaving(forget);
addEventListener("pagehide", forget);
