"""The words and the form of the screen “Settings and traces”."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from assistant import content
from assistant.models import Kind, ModelFolder, Registry, State, say_bytes
from assistant.settings import TURN_PAUSES_S
from assistant.ui import cleaning, traces
from assistant.ui.markup import options, text
from assistant.ui.preferences import TITLES, Preferences

if TYPE_CHECKING:
    from assistant.content_directory import Directory
    from assistant.models import Model
    from assistant.settings import Settings

_SIZES: Final = {"normal": "Normal", "larger": "Larger", "largest": "Largest"}
_MOVEMENTS: Final = {"system": "As this computer is set", "none": "None"}
_IDLE: Final = {0: "Off", 5: "5 minutes", 10: "10 minutes", 30: "30 minutes"}
_KINDS: Final = {
    Kind.LLM: "Replies",
    Kind.STT: "Listening",
    Kind.EMBEDDER: "Searching",
    Kind.TTS: "Reading aloud",
}
_STATES: Final = {
    State.READY: "there",
    State.MISSING: "not there",
    State.DAMAGED: "damaged",
}

_COUNTRY_SAID = "Decides which emergency numbers and services are shown."
_TITLE_SAID = (
    "What the browser’s tab and its history show. Pages already in the history keep "
    "the name they had."
)
_EXIT_SAID = (
    "“Leave this page” leads to an empty sheet on this computer, or to a website of "
    "your choice. A website is asked for over the internet: whoever runs it, or the "
    "connection here, can see that. Without a connection the browser shows an error."
)
_PAUSES: Final = {str(seconds): f"{seconds} seconds" for seconds in TURN_PAUSES_S}
_SWITCH: Final = {"off": "Off", "on": "On"}

_HANDS_FREE_SAID = (
    "When you have spoken and then pause, your words are sent by themselves, after a "
    "countdown that any key or touch stops. Words that may be wrong are never sent so: "
    "they wait for you in the box. When the reply is over, listening begins again."
)
_PAUSE_SAID = "How long a silence may be until your turn is over, with hands-free on."
_SPOKEN_SAID = (
    "Someone may listen: headphones keep a reply for you alone. A key, “Stop” or "
    "“Speak” ends the voice at once. This is always off when the program starts. With "
    "a screen reader you do not need it."
)
_IDLE_SAID = (
    "When no key, mouse or finger moves for this long, the talk is wiped as with “End "
    "and wipe”, and an empty sheet covers the page. A minute before, a line tells you; "
    "any key keeps everything as it is."
)
_KEEP_SAID = (
    "Writes only these choices to a file: country, text size, movement, name of the "
    "tab, where the exit leads, the time of quiet, and hands-free with its pause. "
    "Nothing you say. But the file shows that Ebb was used here."
)
_STOP_SAID = (
    "Wipes every talk and stops the program. Other tabs of it that are open are "
    "emptied too. What you chose to save stays."
)
NO_VOICE: Final = (
    "Ebb answers in writing; reading aloud needs two parts that you add yourself."
)
_VOICE_STEPS: Final = (
    '.venv/bin/python -m pip install -e ".[voice]"',
    "ebb models pull en_US-joe-medium",
)
_MODELS_SAID = (
    "While it runs, Ebb reaches nothing outside this computer. So a model is fetched "
    "by a command in a terminal, with Ebb stopped."
)


def body(
    preferences: Preferences,
    settings: Settings,
    directory: Directory | None,
    country: str | None,
    *,
    is_kept: bool,
    has_voice: bool = False,
) -> str:
    """Give the screen as things stand now.

    Args:
        preferences: What holds.
        settings: Where the program's folders are.
        directory: For the choice of a country; None where it could not be read.
        country: ISO 3166-1 alpha-2, as chosen or guessed.
        is_kept: True where the choices are kept in the settings file.
        has_voice: True where replies can be spoken.
    """
    return (
        '<form id="settings-form" autocomplete="off">'
        f"{_radios('Text size', 'text_size', _SIZES, preferences.text_size)}"
        f"{_radios('Movement', 'movement', _MOVEMENTS, preferences.movement)}"
        f"{_country(directory, country)}{_titles(preferences)}{_exit(preferences)}"
        f"{_hands_free(preferences)}{voice(preferences) if has_voice else ''}"
        f"{_idle(preferences)}{_keep(settings, is_kept)}</form>"
        '<p id="settings-said" role="status"></p>'
        f"{_folded('Traces on this computer', traces.block(settings, is_kept=is_kept))}"
        f"{_folded('Models', _models_place())}"
        f"{'' if has_voice else _folded('Spoken replies', no_voice())}"
        f"{_shut_down(settings)}"
    )


def _radios(
    legend: str, name: str, choices: dict[str, str], chosen: str, said: str = ""
) -> str:
    labels = "".join(
        f'<label class="option"><input type="radio" name="{name}" value="{text(value)}"'
        f"{' checked' * (value == chosen)}> {text(label)}</label>"
        for value, label in choices.items()
    )
    hint = f'<p class="quiet" id="{name}-said">{text(said)}</p>' if said else ""
    described = f' aria-describedby="{name}-said"' if said else ""
    return (
        f"<fieldset{described}><legend>{text(legend)}</legend>{hint}"
        f'<div class="options">{labels}</div></fieldset>'
    )


def _country(directory: Directory | None, country: str | None) -> str:
    if directory is None:
        return ""
    countries = (("", "Choose a country"), *directory.countries)
    return (
        '<div class="field"><label for="settings-country">Country</label>'
        f'<p class="quiet" id="country-said">{text(_COUNTRY_SAID)}</p>'
        '<select id="settings-country" name="country" aria-describedby="country-said">'
        f"{options(countries, country)}</select></div>"
    )


def _titles(preferences: Preferences) -> str:
    labels = "".join(
        f'<label class="option"><input type="radio" name="page_title" value="{key}"'
        f"{' checked' * (key == preferences.page_title)}> "
        f'<img src="/static/icon-{key}.svg" alt="" width="24" height="24"> '
        f"{text(label)}</label>"
        for key, label in TITLES.items()
    )
    return (
        '<fieldset aria-describedby="page_title-said">'
        "<legend>Name and picture of the tab</legend>"
        f'<p class="quiet" id="page_title-said">{text(_TITLE_SAID)}</p>'
        f'<div class="options">{labels}</div></fieldset>'
    )


def _exit(preferences: Preferences) -> str:
    return (
        '<div class="field"><label for="exit-address">Where the exit leads</label>'
        f'<p class="quiet" id="exit-said-more">{text(_EXIT_SAID)}</p>'
        '<input id="exit-address" name="exit_address" type="text" inputmode="url" '
        'autocapitalize="none" autocomplete="off" spellcheck="false" '
        'placeholder="Empty: the empty sheet" aria-describedby="exit-said-more" '
        f'value="{text(preferences.exit_address)}">'
        '<div class="row"><button type="submit">Use this</button>'
        '<button type="button" id="exit-local">Use the empty sheet</button></div></div>'
    )


def _idle(preferences: Preferences) -> str:
    choices = {str(minutes): label for minutes, label in _IDLE.items()}
    return _radios(
        "Wipe and cover when nothing moves",
        "idle_minutes",
        choices,
        str(preferences.idle_minutes),
        _IDLE_SAID,
    )


def _keep(settings: Settings, is_kept: bool) -> str:
    place = f"The file: {settings.home / 'settings.toml'}"
    return (
        '<div class="field"><label class="option">'
        f'<input type="checkbox" name="keep" aria-describedby="keep-said"'
        f"{' checked' * is_kept}> Remember these on this computer</label>"
        f'<p class="quiet" id="keep-said">{text(_KEEP_SAID)} {text(place)}</p></div>'
    )


def _folded(title: str, inside: str) -> str:
    return f"<details><summary>{text(title)}</summary>{inside}</details>"


def _models_place() -> str:
    return (
        f"<p>{text(_MODELS_SAID)}</p>"
        '<div id="settings-models"><p class="quiet">Looking which are there …</p></div>'
    )


def _shut_down(settings: Settings) -> str:
    room = say_bytes(cleaning.count_bytes(settings.cache_dir))
    return (
        '<section class="shut-down" aria-labelledby="shut-down-title">'
        '<h3 id="shut-down-title">Shut down and clean</h3>'
        f"<p>{text(_STOP_SAID)}</p>"
        '<label class="option"><input type="checkbox" id="clean"> Delete the search '
        f"index as well ({text(room)}); the next start makes it again</label>"
        '<p><button type="button" id="shut-down">Shut down now</button></p></section>'
    )


def _hands_free(preferences: Preferences) -> str:
    chosen = str(preferences.turn_pause_s)
    return (
        _radios(
            "Hands-free",
            "hands_free",
            _SWITCH,
            preferences.hands_free,
            _HANDS_FREE_SAID,
        )
        + '<div class="field"><label for="turn-pause">Pause that ends a turn</label>'
        f'<p class="quiet" id="turn-pause-said">{text(_PAUSE_SAID)}</p>'
        '<select id="turn-pause" name="turn_pause_s" '
        'aria-describedby="turn-pause-said">'
        f"{options(tuple(_PAUSES.items()), chosen)}</select></div>"
    )


def voice(preferences: Preferences) -> str:
    """Offer spoken replies; only where the parts for them are there."""
    return _radios(
        "Spoken replies",
        "spoken_replies",
        _SWITCH,
        preferences.spoken_replies,
        _SPOKEN_SAID,
    )


def no_voice() -> str:
    """Say in one sentence why replies are not spoken, and how they could be."""
    steps = "".join(f"<li>{_command(step)}</li>" for step in _VOICE_STEPS)
    return f'<p>{text(NO_VOICE)}</p><ol class="commands">{steps}</ol>'


def models(settings: Settings) -> str:
    """Give the list of models; may read large files, so call it in a thread."""
    folder = _folder(settings)
    items = "".join(
        _model(model, folder.state(model)) for model in folder.registry.models
    )
    return f'<ul class="models">{items}</ul>'


def _folder(settings: Settings) -> ModelFolder:
    registry = Registry.load(content.content_root() / "models" / "registry.toml")
    return ModelFolder(registry, settings.models_dir)


def _model(model: Model, state: State) -> str:
    fetch = "" if state is State.READY else _command(f"ebb models pull {model.name}")
    facts = f"{_KINDS[model.kind]} · {say_bytes(model.bytes)} · {_STATES[state]}"
    return (
        f'<li data-state="{state}"><h3>{text(model.name)}</h3>'
        f'<p class="quiet">{text(facts)}</p><p>{text(model.summary)}</p>{fetch}</li>'
    )


def _command(command: str) -> str:
    shown = text(command)
    return (
        f'<p class="command"><code>{shown}</code> <button type="button" class="copy" '
        f'data-copy="{shown}" aria-label="Copy the command">Copy</button></p>'
    )
