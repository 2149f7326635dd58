"""Tokens of programs: found until they are revoked, made once, and their last use stored once a minute."""

from __future__ import annotations

from datetime import timedelta

import pytest
from nights import PlayedNight
from sqlalchemy import update

from companion.store.db.database import execute, transaction
from companion.store.groups import deleting, tokens
from companion.store.models import Group, SentForm, db
from companion.store.portable import export_group
from companion.store.refusals import Refused


def labels(group: Group) -> list[tuple[str, bool]]:
    return [(token.label, token.revoked_at is not None) for token in tokens.tokens_of(group)]


def test_a_token_is_found_until_it_is_revoked_or_its_group_is_gone(night: PlayedNight) -> None:
    group = night.group
    for label in ("Bot", "Screen"):
        tokens.make_token(group, f" {label} ", "keep", f"secret of {label}", f"key {label}")
    tokens.make_token(group, "Bot", "keep", "another secret", "key Bot")  # the form came again
    assert labels(group) == [("Screen", False), ("Bot", False)]
    bot, screen = tokens.find_token("secret of Bot"), tokens.find_token("secret of Screen")
    assert bot is not None and screen is not None
    assert (bot.group, bot.access, tokens.find_token("another secret")) == (group, "keep", None)
    for _ in range(2):
        tokens.revoke_token(group, bot.id)
    assert labels(group) == [("Screen", False), ("Bot", True)]
    assert (tokens.find_token("secret of Bot"), tokens.find_token("")) == (None, None)
    assert b"Screen" not in export_group(group.public_id)
    deleting.delete_group(group, "key")
    assert (labels(group), tokens.find_token("secret of Screen")) == ([], None)


@pytest.mark.parametrize("label", ["", "  ", "\u200b", "two\nlines", "x" * 41])
def test_a_token_says_what_it_is_for(night: PlayedNight, label: str) -> None:
    with pytest.raises(Refused, match="such as “Telegram bot”"):
        tokens.make_token(night.group, label, "look", "secret", "key")
    assert labels(night.group) == []


def test_a_group_has_a_limited_number_of_tokens(night: PlayedNight) -> None:
    group = night.group
    for at in range(tokens.MAX_TOKENS):
        tokens.make_token(group, "Bot", "look", f"secret {at}", f"key {at}")
    with pytest.raises(Refused, match="revoke one first"):
        tokens.make_token(group, "Bot", "look", "secret", "key")
    assert db.session.scalar(db.select(SentForm).where(SentForm.key == "key")) is None
    tokens.revoke_token(group, tokens.tokens_of(group)[3].id)
    tokens.make_token(group, "One more", "look", "secret", "key")
    assert labels(group)[0] == ("One more", False)


def test_the_last_use_is_stored_once_a_minute(night: PlayedNight) -> None:
    tokens.make_token(night.group, "Bot", "look", "secret", "key")

    def used() -> object:
        token = tokens.find_token("secret")
        assert token is not None
        tokens.note_use(token)
        db.session.expire_all()
        return token.used_at

    first = used()
    assert first is not None
    assert used() == first
    token = tokens.find_token("secret")
    assert token is not None
    for moved in (-timedelta(seconds=61), timedelta(seconds=61)):  # or the clock was set back
        with transaction():
            execute(update(type(token)).values(used_at=first + moved))
        assert used() > first
