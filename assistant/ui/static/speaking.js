// Speaking and being spoken to: the microphone, hands-free turns, spoken replies.

import { HandsFree, isHandsFree, turnPauseS } from "./hands-free.js";
import { Sound } from "./sound.js";
import { Voice } from "./voice.js";

const NO_WORDS_MS = 2 * 60 * 1000; // nobody seems to be there: hands-free ends
const LOUD = 0.1;
const $ = (id) => document.getElementById(id);

const LISTENING = "Listening. Press the button again when you have finished.";
const STATES = {
  asking: "The browser asks for the microphone …",
  reading: "Turning the sound into words …",
  idle: "",
};
const PAUSED = "Paused. Nothing is heard until you press “Go on”.";
const HEARD = "This is what I heard. You can correct it; nothing is sent before you send it.";
const DOUBTFUL =
  "I am not sure of some words, so nothing was sent. You can correct them and send.";
const KEPT = "Nothing is sent by itself now. When you have finished, “Stop speaking” shows " +
  "your words.";
const NOT_SENT = "Nothing was sent. Your words are in the box.";
const COUNTING = "Your words are sent in a moment. Any key stops that.";
const NOBODY =
  "I heard no words for a while, so I stopped listening. “Speak” begins again.";

function listening() {
  if (!isHandsFree()) return LISTENING;
  return `Listening. After ${turnPauseS()} quiet seconds your words are sent.`;
}

export class Speaking {
  // `box` is { field, fill, doubt, send }: the talk's own; `isFree` tells whether a
  // message can be sent now.
  constructor(lines, box, isFree) {
    this.box = box;
    this.isFree = isFree;
    this.sends = false; // what is being read is sent by itself
    this.goesOn = false; // after the reply, listening begins again
    this.nobody = 0;
    this.sound = new Sound(lines, (told) => this.onSound(told));
    this.handsFree = new HandsFree({
      onCount: (left) => this.showCount(left),
      onEnd: () => this.endTurn(),
    });
    this.voice = new Voice({
      onChange: (speaks) => this.onVoice(speaks),
      onLine: (line) => this.say(line),
    });
    this.watch();
  }

  say(line) {
    $("status").textContent = line;
  }

  // --- The microphone --------------------------------------------------------------------

  toggle() {
    this.goesOn = false;
    if (this.sound.isRecording) this.sound.stop();
    else this.listen();
  }

  listen() {
    this.voice.hush(); // or it would hear itself
    this.hadWords = Boolean(this.box.field().value.trim());
    this.sends = false;
    this.sound.start();
  }

  useFile(file) {
    this.goesOn = false;
    this.sound.useFile(file);
  }

  togglePause() {
    if (this.sound.isPaused) this.sound.goOn();
    else this.sound.pause();
  }

  // Stop everything and forget it; for leaving and wiping.
  cancel() {
    this.goesOn = false;
    this.voice.hush();
    this.sound.cancel();
  }

  onSound({ state, paused, level, line, heard, doubtful, soFar, sounds }) {
    if (soFar) this.onWords(soFar);
    if (level !== undefined) this.onLevel(level);
    if (paused !== undefined) this.showPaused(paused);
    if (state !== undefined) this.showState(state);
    if (sounds) this.say(listening());
    if (line !== undefined) this.say(line);
    if (heard !== undefined) this.onHeard(heard, doubtful, line);
  }

  onWords(soFar) {
    if (soFar.settled || soFar.speaking) clearTimeout(this.nobody);
    this.showSoFar(soFar);
    if (!this.sound.isPaused) this.handsFree.hear(soFar);
  }

  onLevel(level) {
    $("level").value = Math.min(1, Math.sqrt(level));
    this.handsFree.level(level);
    if (level > LOUD) this.voice.hush();
  }

  onHeard(heard, doubtful, line) {
    const wanted = this.sends && !this.box.field().value.trim();
    this.box.fill(heard);
    this.box.doubt(doubtful);
    this.sends = false;
    if (line !== undefined) return;
    if (!wanted) return this.say(HEARD);
    if (doubtful.length) return this.say(DOUBTFUL); // never sent unseen
    if (!this.isFree() || !isHandsFree()) return this.say(NOT_SENT);
    this.goesOn = true;
    this.box.send();
  }

  // --- What is shown ---------------------------------------------------------------------

  showState(state) {
    const is = (name) => state === name;
    clearTimeout(this.nobody);
    document.body.classList.toggle("recording", is("recording"));
    document.body.classList.toggle("reading", is("reading"));
    $("listening").hidden = !is("recording");
    this.say(STATES[state] ?? listening());
    $("speak").textContent = is("recording") ? "Stop speaking" : "Speak";
    $("level").value = 0;
    this.showPaused(false, { silently: true });
    if (is("idle") || is("asking")) this.showSoFar(null);
    if (!is("recording")) this.showCount(null);
    this.handsFree.rest();
    if (is("recording")) this.beginHandsFree();
  }

  beginHandsFree() {
    // Words that stand in the box already are the person's to send.
    if (!isHandsFree()) return;
    if (!this.hadWords) this.handsFree.begin();
    this.waitForWords();
  }

  waitForWords() {
    clearTimeout(this.nobody);
    if (!isHandsFree() || $("so-far").textContent.trim()) return;
    this.nobody = setTimeout(() => {
      this.sound.cancel();
      this.say(NOBODY);
    }, NO_WORDS_MS);
  }

  showPaused(paused, { silently = false } = {}) {
    document.body.classList.toggle("paused", paused);
    $("level").hidden = paused;
    $("paused").hidden = !paused;
    $("pause").textContent = paused ? "Go on" : "Pause";
    if (silently) return;
    if (paused) clearTimeout(this.nobody);
    else this.waitForWords();
    this.say(paused ? PAUSED : listening());
    this.handsFree.count(null);
    this.handsFree.goOn();
  }

  // Not read out by a screen reader: it would talk over the person. The end result is.
  showSoFar(soFar) {
    const [settled, speaking] = $("so-far").children;
    settled.textContent = soFar ? `${soFar.settled} ` : "";
    speaking.textContent = soFar?.speaking ?? "";
    $("so-far").hidden = !soFar;
  }

  showCount(left) {
    if (left !== null && $("countdown").hidden) $("spoken").textContent = COUNTING;
    if (left === null && !$("countdown").hidden) $("spoken").textContent = "";
    $("countdown").hidden = left === null;
    $("countdown").textContent =
      left === null ? "" : `Sending in ${left} … Any key or touch stops that.`;
  }

  // --- Hands-free ------------------------------------------------------------------------

  endTurn() {
    this.sends = true;
    this.sound.stop();
  }

  // A key or a touch: nothing that counts or waits is sent by itself.
  stopSending() {
    if (this.handsFree.stop()) {
      this.say(KEPT);
      return true;
    }
    if (!this.sends) return false;
    this.sends = false;
    return true;
  }

  // Called when a reply has been written or spoken to its end.
  listenAgain() {
    const { classList } = document.body;
    if (!this.goesOn || !isHandsFree() || document.hidden) return;
    if (classList.contains("busy") || classList.contains("helping")) return;
    if (this.voice.isSpeaking || this.sound.isRecording) return;
    this.goesOn = false;
    if (!this.box.field().value.trim()) this.listen();
  }

  // --- Spoken replies --------------------------------------------------------------------

  beginTurn() {
    const { goesOn } = this;
    this.goesOn = false; // the voice's old turn is over, this one has just begun
    this.voice.beginTurn();
    this.goesOn = goesOn;
  }

  // Whoever speaks just now is not spoken over: it stands on the screen.
  speak(text) {
    if (this.sound.isRecording) this.voice.hush();
    else this.voice.say(text);
  }

  // “Stop”: the voice is silent, and the microphone stays off.
  hush() {
    this.goesOn = false;
    this.voice.hush();
  }

  onVoice(speaks) {
    document.body.classList.toggle("speaking", speaks);
    if (!speaks) this.listenAgain();
  }

  // --- Keys, touches, another window -----------------------------------------------------

  watch() {
    const onKey = (event) => {
      this.hush();
      const stopped = this.stopSending();
      // The key that stops the countdown does nothing else in the box.
      if (stopped && event.key === "Enter" && event.target === this.box.field()) {
        event.preventDefault();
        event.stopImmediatePropagation();
      }
    };
    document.addEventListener("keydown", onKey, true);
    document.addEventListener("pointerdown", () => this.stopSending(), true);
    document.addEventListener("visibilitychange", () => {
      if (!document.hidden) return;
      this.voice.hush();
      if (isHandsFree() && !this.sound.isPaused) this.sound.pause();
    });
    document.addEventListener("look", () => this.look());
    this.look();
  }

  // What was chosen may have changed, here or in another tab.
  look() {
    this.label();
    if (!this.voice.isOn) this.voice.hush();
    const was = this.wasHandsFree;
    this.wasHandsFree = isHandsFree();
    if (was === this.wasHandsFree) return;
    if (!isHandsFree()) {
      this.handsFree.count(null);
      this.handsFree.rest();
      this.goesOn = false;
      clearTimeout(this.nobody);
    } else if (document.body.classList.contains("recording")) this.beginHandsFree();
  }

  // Gradio makes the button in its own time.
  label() {
    const button = $("hands-free");
    if (button) button.textContent = `Hands-free: ${isHandsFree() ? "on" : "off"}`;
  }
}
