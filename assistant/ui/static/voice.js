// Spoken replies: sentences to the program over a WebSocket, their sound played in order.

const GAP_S = 0.35; // between two sentences
const AHEAD_S = 0.05;

export class Voice {
  // `onChange` is told whether it speaks; `onLine` a sentence where it cannot.
  constructor({ onChange, onLine }) {
    this.onChange = onChange;
    this.onLine = onLine;
    this.hushed = false; // for the rest of a turn
    this.forget();
  }

  forget() {
    this.waiting = [];
    this.socket = null;
    this.context = null;
    this.playing = new Set();
    this.nextAt = 0;
  }

  get isOn() {
    return document.documentElement.dataset.spoken === "on";
  }

  get isSpeaking() {
    return Boolean(this.socket || this.waiting.length || this.playing.size);
  }

  beginTurn() {
    this.hush();
    this.hushed = false;
  }

  say(text) {
    if (!text || !this.isOn || this.hushed || document.hidden) return;
    this.waiting.push(text);
    this.next();
    this.onChange(true);
  }

  // Ends at once; nothing more of this turn is spoken.
  hush() {
    this.hushed = true;
    if (!this.isSpeaking) return;
    const { socket, context, playing } = this;
    this.forget();
    playing.forEach((source) => {
      source.onended = null;
      source.stop();
    });
    socket?.close();
    context?.close();
    this.onChange(false);
  }

  // One sentence is made at a time, while the one before it plays.
  next() {
    if (this.socket || !this.waiting.length) return this.rest();
    const text = this.waiting.shift();
    const socket = new WebSocket(`ws://${location.host}/voice`);
    let rate = 0;
    this.socket = socket;
    socket.binaryType = "arraybuffer";
    socket.onopen = () => socket.send(JSON.stringify({ text }));
    socket.onmessage = ({ data }) => {
      if (this.socket !== socket) return;
      if (typeof data !== "string") return this.play(new Int16Array(data), rate);
      const record = JSON.parse(data);
      if (record.kind === "begin") rate = record.rate;
      if (record.kind === "line") this.onLine(record.text);
    };
    socket.onclose = () => {
      if (this.socket !== socket) return;
      this.socket = null;
      this.nextAt += GAP_S;
      this.next();
    };
  }

  play(pcm, rate) {
    if (!pcm.length) return;
    this.context ??= new AudioContext();
    this.context.resume(); // a click or a key came before, so the browser lets it
    const buffer = this.context.createBuffer(1, pcm.length, rate);
    buffer.copyToChannel(Float32Array.from(pcm, (value) => value / 32768), 0);
    const source = this.context.createBufferSource();
    source.buffer = buffer;
    source.connect(this.context.destination);
    const at = Math.max(this.nextAt, this.context.currentTime + AHEAD_S);
    this.nextAt = at + buffer.duration;
    this.playing.add(source);
    source.onended = () => {
      this.playing.delete(source);
      this.rest();
    };
    source.start(at);
  }

  rest() {
    if (this.isSpeaking) return;
    this.context?.close();
    this.forget();
    this.onChange(false);
  }
}
