// Runs beside the page's own thread: sound in, 16-bit pieces and a loudness out.

const PIECE = 4096;

class Recorder extends AudioWorkletProcessor {
  constructor() {
    super();
    this.piece = new Int16Array(PIECE);
    this.filled = 0;
    this.peak = 0;
    this.port.onmessage = () => this.send();
  }

  send() {
    const piece = this.piece.slice(0, this.filled);
    this.port.postMessage({ piece, peak: this.peak }, [piece.buffer]);
    this.piece.fill(0);
    this.filled = 0;
    this.peak = 0;
  }

  process(inputs) {
    const [channel] = inputs[0];
    if (!channel) return true;
    for (const value of channel) {
      const clipped = Math.max(-1, Math.min(1, value));
      this.peak = Math.max(this.peak, Math.abs(clipped));
      this.piece[this.filled++] = Math.round(clipped * 32767);
      if (this.filled === PIECE) this.send();
    }
    return true;
  }
}

registerProcessor("recorder", Recorder);
