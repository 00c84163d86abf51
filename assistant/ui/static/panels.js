// The panels beside the talk: opening, closing, the menu. One is open at a time.
//
// Not the browser's modal kind: that would put the bar, with the exit, out of reach.

const BEHIND = ["raised", "talk", "composer"];
const openers = {};
const closers = {};
let cameFrom = null;

const panel = (name) => document.getElementById(`panel-${name}`);
const current = () => document.querySelector("dialog.panel[open]");
const nameOf = (dialog) => dialog.id.replace(/^panel-/, "");

// What a screen does when its panel opens (told what was wanted) and when it closes.
export function onPanel(name, { open, close }) {
  if (open) openers[name] = open;
  if (close) closers[name] = close;
}

export function openPanel(name, wanted = {}) {
  const before = current();
  if (before && before !== panel(name)) shut(before);
  if (!before) cameFrom = wayBack();
  foldMenu();
  panel(name).show();
  for (const id of BEHIND) document.getElementById(id).inert = true;
  document.body.classList.add("helping");
  panel(name).querySelector("h2").focus({ preventScroll: true });
  return openers[name]?.(wanted);
}

// The folded menu is gone when the panel closes: its button is where the keys go on.
function wayBack() {
  const button = document.getElementById("menu-button");
  const isFolding = document.activeElement.closest("#menu") && button.checkVisibility();
  return isFolding ? button : document.activeElement;
}

export function closePanel() {
  const open = current();
  if (!open) return;
  shut(open);
  for (const id of BEHIND) document.getElementById(id).inert = false;
  document.body.classList.remove("helping");
  cameFrom?.focus();
}

function shut(dialog) {
  dialog.close();
  closers[nameOf(dialog)]?.();
}

// --- The menu ----------------------------------------------------------------------------

function foldMenu(open = false) {
  const button = document.getElementById("menu-button");
  if (!button) return;
  button.setAttribute("aria-expanded", String(open));
  document.getElementById("menu").classList.toggle("open", open);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("button");
  if (!event.target.closest?.("#menu, #menu-button")) foldMenu();
  if (!button) return;
  if (button.id === "menu-button") {
    foldMenu(button.getAttribute("aria-expanded") !== "true");
  }
  if (button.dataset.panel) openPanel(button.dataset.panel, { ...button.dataset });
  if (button.hasAttribute("data-help")) openPanel("help", { ...button.dataset });
  if (button.hasAttribute("data-close")) closePanel();
});

document.addEventListener("keydown", (event) => {
  if (event.key !== "Escape") return;
  const button = document.getElementById("menu-button");
  if (button?.getAttribute("aria-expanded") === "true") {
    foldMenu();
    button.focus();
  } else closePanel();
});
