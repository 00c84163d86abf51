// The first page: becomes the talk by itself, unless the person is using it.

import { askState } from "./again.js";
import "./exit.js";
import "./help.js";

const EVERY_MS = 400;
const SOON = "It opens by itself as soon as it is ready.";
const $ = (id) => document.getElementById(id);
// The welcome is there to be read: then the page waits for “Start”.
let inUse = location.hash === "#help" || $("welcome") !== null;
let wanted = false;
let isOpen = false;

// Moving somebody away while they read a number would be unkind: then a link waits.
for (const kind of ["pointerdown", "keydown", "wheel", "touchstart", "change"]) {
  addEventListener(kind, () => (inUse = true), { passive: true });
}

// From here the address never stays in the history beside the talk's.
function enter() {
  location.replace("/talk/");
}

function say(text) {
  // Said once, not at every look: it is read out.
  if ($("lead").textContent !== text) $("lead").textContent = text;
}

function offer(text) {
  isOpen = true;
  say(text);
  if (wanted && !inUse) enter();
}

async function ask() {
  let state;
  try {
    state = await askState();
  } catch {
    setTimeout(ask, 4 * EVERY_MS);
    return;
  }
  if (!state) return; // the page has said why
  $("parts").innerHTML = state.parts;
  if (state.failed) {
    $("waiting").hidden = true;
    $("go").hidden = true;
    say(state.failed);
    return; // help stays, and works
  }
  if (state.settled) {
    $("waiting").hidden = true;
    offer("Everything is ready.");
    if (!inUse) enter();
    return;
  }
  if (state.open) offer("You can start now; the rest goes on getting ready.");
  setTimeout(ask, EVERY_MS);
}

$("go")?.addEventListener("click", (event) => {
  event.preventDefault();
  if (isOpen) return enter();
  wanted = true;
  inUse = false; // until they begin to read or choose again
  say(SOON);
});

if ($("lead")) ask();
