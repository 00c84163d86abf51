"""A microphone that a test plays itself, and what it does with it."""

from __future__ import annotations

import base64
import subprocess
import wave
from pathlib import Path

from playwright.sync_api import Page, expect

_MICROPHONE = """() => {
  const context = new AudioContext({ sampleRate: 16000 });
  const loudness = context.createGain();
  loudness.gain.value = 0;
  const tone = context.createOscillator();
  tone.frequency.value = 300;
  tone.connect(loudness);
  tone.start();
  // What the program is sent, so that a test can send more of it.
  const send = WebSocket.prototype.send;
  window.sent = { samples: 0, loudest: 0 };
  WebSocket.prototype.send = function (data) {
    if (data instanceof ArrayBuffer) {
      window.socket = this;
      const samples = new Int16Array(data);
      sent.samples += samples.length;
      sent.loudest = samples.reduce((most, s) => Math.max(most, Math.abs(s)), 0);
    }
    return send.call(this, data);
  };
  window.asked = 0;
  navigator.mediaDevices.getUserMedia = async () => {
    asked += 1;
    await context.resume();
    const place = context.createMediaStreamDestination();
    loudness.connect(place);
    window.voice = place;
    return (window.stream = place.stream);
  };
  window.loud = (value) => { loudness.gain.value = value; };
  window.play = (pcm) => new Promise((done) => {
    const bytes = Uint8Array.from(atob(pcm), (c) => c.charCodeAt(0));
    const samples = new Int16Array(bytes.buffer);
    const buffer = context.createBuffer(1, samples.length, 16000);
    buffer.copyToChannel(Float32Array.from(samples, (s) => s / 32768), 0);
    const source = context.createBufferSource();
    source.buffer = buffer;
    source.connect(voice);
    source.onended = () => done();
    source.start();
  });
  // Silence that need not be waited for: the sound card takes as long as it takes.
  window.keepSilent = (seconds, rate) => {
    const piece = new Int16Array(4096);
    for (let left = seconds * rate; left > 0; left -= piece.length) {
      send.call(socket, piece.buffer);
    }
  };
}"""


def give_microphone(page: Page) -> None:
    """Put a microphone into a page: silent until ``make_sound`` or ``play``."""
    page.evaluate(_MICROPHONE)


def start(page: Page) -> None:
    """Press “Speak” and wait until it listens."""
    page.click("#speak")
    expect(page.locator("#speak")).to_have_text("Stop speaking")


def make_sound(page: Page, seconds: float) -> None:
    """Make a sound as loud as a voice for a while, then be silent."""
    page.evaluate("loud(0.4)")
    page.wait_for_timeout(1000 * seconds)
    page.evaluate("loud(0)")


def spoken(words: str, folder: Path) -> str:
    """Give words as speech: base64 of 16-bit samples, 16 kHz."""
    path = folder / "spoken.wav"
    subprocess.run(["espeak-ng", "-s", "140", "-w", str(path), words], check=True)
    at_16k = folder / "spoken-16k.wav"
    subprocess.run(
        ["ffmpeg", "-loglevel", "error", "-y", "-i", str(path)]
        + ["-ar", "16000", "-ac", "1", str(at_16k)],
        check=True,
    )
    with wave.open(str(at_16k)) as sound:
        return base64.b64encode(sound.readframes(sound.getnframes())).decode()
