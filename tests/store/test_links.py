"""Secret links: what each opens, how they are renewed, and that the database contains no secrets."""

from __future__ import annotations

import pytest
from nights import PlayedNight

from companion.store.groups import groups, links
from companion.store.groups.links import Access
from companion.store.models import Group, Link, db

RIGHTS: tuple[Access, ...] = ("keep", "play", "look")


def make(secret: str = "the secret") -> Group:
    return groups.make_group("Friday", ["Ana", "Beto"], secret)


def secrets_of(group: Group, keep: str) -> dict[Access, str]:
    return {"keep": keep, **links.lesser_secrets(group, keep)}


def rights(secrets: dict[Access, str]) -> list[str | None]:
    """Return the right each secret gives now; None if it opens nothing."""
    found = [links.find_link(secret) for secret in secrets.values()]
    return [link.access if link else None for link in found]


def test_a_group_has_a_link_for_each_right(app: object) -> None:
    secrets = secrets_of(make(), "the secret")
    assert list(secrets) == list(RIGHTS)
    assert rights(secrets) == list(RIGHTS)
    assert len(set(secrets.values())) == 3
    assert all(groups.open_group(secret) is not None for secret in secrets.values())


def test_a_link_of_an_earlier_version_is_still_shown(app: object) -> None:
    assert links.lesser_secrets(make(), "the secret") == {
        "play": "p6b25e0d1607e8478b676d7a6a6f4bf90657cb8ce",
        "look": "l312035e7d5c006322f3d9d9bf3da83cfcdbef7ff",
    }


# which link is renewed, and the rights that the old secrets then have
RENEWALS: list[tuple[Access, list[str | None]]] = [
    ("keep", [None, None, None]),
    ("play", ["keep", None, "look"]),
    ("look", ["keep", "play", None]),
]


@pytest.mark.parametrize(("access", "left"), RENEWALS, ids=[row[0] for row in RENEWALS])
@pytest.mark.parametrize("times", [1, 3])
def test_a_renewed_link_shuts_the_old_one_out(app: object, access: Access, left: list[str | None], times: int) -> None:
    group, keep = make(), "the secret"
    for _ in range(times):
        old = secrets_of(group, keep)
        keep = links.renew(group, access, keep)
        assert rights(old) == left
        new = secrets_of(group, keep)
        assert rights(new) == list(RIGHTS)
        renewed = [right for right in RIGHTS if old[right] != new[right]]
        assert renewed == (list(RIGHTS) if access == "keep" else [access])


def test_a_link_that_was_renewed_comes_never_back(app: object) -> None:
    group = make()
    seen = {secrets_of(group, "the secret")["look"]}
    for number in range(2, 6):
        links.renew(group, "look", "the secret")
        seen.add(secrets_of(group, "the secret")["look"])
        assert len(seen) == number


@pytest.mark.parametrize(("access", "is_new"), [("keep", True), ("play", True), ("look", False)])
def test_a_renewed_link_gives_nights_other_codes_and_phones_read_them(
    night: PlayedNight, access: Access, is_new: bool
) -> None:
    night.do("close")
    nights = [night.night, night.another()]
    before = [(night.join_code, night.version) for night in nights]
    links.renew(night.group, access, "the secret")
    db.session.expire_all()
    renewed = [night.join_code != code for night, (code, _) in zip(nights, before, strict=True)]
    told = [night.version - version for night, (_, version) in zip(nights, before, strict=True)]
    assert (renewed, told) == ([is_new] * 2, [int(is_new)] * 2)
    assert [night.join_code is None for night in nights] == [is_new, False]  # the first one is closed


def test_another_groups_links_stay(app: object) -> None:
    one, other = make(), make("another")
    links.renew(one, "keep", "the secret")
    assert rights(secrets_of(other, "another")) == list(RIGHTS)


def test_a_lesser_link_does_not_tell_the_greater_one(app: object) -> None:
    group = make()
    lesser = links.lesser_secrets(group, "the secret")
    for access, secret in lesser.items():
        assert rights(links.lesser_secrets(group, secret)) == [None, None], access


@pytest.mark.parametrize("wrong", ["", " ", "the secret ", "The secret", "\ud800", "\x00", "x" * 5000], ids=ascii)
def test_what_is_no_secret_opens_nothing(app: object, wrong: str) -> None:
    make()
    assert links.find_link(wrong) is None


def test_the_database_holds_only_hashes(app: object) -> None:
    secrets = secrets_of(make(), "the secret")
    rows = db.session.execute(db.select(Link.__table__)).all()
    assert len(rows) == 3
    assert not any(secret in str(rows) for secret in secrets.values())
    for link in db.session.scalars(db.select(Link)):
        assert links.find_link(link.secret_hash) is None


def test_a_group_of_before_gets_its_lesser_links_when_they_are_made(app: object) -> None:
    group = make()
    for link in list(group.links):
        if link.access != "keep":
            db.session.delete(link)
    db.session.commit()
    db.session.expire_all()
    assert links.lesser_secrets(group, "the secret") == {}
    links.renew(group, "look", "the secret")
    db.session.expire_all()
    assert list(links.lesser_secrets(group, "the secret")) == ["look"]
    assert rights(links.lesser_secrets(group, "the secret")) == ["look"]
