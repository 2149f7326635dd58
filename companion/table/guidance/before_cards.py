"""What comes next before the cards: who chooses the game, who begins it, and all of a game without hands."""

from __future__ import annotations

from companion.engine.messages import Message
from companion.engine.players import PlayerKey
from companion.games import all_games

from ..hand import HandInPlay
from ..steps import KEEPER, Button, Look, NextStep


def begins(hand: HandInPlay, player: PlayerKey) -> Message:
    """Say who deals, and that a player begins where one does."""
    text = {
        "first": "{dealer} deals, {player} begins",
        "all-at-once": "{dealer} deals, all decide at once",
        "unknown": "{dealer} deals",
    }[hand.game.beginning]
    return Message(text, dealer=hand.dealer, player=player)


def choosing(hand: HandInPlay, me: PlayerKey | None, look: Look) -> NextStep:
    """Ask the dealer for the game; the scorekeeper may choose it too, for a dealer without a phone."""
    dealer = hand.chooser
    assert dealer is not None
    said = Message("You choose the game") if me == dealer else Message("{player} chooses the game", player=dealer)
    menu = Button("games", Message("Choose the game"))
    if me == dealer or look == "keeper":
        return NextStep("deal", said, dealer, menu, None, () if me == dealer else (dealer, KEEPER))
    return NextStep("deal", said, dealer, None, menu if look == "host" else None, (dealer, KEEPER))


def of_other_game(hand: HandInPlay, *, chooses: bool) -> NextStep:
    """Say what the table plays, on a page of another game; who chooses may change it until the hand has begun."""
    name = Message(all_games()[hand.round.played_game].name)
    back = Button("table", Message("Back to {game}", game=name))
    main = Button("game", Message("Play {game} next", game=Message(hand.game.name)))
    said = Message("The table plays {game}", game=name)
    return NextStep("stopped", said, None, main if chooses and not hand.is_on_phones else back, waits_for=(KEEPER,))


def too_few_players(hand: HandInPlay, *, keeps: bool) -> NextStep:
    """Ask for more players; who sits where is the scorekeeper's."""
    text = "{game} needs {least} players; {n} is here"
    several = "{game} needs {least} players; {n} are here"
    values = {"game": Message(hand.game.name), "least": hand.game.seats[0], "n": len(hand.players)}
    main = Button("people", Message("Players")) if keeps else None
    return NextStep("stopped", Message(text, several, **values), None, main, waits_for=(KEEPER,))


def without_hands(hand: HandInPlay, *, keeps: bool) -> NextStep:
    """Ask for the result: nothing else is entered of such a game."""
    said = begins(hand, hand.order[0]) if hand.order else Message("Who won?")
    main = Button("hands", Message("Enter who won")) if keeps else None
    text = "The scorekeeper enters who won." if hand.keeper is None else "{player} enters who won."
    note = None if keeps else Message(text, player=hand.keeper)
    return NextStep("playing", said, hand.dealer, main, None, (KEEPER,), note)
