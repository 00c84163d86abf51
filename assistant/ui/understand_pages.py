"""What the screen Understand shows: entrance, articles, the loop, what was found.

Pure: library and texts in, escaped HTML out. Buttons name what they open by its id;
``static/understand.js`` asks for it. No address holds what is read or looked for.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date
from typing import TYPE_CHECKING, Final

from assistant import browse, content_library
from assistant.domain_help import CardOffer
from assistant.ui import cards, cycle_picture, sources
from assistant.ui.markup import paragraph, text

if TYPE_CHECKING:
    from assistant.content_library import Claims, Library
    from assistant.content_texts import Cycle, Stage
    from assistant.domain import Article, ArticlePassage

MAX_WORDS_CHARS: Final = 500
NOT_HERE: Final = "This page is not in the library. “Back” leads to what there is."
_NOTHING_FITS = (
    "I found nothing in the library that fits these words. You could try one plain "
    "word, such as sorry, phone or sleep, or look through the subjects below."
)
_FOUND = "These may fit, the closest first."
_ASK = "What would you like to understand?"
_WELCOME = (
    "Short texts to read in your own time, in any order. Each says where it comes from "
    "and when it was last read through."
)
_KEPT = "What you look for stays on this computer and is not kept."
_READ_AS = (
    "Nearly all of these were read as a summary or an excerpt, not whole. “How sure” "
    "says how far a source carries."
)
_USED_HERE = "This is the part the reply used."
_OVERDUE = "This date has passed, so some of it may be out of date."
_ASKS = ("Why do I miss them?", "Is it my fault?", "They said sorry", "I went back")
_OF_SHELF = {
    "Understanding the bond": "What it is, how it can come about, what is known.",
    "The pull to return": "Missing them, messages, nights, going back.",
    "Patterns of harm": "Ways in which people are hurt, and what they do to you.",
    "Loosening the bond": "Small things that some people find a help.",
    "Safety": "Thinking ahead where there is danger.",
    "People": "For different lives, and for those who worry about someone.",
    "Getting help": "Calls, therapy, groups, and what to expect.",
    "About this assistant": "What Ebb is, and what stays on this computer.",
}
_WITH_HELP = frozenset({"Patterns of harm", "Safety", "Getting help"})
_MONTHS = (
    "January February March April May June July August September October November "
    "December"
).split()


def entrance(library: Library, cycle: Cycle) -> str:
    """Give the first view: the search, the loop, and all subjects."""
    return (
        f'<div id="understand-home">{paragraph(_WELCOME)}{_search()}'
        '<p id="understand-said" class="quiet" role="status"></p>'
        '<div id="understand-found"></div>'
        f"{_loop(cycle)}{_subjects(library)}</div>"
        '<div id="understand-page" hidden></div>'
    )


def _search() -> str:
    asks = "".join(
        f'<li><button type="button" class="chip" data-ask>{text(ask)}</button></li>'
        for ask in _ASKS
    )
    # No form and no name: whatever fails, the words cannot land in an address.
    return (
        '<div role="search" class="look">'
        f'<label for="understand-words">{text(_ASK)}</label>'
        '<div class="row"><input type="text" id="understand-words" '
        f'maxlength="{MAX_WORDS_CHARS}" autocomplete="off" autocorrect="off" '
        'spellcheck="false" enterkeyhint="search" '
        'aria-describedby="understand-kept">'
        '<button type="button" id="understand-look">Find</button></div>'
        f'<p class="quiet" id="understand-kept">{text(_KEPT)}</p>'
        f'<ul class="chips" aria-label="Some things people ask">{asks}</ul></div>'
    )


def _loop(cycle: Cycle) -> str:
    numbered = _Sources()
    intro = numbered.show(content_library.claims_in(cycle.texts.intro))
    caveat = numbered.show(content_library.claims_in(cycle.texts.caveat))
    return (
        '<section aria-labelledby="loop-title">'
        f'<h3 id="loop-title">{text(cycle.texts.title)}</h3><p>{intro}</p>'
        f"{cycle_picture.draw(cycle)}"
        f'<p class="caveat">{caveat}</p><button type="button" '
        f'data-stage="{text(cycle.other.id)}">{text(cycle.other.title)}</button>'
        f"{numbered.folded()}</section>"
    )


def _subjects(library: Library) -> str:
    groups = "".join(
        f"<details><summary><b>{text(shelf.title)}</b> "
        f'<span class="quiet">{text(_OF_SHELF.get(shelf.title, ""))}</span></summary>'
        f"{_titles(shelf.articles)}</details>"
        for shelf in browse.shelves(library)
    )
    return (
        '<section aria-labelledby="subjects-title">'
        f'<h3 id="subjects-title">All subjects</h3>{groups}</section>'
    )


def _titles(articles: Iterable[Article]) -> str:
    return _openers((article.id, article.title) for article in articles)


def _openers(pairs: Iterable[tuple[str, str]]) -> str:
    items = "".join(
        f'<li><button type="button" class="title" data-read="{text(target)}">'
        f"{text(title)}</button></li>"
        for target, title in pairs
    )
    return f'<ul class="titles">{items}</ul>'


def found(articles: Sequence[Article], danger: Sequence[CardOffer] = ()) -> str:
    """Give what a search found; danger that was heard in it comes first.

    The words that were looked for are not repeated.
    """
    sentence = _FOUND if articles else _NOTHING_FITS
    listed = _titles(articles) if articles else ""
    return (
        f"{_danger(danger[0]) if danger else ''}"
        f'<h3 tabindex="-1" data-heading>{"Found" if articles else "Nothing fits"}</h3>'
        f"{paragraph(sentence)}{listed}"
        '<button type="button" class="plain" id="understand-clear">'
        "Clear this search</button>"
    )


def _danger(offer: CardOffer) -> str:
    return (
        f'<section class="card"><h3>{text(offer.title)}</h3>'
        f"{cards.emergency(offer.emergency, offer.emergency_note)}"
        f"{paragraph(offer.body)}{_HELP_BUTTON}</section>"
    )


_HELP_BUTTON = '<button type="button" data-help>Open Help</button>'


def stage(library: Library, cycle: Cycle, stage_id: str) -> str:
    """Give one part of the loop, with the articles that fit.

    Raises:
        KeyError: If there is no such part.
    """
    parts = {part.id: part for part in (*cycle.stages, cycle.other)}
    part = parts[stage_id]
    numbered = _Sources()
    body = "".join(
        f"<p>{numbered.show(content_library.claims_in(piece))}</p>"
        for piece in part.text
    )
    is_other = part is cycle.other
    caveat = (
        "" if is_other else numbered.show(content_library.claims_in(cycle.texts.caveat))
    )
    return (
        f'<article class="reading"><p class="kind">{text(cycle.texts.title)}</p>'
        f'<h3 tabindex="-1" data-heading>{text(part.title)}</h3>{body}'
        f"{_HELP_BUTTON if part.id == 'harm' else ''}"
        f"<h4>To read about this</h4>{_openers(_named(library, part))}"
        + (f'<p class="caveat">{caveat}</p>' if caveat else "")
        + ("" if is_other else _along(cycle, part))
        + f"{numbered.listed()}</article>"
    )


def _named(library: Library, part: Stage) -> list[tuple[str, str]]:
    """Give what a part of the loop leads to; a passage goes by its own heading."""
    pairs = []
    for target in part.read:
        if "#" in target:
            pairs.append((target, library.passage_of(target)[1].heading))
        else:
            pairs.append((target, library.article(target).title))
    return pairs


def _along(cycle: Cycle, part: Stage) -> str:
    place = cycle.stages.index(part)
    after = cycle.stages[(place + 1) % len(cycle.stages)]
    return (
        f'<p><button type="button" data-stage="{text(after.id)}">'
        f"Next in the loop: {text(after.title)}</button></p>"
    )


def article(
    library: Library, article_id: str, *, today: date, passage_id: str | None = None
) -> str:
    """Give a whole article with its sources, its date and what stands close.

    Args:
        library: Where it is from.
        article_id: Which one.
        today: To say where its review is overdue.
        passage_id: The part to begin at, which a reply used; None begins at the top.

    Raises:
        KeyError: If there is no such article or part.
    """
    shown = library.article(article_id)
    if passage_id is not None:
        library.passage_of(passage_id)
    topic = browse.topic_of(library, shown)
    section = topic.section if topic else ""
    numbered = _Sources()
    parts = "".join(
        _part(part, numbered, wanted=part.id == passage_id) for part in shown.passages
    )
    focus = "" if passage_id else " data-heading"
    return (
        f'<article class="reading"><p class="kind">{text(section)}</p>'
        f'<h3 tabindex="-1"{focus}>{text(shown.title)}</h3>{parts}'
        f"{_HELP_BUTTON if section in _WITH_HELP else ''}"
        f"{numbered.listed()}{_reviewed(shown, today)}</article>"
        f"{_close_by(library, shown)}"
    )


def _part(part: ArticlePassage, numbered: _Sources, *, wanted: bool) -> str:
    mark = paragraph(_USED_HERE, "quiet") if wanted else ""
    focus = ' tabindex="-1" data-heading' if wanted else ""
    return (
        f'<section class="part{" wanted" * wanted}">'
        f"<h4{focus}>{text(part.heading)}</h4>"
        f"{mark}<p>{numbered.show(part.claims)}</p></section>"
    )


def _reviewed(shown: Article, today: date) -> str:
    overdue = date.fromisoformat(shown.review_due) < today
    return (
        '<p class="quiet reviewed">Last read through on '
        f"{_day(shown.reviewed_on)} by {text(shown.reviewed_by)}. To be read through "
        f"again by {_day(shown.review_due)}. {text(_OVERDUE) if overdue else ''}</p>"
    )


def _day(iso: str) -> str:
    day = date.fromisoformat(iso)
    return (
        f'<time datetime="{iso}">{day.day} {_MONTHS[day.month - 1]} {day.year}</time>'
    )


def _close_by(library: Library, shown: Article) -> str:
    after = browse.following(library, shown)
    near = [a for a in browse.related(library, shown) if a != after]
    next_ = f"<h4>Next</h4>{_titles([after])}" if after else ""
    return (
        '<nav class="close-by" aria-label="More to read">'
        f"{f'<h4>Close to this</h4>{_titles(near)}' if near else ''}{next_}</nav>"
    )


class _Sources:
    """Numbers sources in the order they are cited, and lists them below the text."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}

    def show(self, claims: Claims) -> str:
        """Give a text with the numbers of the sources after each claim."""
        return "".join(f"{text(piece)}{self._marks(ids)}" for piece, ids in claims)

    def _marks(self, ids: tuple[str, ...]) -> str:
        if not ids:
            return ""
        numbers = [self._numbers.setdefault(i, len(self._numbers) + 1) for i in ids]
        word = "source" if len(numbers) == 1 else "sources"
        return (
            f'<sup class="cite"><span class="unseen"> ({word} </span>'
            f'{", ".join(map(str, numbers))}<span class="unseen">)</span></sup>'
        )

    def listed(self) -> str:
        """Give the list; nothing where nothing was cited."""
        if not self._numbers:
            return ""
        return (
            f'<section class="sources"><h4>Sources</h4>{self._items()}'
            f'<p class="quiet">{text(_READ_AS)}</p></section>'
        )

    def folded(self) -> str:
        """Give the list, closed at first."""
        return f"<details><summary>Sources</summary>{self._items()}</details>"

    def _items(self) -> str:
        ids = tuple(self._numbers)
        items = "".join(
            f"<li>{text(citation)}{_sureness(source)}</li>"
            for source, citation in zip(ids, sources.cited(ids), strict=True)
        )
        return f'<ol class="sources">{items}</ol>'


def _sureness(source: str) -> str:
    said = sources.how_sure(source)
    return f' <span class="sure">How sure: {text(said)}.</span>' if said else ""
