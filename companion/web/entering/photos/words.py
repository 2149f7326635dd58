"""The sentences of the scripts that read photographs, as JSON: a page fetches them when its camera is first used.

What stands in braces is filled in by the scripts.
"""

from __future__ import annotations

from typing import Any

from flask import url_for

from companion.engine.messages import Message
from companion.engine.pieces.sets import PieceSet

from ...text.language import say


def words_for(pieces: PieceSet[Any]) -> dict[str, object]:
    """Return what the scripts say of a set's hands: of one, in the viewfinder (`live`) and of the `table`."""
    noun, nouns = map(Message, pieces.noun)
    return {
        "help": url_for("help.photo"),
        "label": say("Photo of {player}'s hand", player="{player}"),
        "reading": say("Reading the photo…"),
        "replace": say(
            "{player} has all the {nouns}. Replace them with the photographed hand?", player="{player}", nouns=nouns
        ),
        "unsure": say("{piece}, unsure", piece="{piece}"),
        "more": say("{piece}, not in the hand", piece="{piece}"),
        "unread": say("A {noun} that couldn't be read", noun=noun),
        "use": say("Use this hand"),
        "again": say("New photo"),
        "second": say("Second photo"),
        "which": say("Which one is it?"),
        "drop": say("Cancel"),
        "how": say("How to take the photo"),
        "live": _of_viewfinder(nouns),
        "table": _of_table(),
    }


def _of_viewfinder(nouns: Message) -> dict[str, str]:
    some, size = "{n}", "{size}"
    return {
        "title": say("Hold it over the hand"),
        "whose": say("Hand of {player}", player="{player}"),
        "allow": say("Allow the camera when your browser asks."),
        "look": say("Come closer until the hand fills the picture."),
        "some": say("{n} of {size} {nouns} read. All of them must be in sight.", n=some, size=size, nouns=nouns),
        "all": say("All {size} {nouns} read. Hold still.", size=size, nouns=nouns),
        "many": say("There are more than {size} {nouns} in the picture. Show only this hand.", size=size, nouns=nouns),
        "dark": say("It's too dark. Turn on a lamp, or go where there is more light."),
        "busy": say("Other photos are being read. This continues in a moment."),
        "away": say(
            "No connection, so nothing can be read. This continues when it is back; or stop and tap the {nouns}.",
            nouns=nouns,
        ),
        "enough": say("It isn't read by itself. Tap “Take photo”, or stop and tap the {nouns}.", nouns=nouns),
        "hidden": say("The camera was turned off while you were elsewhere."),
        "refused": say(
            "Your browser doesn't let this page use the camera. Choose a photo, or allow the camera in the "
            "browser's settings and reload the page."
        ),
        "none": say("No camera was found. Choose a photo, or tap the {nouns}.", nouns=nouns),
        "taken": say(
            "The camera doesn't start. If another app uses it, close that app and try again; or choose a photo."
        ),
        "shoot": say("Take photo"),
        "restart": say("Try again"),
        "still": say("Choose a photo"),
        "stop": say("Stop"),
    }


def _of_table() -> dict[str, str]:
    number, players = "{number}", "{players}"
    return {
        "label": say("All hands in one picture"),
        "none": say("No hand"),
        "hand": say("Hand {number}", number=number),
        "whose": say("Whose hand"),
        "use": say("Use these hands"),
        "arrange": say("Wrong hand? Tap a card to move it, or draw a line between two hands."),
        "place": say("{piece} in hand {number}: move it", piece="{piece}", number=number),
        "count": say("Hand {number}: {n}", number=number, n="{n}"),
        "uncut": say("This line parts no hands. Draw it all the way between two of them."),
        "undo": say("Undo"),
        "twice": say(
            "Hand {number} is given to {players}. Choose another one for the others.", number=number, players=players
        ),
        "nothing": say("Choose a hand for at least one player."),
        "replace": say("{players}: the hand is full already. Replace it with the photographed one?", players=players),
        "nobody": say("No hand is left to read: all are face down or out of the round."),
        "filled": say("Hands filled in. Check them before you settle."),
    }
