"""What the shell says before the app itself can: each sentence in every language of the pages."""

from __future__ import annotations

from companion.engine.messages import Message, Words

# keys are what the shell's script asks for
_SENTENCES = {
    "setting": Message("Setting the table"),
    "once": Message("Only this once. Then it opens at once, without a network too."),
    "bytes": Message("{done} of {all} MB"),
    "size": Message("{all} MB"),
    "seconds": Message("about {n} s"),
    "minutes": Message("about {n} min"),
    "calculator": Message("The calculator"),
    "games": Message("The games and their pages"),
    "ready": Message("The first start"),
    "when": Message("Keep it when all is here"),
    "set": Message("The table is set"),
    "here": Message("{all} MB, all here. No network needed."),
    "works": Message("All here, works without a network"),
    "keep": Message("Keep it on this phone"),
    "keep-how": Message("an icon beside your other apps, opens without a bar"),
    "only": Message("Your nights live here only"),
    "only-how": Message("nobody else has them; a lost phone or a private window loses them"),
    "menu": Message(
        "Open your browser's menu and tap “Add to Home screen” or “Install”; on an iPhone it is under Share."
    ),
    "start": Message("Start a night"),
    "python": Message("Starting Python"),
    "app": Message("Preparing the app; this takes longest the first time"),
    "data": Message("Opening your nights"),
    "no-worker": Message(
        "This browser can't keep the app: it has no service worker here. Open the address with https, not in a private "
        "window, in a current Chrome, Edge, Firefox or Safari."
    ),
    "no-storage": Message(
        "This browser can't keep your nights on this phone. Leave the private window, or open the address in a current "
        "Chrome, Edge, Firefox or Safari."
    ),
    "full": Message("This phone has no room for the app: {needed} MB are needed, {free} MB are free."),
    "offline": Message("The app isn't on this phone yet. Connect to the internet once and open this page again."),
    "wrong": Message("The app could not be started. Nothing of yours was changed."),
    "newer": Message(
        "Your nights are of a newer version of the app. Connect to the internet and open this page again."
    ),
    "damaged": Message("The file of your nights is damaged. Nothing was changed."),
    "again": Message("Try again"),
    "broken": Message("The connection broke off before all was here. Try again."),
    "host-missing": Message(
        "The host has no {file} (it answers {status}). Whoever runs it puts the whole folder there, built for this "
        "path."
    ),
    "host-size": Message(
        "The host sends {got} bytes as {file} instead of {size}: half of it, or another page. Whoever runs it puts the "
        "whole folder there again."
    ),
    "host-type": Message("The host sends {file} as “{type}”. Whoever runs it sets the type of .js to text/javascript."),
    "lost": Message("Your nights are gone from this phone"),
    "lost-how": Message(
        "The browser has deleted them, for room or with its other data. If you have saved a copy, import it."
    ),
    "lost-now": Message("All begins anew here"),
    "import": Message("Import a copy"),
    "go-on": Message("Go on"),
    "no-room": Message("This phone is full"),
    "no-room-how": Message(
        "What you enter can't be saved. Delete photos, videos or apps, and try again. You can go on to look at your "
        "nights."
    ),
}


def words(catalogue: Words) -> dict[str, str]:
    """Return the sentences in a language; places for values are in braces."""
    return {key: catalogue.gettext(message.template) for key, message in _SENTENCES.items()}
