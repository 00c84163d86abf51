// When nothing moves for long: a line a minute before, then everything is wiped and an
// empty sheet is shown. How long is on the html element, so a change holds at once.

import { leave } from "./exit.js";

const NOTICE_S = 60;
const SHEET = "/settings/sheet";
const SIGNS = ["keydown", "pointerdown", "pointermove", "touchstart", "wheel", "input"];
const NOTICE =
  "Nothing has moved here for a while. In a moment the talk is wiped and the page is " +
  "covered. Press any key to go on.";

let last = Date.now();
let timer = 0;
let leaving = false;

const idleMs = () => 1000 * Number(document.documentElement.dataset.idleS);
const noticeMs = () => Math.min(1000 * NOTICE_S, idleMs() / 2);

// Any sign of life; a screen that runs by itself may call it too.
export function stillHere() {
  // A computer that slept wakes with this sign: too late is too late.
  if (look()) return;
  last = Date.now();
  document.getElementById("idle-notice")?.remove();
}

function show() {
  if (document.getElementById("idle-notice")) return;
  const notice = document.createElement("p");
  notice.id = "idle-notice";
  notice.setAttribute("role", "alert");
  document.body.append(notice);
  notice.textContent = NOTICE; // after it is there, so that it is read out
}

// Looks how long it has been; true once it is over.
function look() {
  clearTimeout(timer);
  if (leaving) return true;
  if (!idleMs()) {
    document.getElementById("idle-notice")?.remove();
    timer = setTimeout(look, 1000 * NOTICE_S);
    return false;
  }
  if (document.body.matches(".recording:not(.paused)")) last = Date.now();
  const left = last + idleMs() - Date.now();
  if (left <= 0) {
    leaving = true;
    leave(SHEET);
    return true;
  }
  if (left <= noticeMs()) show();
  const next = left > noticeMs() ? left - noticeMs() : left;
  timer = setTimeout(look, Math.min(next, 1000 * NOTICE_S) + 20);
  return false;
}

// A new time holds at once.
export function idleChanged() {
  last = Date.now();
  look();
}

for (const kind of SIGNS) {
  addEventListener(kind, stillHere, { capture: true, passive: true });
}
document.addEventListener("visibilitychange", look);
look();

// Back from the sheet: what happened is said once.
if (location.hash === "#rested") {
  history.replaceState(null, "", location.pathname);
  document.getElementById("status").textContent =
    "Nothing moved here for a while, so the talk was wiped and the page was covered. " +
    "You can change this under “Settings and traces”.";
}
