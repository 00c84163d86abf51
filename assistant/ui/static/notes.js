// My notes: sends the forms, shows what comes back, and forgets it when it is closed.
//
// What is typed here is never stored by the page, and leaves it only in a POST's body.

import { whenLeaving } from "./exit.js";
import { onPanel } from "./panels.js";
import { roomId } from "./talk.js";

const TOUCH_MS = 60000;
const LOST = "The program did not answer. What you wrote is still in the field.";
const WAIT = "One moment …";
const WAIT_MS = 1200; // opening the notebook takes time, by design
const $ = (id) => document.getElementById(id);
const place = () => $("notes-place");
const isOpen = () => document.getElementById("panel-notes").open;
// Letters can be hidden in a plain field, where the browser knows how.
const canHide = CSS.supports("-webkit-text-security", "disc");

let tool = "reality";
let find = "";
let toKeep = ""; // from the talk, until there is a field for it
let drafts = {}; // what was begun and not yet added, by kind
let asked = 0;
let isBusy = false;
let resting = 0;
let touched = 0;

// --- The program ---------------------------------------------------------------------------

function send(act, record) {
  const body = JSON.stringify({ room: roomId(), tool, find, ...record });
  return fetch(`/notes/${act}`, { method: "POST", body }).catch(() => null);
}

// Does one thing and shows the notes as they are then; true where it was done.
async function ask(act, record = {}, form = null) {
  const number = ++asked;
  if (form) say(form, "");
  const reply = await send(act, record);
  if (number !== asked || !isOpen()) return false;
  const answer = await reply?.json().catch(() => null);
  if (!reply?.ok || !answer) {
    say(form, answer?.said ?? LOST);
    return false;
  }
  keepDraft();
  if (act === "add") delete drafts[record.kind];
  show(answer);
  return true;
}

function say(form, sentence) {
  const line = form?.querySelector(".notes-said");
  if (line) line.textContent = sentence;
  else $("notes-status").textContent = sentence;
}

function begun() {
  return place().querySelector('form[data-do="add"]');
}

function keepDraft() {
  const form = begun();
  if (form) drafts[form.dataset.kind] = Object.fromEntries(new FormData(form));
}

function fillDraft() {
  const form = begun();
  const draft = form && drafts[form.dataset.kind];
  for (const [name, value] of Object.entries(draft ?? {})) {
    if (form.elements[name]) form.elements[name].value = value;
  }
}

function show({ html, said, where }) {
  place().innerHTML = html; // made and escaped by our own server
  $("notes-status").textContent = said;
  if (!canHide) for (const field of secrets()) field.type = "password";
  fillDraft();
  fillKept();
  watch(where === "notebook");
}

function empty() {
  keepDraft();
  asked += 1;
  place().replaceChildren();
  $("notes-status").textContent = "";
  clearTimeout(resting);
}

function forget() {
  empty();
  [tool, find, toKeep, drafts] = ["reality", "", "", {}];
}

// --- Locking by itself ---------------------------------------------------------------------

// The program locks when nobody has been here for a while; the page then shows that.
function watch(isUnlocked) {
  clearTimeout(resting);
  if (!isUnlocked) return;
  touched = Date.now();
  const idleMs = 60000 * Number(place().dataset.idleMinutes);
  resting = setTimeout(() => ask("view"), idleMs + 3000);
}

function stir(event) {
  if (!event.target.closest?.("#panel-notes") || !resting) return;
  if (Date.now() - touched < TOUCH_MS) return;
  touched = Date.now();
  send("touch", {}).then(async (reply) => {
    const answer = await reply?.json().catch(() => null);
    if (answer?.where === "notebook") watch(true);
  });
}

// --- Forms and buttons ---------------------------------------------------------------------

function fields(form) {
  return { ...form.dataset, ...Object.fromEntries(new FormData(form)) };
}

async function submit(form) {
  if (isBusy) return;
  isBusy = true;
  form.setAttribute("aria-busy", "true");
  const { do: act, ...record } = fields(form);
  const waiting = setTimeout(() => say(form, WAIT), WAIT_MS);
  const done = act === "export" ? await giveOut(form) : await ask(act, record, form);
  clearTimeout(waiting);
  isBusy = false;
  form.removeAttribute("aria-busy");
  if (done && act !== "export") settle();
}

// Where the eye and the keys go on after something was done: what is said stands on top.
function settle() {
  const title = place().querySelector("#notes-title") ?? $("title-notes");
  title.focus({ preventScroll: true });
  $("panel-notes").scrollTop = 0;
}

async function giveOut(form) {
  const reply = await send("export", {});
  if (!reply?.ok) {
    say(form, (await reply?.json().catch(() => null))?.said ?? LOST);
    return false;
  }
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await reply.blob());
  link.download = "notes.txt";
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
  say(form, "Saved as notes.txt, wherever the browser puts its downloads.");
  return true;
}

async function choose(wanted) {
  [tool, find] = [wanted, ""];
  if (await ask("view")) place().querySelector(`[data-tool="${wanted}"]`)?.focus();
}

async function look(form) {
  find = form.elements.find.value;
  if (await ask("view")) settle();
}

document.addEventListener("submit", (event) => {
  const form = event.target;
  if (!form.closest("#notes-place")) return;
  event.preventDefault();
  if (form.hasAttribute("data-find")) look(form);
  else submit(form);
});

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("#notes-place button");
  if (!button) return;
  if (button.dataset.tool) choose(button.dataset.tool);
  if (button.hasAttribute("data-clear")) choose(tool);
  if (button.dataset.do === "lock") ask("lock").then(settle);
});

// --- Passphrases ---------------------------------------------------------------------------

const secrets = () => place().querySelectorAll(".secret");

document.addEventListener("change", (event) => {
  if (!event.target.matches?.("[data-show-secret]")) return;
  for (const field of event.target.form.querySelectorAll(".secret")) {
    if (canHide) field.classList.toggle("shown", event.target.checked);
    else field.type = event.target.checked ? "text" : "password";
  }
});

// --- From the talk -------------------------------------------------------------------------

function wordsOf(turn) {
  const article = document.querySelector(`.turn[data-turn="${turn}"]`);
  const said = article?.querySelector(".said")?.innerText.trim() ?? "";
  const reply = article?.querySelector(".reply")?.innerText.trim() ?? "";
  return [said && `Me: ${said}`, reply && `Ebb: ${reply}`].filter(Boolean).join("\n\n");
}

function fillKept() {
  const field = place().querySelector('form[data-kind="kept"] textarea[name="text"]');
  if (!toKeep || !field) return;
  field.value = [field.value, toKeep].filter(Boolean).join("\n\n");
  toKeep = "";
  field.focus();
}

onPanel("notes", {
  open: async (wanted) => {
    if (wanted.tool) [tool, find] = [wanted.tool, ""];
    if (wanted.turn) toKeep = wordsOf(wanted.turn);
    await ask("view");
  },
  close: empty,
});

whenLeaving(forget);
addEventListener("pagehide", forget);
document.addEventListener("wiped", forget);
for (const kind of ["input", "keydown", "pointerdown"]) {
  document.addEventListener(kind, stir, { passive: true });
}
