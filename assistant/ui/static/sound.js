// Microphone and recordings: to the program's memory over a WebSocket, nowhere else.

const SILENT_PEAK = 0.0008; // about −62 dB: a microphone that is muted, not a whisper
const LONGEST_MS = 15 * 60 * 1000;
const SLICE_BYTES = 256 * 1024;
const MAX_FILE_BYTES = 50_000_000;
const TOO_BIG = "That recording is larger than 50 MB. A shorter one can be read.";

const FAILURES = {
  NotAllowedError: "microphoneRefused",
  SecurityError: "microphoneRefused",
  NotFoundError: "microphoneAbsent",
  OverconstrainedError: "microphoneAbsent",
  NotReadableError: "microphoneBusy",
  AbortError: "microphoneBusy",
};

function openSocket(request, onSoFar = () => {}) {
  const socket = new WebSocket(`ws://${location.host}/sound`);
  socket.binaryType = "arraybuffer";
  const answered = new Promise((resolve, reject) => {
    socket.onmessage = (event) => {
      const reply = JSON.parse(event.data);
      if (reply.kind === "so_far") onSoFar(reply);
      else resolve(reply);
    };
    socket.onclose = () => reject(new Error("closed"));
  });
  answered.catch(() => {}); // it may close before anybody waits for the answer
  const opened = new Promise((resolve, reject) => {
    socket.onopen = () => {
      socket.send(JSON.stringify(request));
      resolve();
    };
    socket.onerror = () => reject(new Error("no connection"));
  });
  return { socket, answered, opened };
}

export class Sound {
  // `tell` is called with { line }, { heard, doubtful }, { level }, { state }, { soFar }.
  constructor(lines, tell) {
    this.lines = lines;
    this.tell = tell;
    this.take = null;
  }

  get isRecording() {
    return this.take !== null;
  }

  async start() {
    const take = { peak: 0, closed: false };
    this.take = take;
    this.tell({ state: "asking" });
    try {
      if (!navigator.mediaDevices) throw new DOMException("", "NotFoundError");
      take.stream = await navigator.mediaDevices.getUserMedia({
        audio: { channelCount: 1, noiseSuppression: true, autoGainControl: true },
      });
      if (take.closed) return this.release(take);
      await this.record(take);
    } catch (error) {
      this.fail(take, FAILURES[error.name] ?? "couldNotHear");
    }
  }

  async record(take) {
    take.context = new AudioContext();
    await take.context.audioWorklet.addModule("/static/recorder.js");
    Object.assign(take, openSocket(
      { kind: "microphone", rate: Math.round(take.context.sampleRate) },
      (soFar) => !take.closed && this.tell({ soFar }),
    ));
    await take.opened;
    if (take.closed) return this.release(take);
    const source = take.context.createMediaStreamSource(take.stream);
    take.node = new AudioWorkletNode(take.context, "recorder", { numberOfOutputs: 0 });
    take.node.port.onmessage = ({ data }) => this.pass(take, data);
    source.connect(take.node);
    await take.context.resume();
    take.stream.getAudioTracks()[0].onended = () => this.fail(take, "microphoneLost");
    take.limit = setTimeout(() => this.stop(), LONGEST_MS);
    take.answered.then((reply) => this.answer(take, reply), () => {
      if (!take.closed) this.fail(take, "couldNotHear");
    });
    this.tell({ state: "recording" });
  }

  pass(take, { piece, peak }) {
    take.peak = Math.max(take.peak, peak);
    if (take.socket.readyState === WebSocket.OPEN && piece.length) {
      take.socket.send(piece.buffer);
    }
    if (take.flushed) take.flushed();
    else this.tell({ level: peak });
  }

  async stop() {
    const take = this.take;
    if (!take || take.ending) return;
    if (!take.node) return this.cancel();
    take.ending = true;
    await new Promise((resolve) => {
      take.flushed = resolve;
      take.node.port.postMessage("flush");
    });
    this.release(take);
    if (take.closed) return;
    if (take.peak < SILENT_PEAK) return this.fail(take, "microphoneSilent");
    this.tell({ state: "reading" });
    take.socket.send(JSON.stringify({ kind: "end" }));
  }

  async useFile(file) {
    if (file.size > MAX_FILE_BYTES) return this.tell({ line: TOO_BIG });
    const take = { closed: false, ...openSocket({ kind: "file" }) };
    this.take = take;
    this.tell({ state: "reading" });
    try {
      await take.opened;
      for (let at = 0; at < file.size && !take.closed; at += SLICE_BYTES) {
        take.socket.send(await file.slice(at, at + SLICE_BYTES).arrayBuffer());
      }
      take.socket.send(JSON.stringify({ kind: "end" }));
      this.answer(take, await take.answered);
    } catch {
      this.fail(take, "couldNotHear");
    }
  }

  answer(take, reply) {
    if (take.closed) return;
    this.close(take);
    if (reply.kind === "heard") {
      this.tell({ heard: reply.text, doubtful: reply.doubtful, state: "idle" });
    } else {
      this.tell({ line: reply.text, state: "idle" });
    }
  }

  fail(take, key) {
    if (take.closed) return;
    this.close(take);
    this.tell({ line: this.lines[key], state: "idle" });
  }

  // Stop everything and send nothing more; the program forgets what it has got.
  cancel() {
    if (!this.take) return;
    this.close(this.take);
    this.tell({ state: "idle" });
  }

  close(take) {
    take.closed = true;
    this.release(take);
    take.socket?.close();
    if (this.take === take) this.take = null;
  }

  release(take) {
    clearTimeout(take.limit);
    take.stream?.getTracks().forEach((track) => {
      track.onended = null;
      track.stop();
    });
    if (take.context?.state !== "closed") take.context?.close();
  }
}
