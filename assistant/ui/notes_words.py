"""What the notes say: plain, unhurried, and honest about what protects and what not."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from assistant.keeping import IDLE_S
from assistant.notebook import Kind

IDLE_MINUTES: Final = IDLE_S // 60


@dataclass(frozen=True, slots=True)
class Tool:
    """The words of one kind of note."""

    title: str
    intro: str
    text: str
    """The label of the first field."""
    hint: str
    more: str
    """The label of the second field; empty where there is none."""
    none_yet: str
    caution: str = ""
    need: str = ""
    """What Help shows, where the caution leads there."""


TOOLS: Final = {
    Kind.REALITY: Tool(
        title="Reality list",
        intro="A few plain lines for the hours when the hard parts look far away. It "
        "can be short, you can leave out the worst, and you can stop at any point.",
        text="What happened",
        hint="One line is enough.",
        more="How it felt",
        none_yet="Nothing here yet.",
    ),
    Kind.BOUNDARY: Tool(
        title="My boundaries",
        intro="A boundary says what you will do. It does not steer the other person, "
        "so nobody has to agree to it.",
        text="What I will do",
        hint="For example: I will end the call if voices are raised.",
        more="What helps me keep it",
        none_yet="Nothing here yet. It can be very small, and you can let go of it at "
        "any time.",
        caution="With someone violent, a boundary can raise the danger, above all when "
        "it is spoken. It is safer to talk it through with an advocate first. Some "
        "boundaries are best kept in silence.",
        need="abuse",
    ),
    Kind.PERSON: Tool(
        title="My people",
        intro="Different people can be good for different things: one to laugh with, "
        "one who listens, one for a lift.",
        text="Who",
        hint="Initials are enough, if someone might see this.",
        more="What for, and how to reach them",
        none_yet="Nobody here yet. A service or a neighbour counts too.",
    ),
    Kind.TRIGGER: Tool(
        title="My triggers",
        intro="What tends to set off the pull: a song, a date, a message, being tired. "
        "Knowing one ahead can take away some of its surprise.",
        text="What sets it off",
        hint="As short as you like.",
        more="What helps then",
        none_yet="Nothing here yet.",
    ),
    Kind.WAVE: Tool(
        title="My waves",
        intro="Waves of longing you chose to keep. You can add one by hand. More of "
        "them, or fewer, says nothing about how well you are doing.",
        text="A note about it",
        hint="",
        more="",
        none_yet="No wave kept yet.",
    ),
    Kind.KEPT: Tool(
        title="Kept from a talk",
        intro="Words you want to find again. In the talk, “Keep this in My notes” "
        "under a reply brings them here.",
        text="What to keep",
        hint="",
        more="Why it matters to me",
        none_yet="Nothing kept yet.",
    ),
}

SITTING: Final = (
    "For this sitting only: nothing is written to the disk, and all of it is gone when "
    "you leave, press “End and wipe” or close the page. To find it again another day, "
    "you can turn on the notebook, below."
)
OPEN: Final = (
    "Your notebook is open. It locks when you leave, when you press “End and wipe”, "
    f"and after {IDLE_MINUTES} minutes without use."
)
LOCKED: Final = "Your notebook is locked, and nothing in it is shown."
ELSEWHERE: Final = (
    "It is open in another tab of this browser. If you unlock it here, it locks there."
)
WAITING: Final = (
    "What you kept just now waits in memory. It goes into the notebook when you unlock "
    "it, and is gone if you leave before that."
)
NO_ROOM: Final = (
    "This page and the program have lost each other. Reloading the page mends that; "
    "what stands in the fields here would be lost, so copy it first."
)
NOTHING_FOUND: Final = "Nothing with all of these words."

TURN_ON: Final = (
    "The notebook keeps your notes in one file on this computer, locked with words "
    "that only you know. What you noted in this sitting goes into it."
)
PROTECTS: Final = (
    "Someone who finds the file cannot read it, and cannot see how much is in it.",
    "Other programs, and whoever uses this computer, see that there is a file named "
    "notes.dat in Ebb’s folder, and when it was last changed.",
)
PROTECTS_NOT: Final = (
    "A computer that is watched: some programs see the screen and every key, this "
    "passphrase too.",
    "Being made to unlock it. If someone could force you, having no notebook is the "
    "safer choice.",
    "The time while it is open. The computer itself may then write what is in its "
    "memory to the disk, when it sleeps or runs short of room.",
)
NO_WAY_IN: Final = (
    "Without the passphrase there is no way in. Nobody can reset it or get the notes "
    "back: not you, not us, no one."
)
CHOOSE_WORDS: Final = (
    "Four or five words that have nothing to do with you work well; at least 12 "
    "characters. If a password is used anywhere else, or could be guessed by someone "
    "who knows you, it does not protect."
)
NO_SAVING: Final = "If the browser offers to remember it, say no."
NOT_THE_SAME: Final = "The two are not the same. Nothing was changed."

EXPORT: Final = (
    "This gives you a plain text file that anyone who opens this computer can read. "
    "The browser keeps it in its downloads and lists it there. It is not encrypted, "
    "and Ebb cannot take it back."
)
ERASE_SITTING: Final = "This erases every note of this sitting. It cannot be undone."
ERASE_NOTEBOOK: Final = (
    "This erases every note and the file itself. It cannot be undone. The file is "
    "overwritten first, but on solid-state drives, and in backups, older copies may "
    "stay; they remain encrypted."
)
WILL_NOT_OPEN: Final = (
    "If the passphrase is forgotten, or the file was damaged, nobody can open it. You "
    "can put the file aside under another name and begin a new notebook, or erase it."
)

ADDED: Final = "Added."
CHANGED: Final = "Changed."
ERASED: Final = "Erased."
TURNED_ON: Final = "The notebook is on, and open."
UNLOCKED: Final = "The notebook is open."
LOCKED_NOW: Final = "The notebook is locked."
NEW_PASSPHRASE: Final = (
    "The passphrase is changed. Copies of the file in backups still open with the "
    "old one."
)
ALL_ERASED: Final = "Everything is erased."
PUT_ASIDE: Final = "The old file is now named {name}. You can begin a new notebook."
GIVEN_OUT: Final = "Saved as notes.txt, wherever the browser puts its downloads."
