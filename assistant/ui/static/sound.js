// Microphone and recordings: to the program's memory over a WebSocket, nowhere else.

const SILENT_PEAK = 0.0008; // about −62 dB: a microphone that is muted, not a whisper
const SILENT_FOR_S = 5;
const LONGEST_S = 15 * 60 - 10; // the program takes fifteen minutes
const PAUSE_S = 1.2; // of silence, so that nothing is joined across a pause
const FLUSH_MS = 500;
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

// Told when the person takes the permission away, here or in the browser's settings.
async function permission() {
  try {
    return await navigator.permissions.query({ name: "microphone" });
  } catch {
    return new EventTarget(); // this browser does not tell
  }
}

export class Sound {
  // `tell` is called with some of { line }, { heard, doubtful }, { level }, { state },
  // { paused }, { soFar }, and { sounds } when a silent microphone is silent no more.
  constructor(lines, tell) {
    this.lines = lines;
    this.tell = tell;
    this.take = null;
  }

  get isRecording() {
    return this.take !== null;
  }

  get isPaused() {
    return this.take?.pausing ?? false;
  }

  async start() {
    const take = { peak: 0, samples: 0, pausing: false, paused: false, closed: false };
    this.take = take;
    this.tell({ state: "asking" });
    try {
      if (!navigator.mediaDevices) throw new DOMException("", "NotFoundError");
      take.stream = await navigator.mediaDevices.getUserMedia({
        audio: { channelCount: 1, noiseSuppression: true, autoGainControl: true },
      });
      if (take.closed) return this.release(take);
      take.permission = await permission();
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
    if (take.closed) return;
    this.watch(take);
    take.answered.then((reply) => this.answer(take, reply), () => {
      if (!take.closed) this.fail(take, "couldNotHear");
    });
    this.tell({ state: "recording" });
  }

  // Every way in which a microphone can fail while it is in use.
  watch(take) {
    const [track] = take.stream.getAudioTracks();
    const isDenied = () => take.permission.state === "denied";
    track.onended = () =>
      this.lose(take, isDenied() ? "microphoneWithdrawn" : "microphoneLost");
    track.onmute = () => !take.paused && this.tellSilent(take);
    track.onunmute = () => this.tellSounds(take);
    take.permission.onchange = () =>
      isDenied() && this.lose(take, "microphoneWithdrawn");
    if (track.readyState === "ended") track.onended();
  }

  pass(take, { piece, peak }) {
    const flushed = take.flushed;
    if (flushed) take.flushed = null;
    if (!take.paused) this.send(take, piece, peak);
    flushed?.();
  }

  send(take, piece, peak) {
    take.peak = Math.max(take.peak, peak);
    take.samples += piece.length;
    if (take.socket.readyState === WebSocket.OPEN && piece.length) {
      take.socket.send(piece.buffer);
    }
    if (take.ending || take.closed) return;
    this.tell({ level: peak });
    const seconds = take.samples / take.context.sampleRate;
    if (seconds > LONGEST_S) this.stop();
    if (peak >= SILENT_PEAK) this.tellSounds(take);
    else if (take.peak < SILENT_PEAK && seconds > SILENT_FOR_S) this.tellSilent(take);
  }

  tellSilent(take) {
    if (take.isSilent) return;
    take.isSilent = true;
    this.tell({ line: this.lines.microphoneSilent });
  }

  tellSounds(take) {
    if (!take.isSilent) return;
    take.isSilent = false;
    this.tell({ sounds: true });
  }

  // What the browser has gathered until now is passed on.
  flush(take) {
    return new Promise((resolve) => {
      take.flushed = resolve;
      take.node.port.postMessage("flush");
      setTimeout(resolve, FLUSH_MS); // a context that has died does not answer
    });
  }

  // --- A pause that the person makes ---------------------------------------------------

  async pause() {
    const take = this.take;
    if (!take?.node || take.ending || take.pausing) return;
    take.pausing = true;
    const [track] = take.stream.getAudioTracks();
    track.enabled = false; // the browser gives silence from here on
    const flushed = this.flush(take);
    this.tell({ paused: true });
    await flushed;
    if (take.closed || take.ending || !take.pausing) return;
    take.paused = true;
    const silence = new Int16Array(Math.round(PAUSE_S * take.context.sampleRate));
    take.samples += silence.length;
    take.socket.send(silence.buffer);
  }

  goOn() {
    const take = this.take;
    if (!take?.node || take.ending) return;
    take.stream.getAudioTracks()[0].enabled = true;
    take.pausing = take.paused = false;
    this.tell({ paused: false });
  }

  // --- The end -------------------------------------------------------------------------

  // The microphone has gone: what was said until then is still read.
  lose(take, key) {
    if (take.closed || take.ending) return;
    take.lost = key;
    this.stop();
  }

  async stop() {
    const take = this.take;
    if (!take || take.ending) return;
    if (!take.node) return this.cancel();
    take.ending = true;
    await this.flush(take);
    this.release(take);
    if (take.closed) return;
    if (take.peak < SILENT_PEAK) {
      return this.fail(take, take.lost ?? "microphoneSilent");
    }
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
    const lost = this.lines[take.lost];
    if (reply.kind === "heard") {
      const { text: heard, doubtful } = reply;
      this.tell({ heard, doubtful, line: lost, state: "idle" });
    } else {
      this.tell({ line: lost ?? reply.text, state: "idle" });
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
    if (take.permission) take.permission.onchange = null;
    take.stream?.getTracks().forEach((track) => {
      track.onended = track.onmute = track.onunmute = null;
      track.stop();
    });
    if (take.context?.state !== "closed") take.context?.close();
  }
}
