// The talk: shows the frames that come through Gradio, and what belongs to the page.

import { askState } from "./again.js";
import { whenLeaving } from "./exit.js";
import { refreshHelp } from "./help.js";
import { onPanel } from "./panels.js";
import { change } from "./settings.js";
import { Speaking } from "./speaking.js";
import { watchBox, watchWriting } from "./waiting.js";

const SLOTS = ["said", "cards", "notes", "reply", "offers", "services", "why"];
const MAX_CHARS = 20000;
const $ = (id) => document.getElementById(id);
const box = () => document.querySelector("#box textarea");

let room = null;
let shown = new Set(); // keys of the newest turn's parts that are on the page
let newest = null;
let wipedUpTo = 0;
let lastTurn = 0;

// --- The program, by its own small routes: these never wait for a turn -----------------

// What this tab is called there; null until the talk's first frame has come.
export const roomId = () => room;

function tell(path, record) {
  const body = JSON.stringify({ room, ...record });
  // keepalive: it arrives even when the page is gone in the next moment.
  return fetch(path, { method: "POST", body, keepalive: true }).catch(() => null);
}

// --- Frames ------------------------------------------------------------------------------

function readFrame(text) {
  const bytes = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  return JSON.parse(new TextDecoder().decode(bytes));
}

function openTurn(number) {
  newest?.querySelector(".reply")?.removeAttribute("aria-live");
  newest = document.createElement("article");
  newest.className = "turn";
  newest.dataset.turn = number;
  for (const slot of SLOTS) {
    const place = document.createElement("div");
    place.className = slot;
    newest.append(place);
  }
  // Only what is added to the newest reply is read out, each sentence once.
  newest.querySelector(".reply").setAttribute("aria-live", "polite");
  newest.querySelector(".reply").setAttribute("aria-relevant", "additions");
  shown = new Set();
  $("turns").append(newest);
  $("welcome").hidden = true;
  $("status").textContent = "";
  $("spoken").textContent = "";
  document.body.classList.add("talking");
  speaking.beginTurn();
}

function addPart({ key, slot, html, say, aloud }) {
  const template = document.createElement("template");
  template.innerHTML = html; // made and escaped by our own server
  shown.add(key);
  if (slot === "cards") takeAwayCard(template.content.firstElementChild.dataset.card);
  newest.querySelector(`.${slot}`).append(template.content);
  if (say) $("spoken").textContent += `${say} `; // read out, not seen twice
  speaking.speak(aloud);
}

function show(frame) {
  room = frame.room ?? room;
  sendEarly();
  speaking.label();
  if (!frame.turn) return;
  if (frame.turn <= wipedUpTo || frame.turn < lastTurn) return;
  if (frame.turn > lastTurn && frame.parts.length) {
    lastTurn = frame.turn;
    openTurn(frame.turn);
  }
  const fresh = frame.parts.filter((part) => !shown.has(part.key));
  fresh.forEach(addPart);
  if (fresh.some((part) => part.slot === "said")) {
    emptyBox();
    giveDraftBack();
  }
  if (fresh.some((part) => part.slot === "cards")) showRaised();
  if (fresh.length) follow(fresh);
  setBusy(frame.open);
}

function follow(fresh) {
  const card = newest.querySelector(".card");
  const target = fresh.some((part) => part.slot === "cards") && card ? card : newest;
  if (target === card) card.scrollIntoView({ block: "start" });
  else if (!card && fresh[0].slot === "said") newest.scrollIntoView({ block: "start" });
  else if (!card) keepInView();
}

// Follows the reply only while its end was in view: whoever scrolled up stays there.
function keepInView() {
  const end = newest.getBoundingClientRect().bottom;
  const beyond = end - (innerHeight - $("composer").offsetHeight);
  if (beyond > 0 && beyond < 160) scrollBy(0, beyond);
}

function setBusy(busy) {
  const was = document.body.classList.contains("busy");
  document.body.classList.toggle("busy", busy);
  newest?.classList.toggle("writing", busy);
  if (was !== busy && document.activeElement === document.body) box()?.focus();
  if (!busy) speaking.listenAgain();
  watchWriting(busy);
}

// --- Cards -------------------------------------------------------------------------------

function cardElement(kind) {
  return document.querySelector(`.card[data-card="${kind}"]`);
}

function takeAwayCard(kind) {
  cardElement(kind)?.remove();
  $("aside").hidden = !$("aside").querySelector(".card");
}

function showRaised() {
  const strip = $("raised");
  strip.replaceChildren();
  for (const card of document.querySelectorAll("#turns .card")) {
    const button = document.createElement("button");
    button.type = "button";
    button.dataset.show = card.dataset.card;
    button.textContent = card.dataset.title;
    strip.append(button);
  }
  strip.hidden = !strip.children.length;
}

function putAside(card) {
  tell("/aside", { card: card.dataset.card });
  card.querySelector("[data-aside]").hidden = true;
  card.querySelector("[data-help]").hidden = true;
  $("aside").querySelector("div").append(card);
  $("aside").hidden = false;
  showRaised();
  $("status").textContent = "Put aside. It stays under Help.";
  box()?.focus();
}

// --- The box -----------------------------------------------------------------------------

function fillBox(text) {
  const field = box();
  const before = field.value.trim();
  const joined = (before ? `${before} ${text}` : text).slice(0, MAX_CHARS);
  field.value = joined;
  field.dispatchEvent(new Event("input", { bubbles: true })); // Gradio listens for it
  field.focus();
  field.setSelectionRange(joined.length, joined.length);
}

// What was half written stays: it comes back when the ready-made words are on their way.
let draft = "";
function sayReadyMade(words) {
  if (document.body.classList.contains("busy") || draft) return;
  draft = box().value;
  box().value = "";
  fillBox(words);
  send();
}

// Gradio takes the box's new text in its own time.
function send() {
  setTimeout(() => $("send")?.click(), 60);
}

// Sent before the program knew this tab: it waits in the box for the first frame.
let early = false;
function waitForRoom() {
  early = true;
  $("status").textContent = "One moment, then it is sent.";
}

function holdSend(event) {
  if (room || event.target.closest?.("button")?.id !== "send") return;
  event.stopPropagation();
  waitForRoom();
}

function sendEarly() {
  if (!early || !room) return;
  early = false;
  $("status").textContent = "";
  box()?.dispatchEvent(new Event("input", { bubbles: true }));
  send();
}

function giveDraftBack() {
  const kept = draft;
  draft = "";
  if (kept) fillBox(kept);
}

function emptyBox() {
  const field = box();
  if (!field) return;
  field.value = "";
  field.dispatchEvent(new Event("input", { bubbles: true }));
  showDoubts([]);
}

function showDoubts(doubtful) {
  const place = $("doubts");
  place.replaceChildren();
  place.hidden = !doubtful.length;
  if (!doubtful.length) return;
  place.append("Please look at these words: ");
  doubtful.forEach((words, i) => {
    const mark = document.createElement("mark");
    mark.textContent = words;
    place.append(i ? " · " : "", mark);
  });
}

// --- Speaking ----------------------------------------------------------------------------

const speaking = new Speaking(
  $("lines").dataset,
  { field: box, fill: fillBox, doubt: showDoubts, send },
  () => !document.body.classList.contains("busy"),
);

function speak() {
  if (!ready.speech) $("status").textContent = ready.sentence;
  else speaking.toggle();
}

async function switchHandsFree() {
  const on = document.documentElement.dataset.handsFree === "on";
  const now = await change("change", { name: "hands_free", value: on ? "off" : "on" });
  if (!now) return;
  $("status").textContent = on
    ? "Hands-free is off. You send your words yourself."
    : "Hands-free is on. After a pause your words are sent, unless a key or a touch " +
      "stops that.";
}

function chooseRecording() {
  if (!ready.speech) {
    $("status").textContent = ready.sentence;
    return;
  }
  const field = document.createElement("input");
  field.type = "file";
  field.accept = "audio/*,video/webm,video/mp4";
  field.onchange = () => field.files[0] && speaking.useFile(field.files[0]);
  field.click();
}

// --- What is ready -----------------------------------------------------------------------

const ready = { speech: false, sentence: "Listening is still getting ready." };

let asking = 0;
async function askReady() {
  let wait = 15000;
  clearTimeout(asking);
  try {
    const state = await askState();
    if (!state) {
      $("status").textContent = "";
      return setBusy(false); // nothing comes any more
    }
    ready.speech = state.speech;
    ready.sentence = state.speechSentence;
    if (state.loading) wait = 1500;
  } catch {
    $("status").textContent =
      "The program has stopped. Start it again to go on. Help shows what it showed.";
    setBusy(false);
  }
  $("speak")?.setAttribute("aria-disabled", String(!ready.speech));
  $("recording")?.setAttribute("aria-disabled", String(!ready.speech));
  asking = setTimeout(askReady, wait);
}

// --- Leaving and wiping ------------------------------------------------------------------

function clearPage() {
  draft = "";
  early = false;
  watchWriting(false);
  wipedUpTo = lastTurn;
  newest = null;
  shown = new Set();
  $("turns").replaceChildren();
  $("aside").querySelector("div").replaceChildren();
  $("aside").hidden = true;
  showRaised();
  emptyBox();
  $("welcome").hidden = false;
  $("spoken").textContent = "";
  document.body.classList.remove("busy", "talking");
  document.dispatchEvent(new Event("wiped")); // other screens forget their part
}

function forget() {
  tell("/wipe", { leave: true });
  speaking.cancel();
  clearPage();
}

whenLeaving(forget);
addEventListener("pagehide", forget);

// --- Clicks and keys ---------------------------------------------------------------------

const CLICKS = {
  speak,
  recording: chooseRecording,
  pause: () => speaking.togglePause(),
  "hands-free": switchHandsFree,
  stop: () => {
    speaking.hush();
    tell("/stop", {});
    if (!document.body.classList.contains("busy")) return;
    $("status").textContent = "Stopped. What is there stays.";
  },
  end: async () => {
    speaking.cancel();
    clearPage();
    const reply = await tell("/wipe", {});
    $("status").textContent = reply?.ok
      ? "Wiped. Nothing of it is left in the program."
      : "The page is empty, but the program did not answer. Closing it wipes the rest.";
  },
};

document.addEventListener("click", holdSend, true);
document.addEventListener("click", (event) => {
  const button = event.target.closest?.("button");
  if (!button) return;
  CLICKS[button.id]?.();
  if (button.id === "send") askReady(); // the answer may never come
  if (button.dataset.say) sayReadyMade(button.dataset.say);
  if (button.hasAttribute("data-aside")) putAside(button.closest(".card"));
  if (button.dataset.show) {
    const card = cardElement(button.dataset.show);
    card.scrollIntoView({ block: "start" });
    card.focus({ preventScroll: true });
  }
});

onPanel("help", { open: ({ need }) => refreshHelp(need ? { need } : {}) });

// Enter sends, Shift and Enter makes a new line; Gradio's own keys stay out of it.
document.addEventListener(
  "keydown",
  (event) => {
    if (event.key !== "Enter" || event.target !== box() || event.isComposing) return;
    event.stopPropagation();
    if (event.shiftKey) return;
    event.preventDefault();
    if (document.body.classList.contains("busy")) return;
    if (!room) return waitForRoom(); // the button itself may not be there yet
    $("send")?.click();
  },
  true,
);

// --- Start -------------------------------------------------------------------------------

let lastText = "";
function readWire() {
  const text = $("wire")?.querySelector('[data-testid="label-output-value"]');
  const now = text?.textContent.trim() ?? "";
  if (!now || now === lastText) return;
  lastText = now;
  show(readFrame(now));
}

new MutationObserver(readWire).observe(document.querySelector("gradio-app"), {
  subtree: true,
  childList: true,
  characterData: true,
});
readWire();
askReady();
watchBox(box);
