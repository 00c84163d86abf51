"""Decoding recordings: every format, and every way in which one can be broken."""

from __future__ import annotations

import http.server
import io
import threading
import time
import wave
from collections.abc import Callable
from pathlib import Path

import av
import numpy as np
import psutil
import pytest

from assistant.adapters.audio_files import SAMPLE_RATE_HZ, AudioFiles
from assistant.errors import AudioError
from tests.speed import slowness

FORMATS = {
    "wav": ("wav", "pcm_s16le", 44_100),
    "mp3": ("mp3", "libmp3lame", 44_100),
    "m4a": ("ipod", "aac", 44_100),
    "ogg": ("ogg", "libopus", 48_000),
    "webm": ("webm", "libopus", 48_000),
    "flac": ("flac", "flac", 44_100),
}


@pytest.fixture(scope="module")
def files() -> AudioFiles:
    return AudioFiles()


def _tone(seconds: float, rate_hz: int) -> np.ndarray:
    times = np.arange(round(seconds * rate_hz)) / rate_hz
    return (0.5 * np.sin(2 * np.pi * 440 * times)).astype(np.float32)


def _encoded(
    ending: str, seconds: float = 6.0, *, channels: int = 2, rate_hz: int | None = None
) -> bytes:
    """A tone of 440 Hz as a file in memory."""
    container_name, codec, usual_hz = FORMATS[ending]
    rate = rate_hz or usual_hz
    out = io.BytesIO()
    layout = "stereo" if channels == 2 else "mono"
    with av.open(out, "w", format=container_name) as container:
        stream = container.add_stream(codec, rate=rate, layout=layout)
        mono = (_tone(seconds, rate) * 32_767).astype(np.int16)
        for start in range(0, len(mono), rate):
            part = np.repeat(mono[start : start + rate], channels)[None, :]
            frame = av.AudioFrame.from_ndarray(part, format="s16", layout=layout)
            frame.rate = rate
            container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return out.getvalue()


def _wav_bytes(samples: np.ndarray, rate_hz: int, channels: int = 1) -> bytes:
    out = io.BytesIO()
    with wave.open(out, "wb") as file:
        file.setnchannels(channels)
        file.setsampwidth(2)
        file.setframerate(rate_hz)
        file.writeframes((samples * 32_767).astype("<i2").tobytes())
    return out.getvalue()


def _joined(files: AudioFiles, source: Path | bytes) -> np.ndarray:
    return np.concatenate([b.samples for b in files.open(source).stream_blocks()])


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("channels", [1, 2], ids=["mono", "stereo"])
def test_every_format_becomes_sixteen_kilohertz_mono(
    files: AudioFiles, ending: str, channels: int
) -> None:
    data = _encoded(ending, channels=channels)
    recording = files.open(data)
    assert recording.duration_s == pytest.approx(6.0, abs=0.1)
    blocks = list(recording.stream_blocks())
    assert {block.sample_rate_hz for block in blocks} == {SAMPLE_RATE_HZ}
    samples = np.concatenate([block.samples for block in blocks])
    assert samples.dtype == np.float32
    assert samples.ndim == 1
    middle = samples[SAMPLE_RATE_HZ : 3 * SAMPLE_RATE_HZ]
    pitch_hz = np.abs(np.fft.rfft(middle)).argmax() / 2
    assert pitch_hz == pytest.approx(440, abs=2)
    assert np.abs(middle).max() == pytest.approx(0.5, abs=0.1)


@pytest.mark.parametrize("rate_hz", [8_000, 11_025, 16_000, 22_050, 48_000, 96_000])
def test_every_rate_is_taken(files: AudioFiles, rate_hz: int) -> None:
    data = _wav_bytes(_tone(2.0, rate_hz), rate_hz)
    assert files.open(data).duration_s == pytest.approx(2.0, abs=0.02)


@pytest.mark.parametrize("rate_hz", [1, 10, 3_999, 768_001, 4_000_000_000])
def test_a_rate_that_nobody_records_at_is_refused_at_once(
    files: AudioFiles, rate_hz: int
) -> None:
    """Found by strange input: at one hertz a few kilobytes took minutes and memory."""
    data = bytearray(_wav_bytes(_tone(0.3, 16_000), 16_000))
    data[24:28] = rate_hz.to_bytes(4, "little")
    began = time.process_time()
    with pytest.raises(AudioError) as caught:
        list(files.open(bytes(data)).stream_blocks())
    assert "\n" not in str(caught.value)
    assert time.process_time() - began < 2 * slowness()


def test_a_file_and_its_bytes_give_the_same(files: AudioFiles, tmp_path: Path) -> None:
    path = tmp_path / "a recording with ünusual name.mp3"
    path.write_bytes(_encoded("mp3"))
    assert np.array_equal(_joined(files, path), _joined(files, path.read_bytes()))


def test_the_ending_of_the_name_does_not_matter(
    files: AudioFiles, tmp_path: Path
) -> None:
    path = tmp_path / "recording.wav"
    path.write_bytes(_encoded("ogg"))
    assert files.open(path).duration_s == pytest.approx(6.0, abs=0.1)


def test_a_recording_can_be_streamed_more_than_once(files: AudioFiles) -> None:
    recording = files.open(_encoded("flac"))
    first, second = (list(recording.stream_blocks()) for _ in range(2))
    assert len(first) == len(second) == 2


def test_the_sound_of_a_film_is_taken(files: AudioFiles) -> None:
    assert files.open(_film(with_sound=True)).duration_s > 0.5


def test_a_live_webm_without_a_stated_length_is_taken(files: AudioFiles) -> None:
    """Browsers record without knowing how long it will be."""
    data = _live_webm(seconds=2.0)
    assert files.open(data).duration_s == pytest.approx(2.0, abs=0.1)


def _live_webm(seconds: float) -> bytes:
    out = io.BytesIO()
    with av.open(out, "w", format="webm", options={"live": "1"}) as container:
        stream = container.add_stream("libopus", rate=48_000, layout="mono")
        part = (_tone(seconds, 48_000) * 32_767).astype(np.int16)[None, :]
        frame = av.AudioFrame.from_ndarray(part, format="s16", layout="mono")
        frame.rate = 48_000
        container.mux(stream.encode(frame))
        container.mux(stream.encode(None))
    return out.getvalue()


def test_a_wav_written_as_it_went_is_taken(files: AudioFiles) -> None:
    """Recorders that write to a pipe leave the largest number for the length."""
    data = bytearray(_wav_bytes(_tone(2.0, 16_000), 16_000))
    data[4:8] = data[40:44] = b"\xff\xff\xff\xff"
    assert files.open(bytes(data)).duration_s == pytest.approx(2.0, abs=0.1)


# --- What cannot be read --------------------------------------------------------------


def _film(*, with_sound: bool) -> bytes:
    out = io.BytesIO()
    with av.open(out, "w", format="mp4") as container:
        picture = container.add_stream("mpeg4", rate=10)
        picture.width = picture.height = 64
        picture.pix_fmt = "yuv420p"
        sound = (
            container.add_stream("aac", rate=16_000, layout="mono")
            if with_sound
            else None
        )
        for _ in range(10):
            image = np.zeros((64, 64, 3), np.uint8)
            container.mux(picture.encode(av.VideoFrame.from_ndarray(image)))
        container.mux(picture.encode(None))
        if sound is not None:
            part = (_tone(1.0, 16_000) * 32_767).astype(np.int16)[None, :]
            frame = av.AudioFrame.from_ndarray(part, format="s16", layout="mono")
            frame.rate = 16_000
            container.mux(sound.encode(frame))
            container.mux(sound.encode(None))
    return out.getvalue()


def _head(share: float) -> Callable[[bytes], bytes]:
    return lambda data: data[: int(len(data) * share)]


def _with_hole(data: bytes) -> bytes:
    noise = np.random.default_rng(3).bytes(len(data) // 4)
    start = len(data) // 3
    return data[:start] + noise + data[start + len(noise) :]


@pytest.mark.parametrize(
    ("data", "says"),
    [
        pytest.param(b"", "empty", id="no bytes"),
        pytest.param(_wav_bytes(np.zeros(0), 16_000), "empty", id="only a header"),
        pytest.param(
            b"Just a few words in a text file.\n", "not a recording", id="text"
        ),
        pytest.param(b"\x00" * 50_000, "not a recording", id="zeros"),
        pytest.param(
            np.random.default_rng(1).bytes(50_000), "not a recording", id="noise"
        ),
        pytest.param(b"PK\x03\x04" + b"\x00" * 500, "not a recording", id="zip"),
        pytest.param(_film(with_sound=False), "no audio track", id="silent film"),
        pytest.param(_head(0.6)(_encoded("wav")), "damaged", id="cut wav"),
        pytest.param(_head(0.6)(_encoded("mp3")), "damaged", id="cut mp3"),
        pytest.param(_head(0.6)(_encoded("m4a")), "damaged", id="cut m4a"),
        pytest.param(_head(0.6)(_encoded("webm")), "damaged", id="cut webm"),
        pytest.param(_head(0.6)(_encoded("flac")), "damaged", id="cut flac"),
        pytest.param(_with_hole(_encoded("mp3")), "damaged", id="holed mp3"),
        pytest.param(_with_hole(_encoded("m4a")), "damaged", id="holed m4a"),
        pytest.param(_with_hole(_encoded("flac")), "damaged", id="holed flac"),
    ],
)
def test_what_cannot_be_read_gets_one_clear_sentence(
    files: AudioFiles, data: bytes, says: str, capfd: pytest.CaptureFixture[str]
) -> None:
    with pytest.raises(AudioError, match=says) as caught:
        files.open(data)
    assert caught.value.exit_code == 3
    assert caught.value.__suppress_context__ or caught.value.__context__ is None
    assert "\n" not in str(caught.value)
    assert capfd.readouterr() == ("", "")


@pytest.mark.parametrize("ending", FORMATS)
@pytest.mark.parametrize("share", [0.001, 0.02, 0.1, 0.5, 0.9])
def test_a_file_cut_anywhere_is_an_audio_error_or_shorter_never_a_crash(
    files: AudioFiles, ending: str, share: float
) -> None:
    try:
        assert files.open(_head(share)(_encoded(ending))).duration_s < 6.0
    except AudioError:
        return


def test_the_end_of_an_ogg_may_be_missing(files: AudioFiles) -> None:
    """Nothing in an ogg says how long it was to be; what is there is used."""
    assert 1 < files.open(_head(0.6)(_encoded("ogg"))).duration_s < 5


def test_a_missing_file_and_a_folder_are_named_as_such(
    files: AudioFiles, tmp_path: Path
) -> None:
    with pytest.raises(AudioError, match="no such file"):
        files.open(tmp_path / "none.wav")
    with pytest.raises(AudioError, match="folder"):
        files.open(tmp_path)


def test_a_message_never_holds_the_name_of_the_file(
    files: AudioFiles, tmp_path: Path
) -> None:
    path = tmp_path / "marzipan.wav"
    path.write_text("no sound")
    with pytest.raises(AudioError) as caught:
        files.open(path)
    assert "marzipan" not in str(caught.value)


def test_a_playlist_that_calls_itself_a_recording_reaches_no_network(
    files: AudioFiles, tmp_path: Path
) -> None:
    asked: list[str] = []

    class Handler(http.server.BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            asked.append(self.path)
            self.send_error(404)

        def log_message(self, *_: object) -> None:
            """Stay quiet."""

    server = http.server.HTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    address = f"http://127.0.0.1:{server.server_port}/sound.ts"
    playlist = tmp_path / "recording.wav"
    try:
        for text in (
            f"#EXTM3U\n#EXT-X-TARGETDURATION:9\n#EXTINF:9,\n{address}\n#EXT-X-ENDLIST\n",
            f"ffconcat version 1.0\nfile '{address}'\n",
        ):
            playlist.write_text(text)
            with pytest.raises(AudioError):
                files.open(playlist)
    finally:
        server.shutdown()
        server.server_close()
        thread.join()
    assert asked == []


def test_more_than_two_hours_are_refused(files: AudioFiles) -> None:
    data = _wav_bytes(np.zeros(8_000 * 7_210, np.float32), 8_000)
    with pytest.raises(AudioError, match="two hours"):
        files.open(data)


def test_more_than_two_hours_are_refused_also_where_the_length_is_not_stated(
    files: AudioFiles, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("assistant.adapters.audio_files.LONGEST_S", 5)
    with pytest.raises(AudioError, match="two hours"):
        files.open(_live_webm(seconds=6.0))


def test_an_hour_is_streamed_in_bounded_memory(
    files: AudioFiles, tmp_path: Path
) -> None:
    path = tmp_path / "hour.wav"
    _write_silent_wav(path, seconds=3_600)
    files.open(_encoded("flac"))  # Libraries take their share the first time.
    memory = psutil.Process().memory_info
    before = memory().rss
    highest = before
    total = 0
    for block in files.open(path).stream_blocks():
        total += len(block.samples)
        highest = max(highest, memory().rss)
    assert total == 3_600 * SAMPLE_RATE_HZ
    # As one array it would take 230 MB.
    assert highest - before < 40_000_000


def _write_silent_wav(path: Path, seconds: int) -> None:
    with wave.open(str(path), "wb") as file:
        file.setnchannels(1)
        file.setsampwidth(2)
        file.setframerate(8_000)
        for _ in range(seconds):
            file.writeframes(bytes(16_000))
