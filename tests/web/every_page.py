"""Every page of the app in its different states, with made-up tables; used by tests and `tests/show.py`.

A browser can open all of them: `?shown=NAME` returns the response to a form, or an error's page with status 200;
`?unfolded` opens what is collapsed.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from typing import Any, NamedTuple

from devices import HANDS, SECRET, Device, PlayedNight
from flask import Flask, abort
from pages import as_posted
from programs import token_of
from sample_rounds import GONE, ROUNDS, WITH_HANDS, changed
from werkzeug.test import Client, EnvironBuilder
from werkzeug.wrappers import Request, Response
from years import make_years

from companion.contract.naming import renamed
from companion.games import all_games
from companion.store.groups import groups, links, seasons
from companion.store.night import play
from companion.store.refusals import Sent

LANGUAGES, THEMES = ("en", "es"), ("light", "dark")
REFUSED = ("error ", "wrong ", "overtaken ")  # how the names of views begin that may have another status than 200
STATUSES = (400, 403, 404, 405, 409, 413, 415, 429, 500, 503)
LONG = ("Maximiliana de la Cruz", "Guadalupe", "José Ángel", "Ñ", "Concepción Villanueva-Etxeberria", "Xóchitl")
FAMILY = "Los domingos de la familia Fernández-Villanueva"
# they answer with no page: JSON, files, or the way to another page
NO_PAGES = {"static", "night.end_picture", "groups.open_link", "health.alive", "health.ready", "pwa.manifest"}
NO_PAGES |= {"pwa.worker", "draft.enter", "draft.state", "import_export.download", "single_round.live_reading"}
NO_PAGES |= {"correction.live", "photo.words", "api.games", "api.openapi", "api.play_bets", "api.progress_of_round"}
NO_PAGES |= {"api.settle_round", "seasons.picture", "next_night.calendar", "reminders.choose"}
PHOTOS = {"photo.of_next_round", "photo.of_single_round", "photo.of_correction"}  # JSON for the page's script

# results with parts that others don't have: what they have, the game, and what is changed in its sample round
_MORE_RESULTS: dict[str, tuple[str, dict[str, Any]]] = {
    "points": ("knock-rummy", {"rules": {"total": 500}, "round.kept": {"Ana": 440, "Beto": 120}}),
    "a total": ("knock-rummy", {"rules": {"total": 500}, "round.kept": {"Ana": 472, "Beto": 120}}),
    "false openers": (
        "five-card-draw",
        {
            "rules": {"openers": "pair-of-jacks", "false_openers_cost": 2},
            "round.false_openers": ["Beto"],
            "round.hands.Beto": GONE,
        },
    ),
    "a foul hand": (
        "knock",
        {"round.foul": ["Beto"], "round.mucked": ["Caro"], "round.hands.Beto": GONE, "round.hands.Caro": GONE},
    ),
}


class View(NamedTuple):
    """A page in some state: the phone that opens it, and what was posted to get it (None: it was just opened)."""

    name: str
    path: str
    phone: str = "keeper"
    fields: dict[str, Any] | str | None = None  # or as a JSON document

    @property
    def is_answer(self) -> bool:
        """Whether the page can't be reached by opening its own address."""
        return self.fields is not None or self.name.startswith("error ")


def opened(start: str, here: str, paths: Iterable[str], phone: str = "keeper") -> Iterator[View]:
    """List pages that are just opened, named by their paths."""
    for path in paths:
        yield View(f"{start} {re.sub(r'/|[?](game=)?', ' ', path).strip()}".strip(), here + path, phone)


class Site:
    """The app with all its tables: `views` are its pages, `answers` all else it sends, `devices` the phones by name."""

    def __init__(self, app: Flask) -> None:
        self.app = app
        self.app.add_url_rule("/error/<int:status>", view_func=lambda status: abort(status))
        self.devices: dict[str, Device] = {}
        nights = (
            self._night,
            self._stacks,
            self._five,
            self._family,
            self._years,
            self._handed_over,
            self._eight,
            self._four,
        )
        self.views = [*self._public(), *self._demo(), *(view for night in nights for view in night())]
        self.answers = [*self._answers()]
        self._inner, self.app.wsgi_app = self.app.wsgi_app, self._shown  # type: ignore[method-assign]

    def address(self, view: View, *, unfolded: bool = False) -> str:
        """Return a view's path."""
        more = [f"shown={view.name.replace(' ', '+')}"] * view.is_answer + ["unfolded"] * unfolded
        return view.path.lstrip("/") + ("&" if "?" in view.path else "?") * bool(more) + "&".join(more)

    def cookie(self, phone: str, language: str, theme: str) -> str:
        """Return the cookie of a phone with a language and theme."""
        device = self.devices[phone]
        device.does("/phone", language=language, theme=theme, suits="four")
        cookie = device.client.get_cookie("session")
        assert cookie is not None
        return cookie.value

    def endpoints(self) -> set[tuple[str, str]]:
        """List which of the app's views are covered, by method and endpoint."""
        adapter = self.app.url_map.bind("localhost")
        covered = [*self.views, *self.answers]
        methods = [(view.path.partition("?")[0], "GET" if view.fields is None else "POST") for view in covered]
        return {(method, adapter.match(path, method)[0]) for path, method in methods}

    def _shown(self, environ: Any, start_response: Any) -> Iterable[bytes]:
        request = Request(environ)
        asked = (request.args.get("shown"), request.path)
        view = next((view for view in self.views if (view.name, view.path.partition("?")[0]) == asked), None)
        if view is None and "unfolded" not in request.args:
            return self._inner(environ, start_response)
        path, _, query = (view.path if view else request.path).partition("?")
        is_unfolded = "unfolded" in request.args
        passed = ("Cookie", "User-Agent", *["Accept-Encoding"][is_unfolded:])
        headers = {name: request.headers[name] for name in passed if name in request.headers}
        posted = {} if view is None or view.fields is None else {"method": "POST", "data": view.fields}
        query = query if view else request.query_string.decode()
        builder = EnvironBuilder(path, request.host_url, query_string=query, headers=headers, **posted)
        answer = Client(self._inner, use_cookies=False).open(builder)
        assert answer.status_code == 200 or view is None or view.name.startswith(REFUSED), view
        html = answer.data.replace(b"<details", b"<details open") if is_unfolded else answer.data
        kept = [pair for pair in answer.headers if pair[0] not in ("Content-Length", "Set-Cookie", "Retry-After")]
        return Response(html, 200, kept)(environ, start_response)

    # ---- the tables

    def _public(self) -> Iterator[View]:
        """The pages of somebody who isn't in any group."""
        self.devices["stranger"] = stranger = Device(self.app)
        paths = ("/", "/games", "/help/", "/help/photo", "/join", "/phone", "/groups/new", "/groups/import", "/offline")
        yield from opened("first visit", "", paths, "stranger")
        stranger.get("/join")
        sent = {"csrf_token": stranger.page("/join").fields["csrf_token"][0], "key": "a key"}
        yield View("wrong code", "/join", "stranger", {**sent, "code": "XXXXXX"})
        yield View("code of a link gone", "/join/XXXXXX", "stranger")
        yield View("old form", "/phone", "stranger", {})
        group = {**sent, "secret": "x" * 30, "name": "", "player": ["Ana", "Ana", "", "Y" * 101], "do": "make"}
        yield View("wrong group", "/groups/new", "stranger", group)
        yield View("wrong import", "/groups/import", "stranger", {**sent, "secret": "x" * 30})
        yield View("wrong demo", "/demo", "stranger", {})
        for key in all_games():
            yield View(f"help {key}", f"/help/{key}", "stranger")
            if key in WITH_HANDS:
                yield View(f"card {key}", f"/help/{key}/card", "stranger")
            yield View(f"settle {key}", f"/settle/{key}", "stranger")
            fields = {**as_posted(stranger.client, ROUNDS[key]), "do": "settle"}
            yield View(f"settled {key}", f"/settle/{key}", "stranger", fields)
            first = next(iter(ROUNDS[key]["round"].get("hands", ())), None)
            bad = {f"round.hands.{first}": "Xx 9s 9s"} if first else {"round.pays.Ana": "Xx"}
            wrong = changed(key, {**bad, "dealer": "Ana", "stake": 0})
            fields = {**as_posted(stranger.client, wrong), "do": "settle", "rules-ante": "many"}
            yield View(f"wrong {key}", f"/settle/{key}", "stranger", fields)
        deck = {**as_posted(stranger.client, ROUNDS["dompe"]), "rules-deck": "spanish-48", "do": "rules"}
        yield View("spanish cards", "/settle/dompe", "stranger", {**deck, "players-0-hand": "1o 10o 11c 12e 5b"})
        acts = {**as_posted(stranger.client, ROUNDS["draw-poker"]), "betting": "yes", "rules-all_in": "y", "do": "act"}
        yield View("bets", "/settle/draw-poker", "stranger", {**acts, "bets": "bet 4;raise 8"})
        for what, (key, changes) in _MORE_RESULTS.items():
            fields = {**as_posted(stranger.client, changed(key, changes)), "do": "settle"}
            yield View(f"settled with {what}", f"/settle/{key}", "stranger", fields)
        for status in STATUSES:
            yield View(f"error {status}", f"/error/{status}", "stranger")

    def _demo(self) -> Iterator[View]:
        """The public demo."""
        self.devices["demo"] = phone = Device(self.app)
        here = phone.does("/demo", secret="secret-of-the-demo")
        yield View("demo night", here, "demo")
        yield View("demo home", "/", "demo")

    def _night(self) -> Iterator[View]:
        """An open night of all games with a draft, and everything that can go wrong in it."""
        night = PlayedNight(self.app)
        ana, beto, _ = night.players.values()
        keeper, here, group = night.keeper, night.night, night.group
        for document in ROUNDS.values():
            self._book(night, document)
        keeper.does(f"{here}/move", movement="loan", from_=ana, to=beto, amount="5", note="for the taxi")
        keeper.does(f"{here}/cost", what="Pizza", payer=ana, for_=[ana, beto], amount="48.01", currency="EUR")
        keeper.does(f"{here}/lines/2/remark", remark="the dog ate a card")
        keeper.does(f"{here}/note", place="Beto's kitchen", note="Caro brought the cake.")
        keeper.does(f"{here}/lines/3", do="void", seen="1")
        tuesday = {"name": "Tuesday rules", "rules-deck": "spanish-40", "rules-yuca": "y", "rules-ante": "2"}
        rules = {"rules-outright_bonus": "0", "rules-suits": "diamonds-first", "rules-equal_hands": "wild-then-suit"}
        keeper.does(f"{group}/rules/new?game=dompe", **tuesday, **rules, do="save")
        fields = keeper.page(f"{here}/lines/1/correct").fields | {"asked-knocker": ["1"], "do": ["save"]}
        keeper.does(f"{here}/lines/1/correct", **fields)
        self.devices |= {"keeper": keeper, "beto": night.joined("Beto"), "joined": Device(self.app)}
        self.devices["joined"].get(f"/join/{night.code()}")
        self.devices["looker"] = Device(self.app)
        self.devices["looker"].open(night.links()["look"])
        entered = {"number": str(len(ROUNDS) + 3), "key": "draft"}
        night.types(self.devices["beto"], players_1_hand=HANDS["Beto"], **entered)
        night.types(keeper, players_0_hand="9s 9h", players_2_dropped="y", **entered)
        keeper.post(f"{group}/tokens", label="Telegram bot", access="look", do="make")
        self.token = token_of(night, "keep", "Scorekeeping robot")
        keeper.does(f"{group}/tokens", do="revoke-1")
        for at in range(3):
            keeper.post(f"{group}/webhooks", url=f"https://bot{at}.example.org/", events="round.saved", do="make")
        keeper.does(f"{group}/webhooks", do="revoke-1")
        keeper.does(f"{group}/webhooks", do="pause-2")
        keeper.does(f"{group}/webhooks", do="test-3")
        keeper.does(f"{group}/players", do="pin", **{"new-pin": "2468"})

        last = [str(len(ROUNDS) + 1), str(len(ROUNDS) + 2)]
        lines = [f"/lines/{line}" for line in ("1", "2", "3", *last, "1/void", "1/undo", "1/correct")]
        rounds = ("/round", *(f"/round?game={game}" for game in ROUNDS if game not in ("knock", "knock-poker")))
        more = ("/settle", "/settle?costs=EUR", "/cost", "/pictures", "/print", "/rules", "/rules?game=dompe")
        more = (*more, "/games", "/games?for=rules")
        tabs = ("", "/rounds", "/money", "/people", "/close")
        yield from opened("night", here, (*tabs, "/changes", *lines, *rounds, *more))
        yield View("my hand", f"{here}/round", "beto")
        yield View("my game without hands", f"{here}/round?game=any-game", "beto")
        yield View("who are you", f"{here}/me", "joined")
        yield View("night looked at", here, "looker")
        yield View("night people looked at", f"{here}/people", "looker")
        yield View("table view", f"{here}/table", "looker")
        yield View("home", "/")
        yield View("phone", "/phone")
        yield from opened("group", group, ("", "/people", "/settings", "/rules", "/tokens", "/webhooks"))
        yield View("hand over", f"{group}/hand-over")
        yield View("wrong hand over", f"{group}/hand-over", fields={"do": "hand-over"})
        yield View("group rules new", f"{group}/rules/new?game=draw-poker")
        yield View("group rules change", f"{group}/rules/1")
        friday = date.today() + timedelta(days=7)
        keeper.does(f"{group}/next", day=f"{friday}", time="20:00", place="Beto's", do="set", **{"last-round": "01:00"})
        keeper.does(f"{group}/next", do=f"yes-{ana}")
        yield View("next night", f"{group}/next")
        yield View("next night looked at", f"{group}/next", "looker")
        card = "/help/dompe/card?deck=spanish-40&yuca=true&outright_bonus=2&name=Tuesday%20rules"
        yield View("card of house rules", card, "stranger")
        yield View("help of house rules", card.replace("/card", ""), "stranger")
        yield View("card of wrong rules", "/help/dompe/card?deck=tarot", "stranger")
        yield View("group to delete", f"{group}/delete")
        yield View("group searched", f"{group}?since=soon&player={ana}")
        yield View("group looked at", group, "looker")

        sent = {"csrf_token": keeper.page("/phone").fields["csrf_token"], "key": "a key"}
        act = {**sent, "seen": "0"}
        yield View("wrong tonight", f"{group}/tonight", fields={**sent, "do": "start", "game": "", "currency": "EUR"})
        yield View("wrong player", f"{group}/players", fields={**sent, "do": "add", "name": "ana"})
        yield View("wrong PIN", f"{group}/links", fields={**sent, "do": "renew-look", "pin": "1"})
        yield View("wrong webhook", f"{group}/webhooks", fields={**sent, "url": "bot", "do": "make"})
        yield View("wrong token", f"{group}/tokens", fields={**sent, "label": "Bot", "do": "make", "pin": "1"})
        yield View("wrong PIN at deleting", f"{group}/delete", fields={**sent, "pin": "1"})
        yield View("wrong PIN at closing", f"{here}/close", fields={**sent, "do": "leave", "pin": "1"})
        yield View("overtaken void", f"{here}/lines/1", fields={**act, "do": "void"})
        yield View("overtaken free seat", f"{here}/phones", fields={**sent, "do": f"free-{ana}"})
        yield View("wrong seats", f"{here}/seats", fields={**sent, "do": "new", "newcomer": "ana"})
        wrong = {"movement": "loan", "from": ana, "to": ana, "amount": "1.5", "note": "x"}
        cost = {"what": "other", "line": str(len(ROUNDS) + 2)}
        keeper.does(f"{here}/paid-by", player=ana, kind="clabe", text="032180000118359719")
        keeper.does(f"{here}/paid-by", player=ana, kind="iban", text="DE89 3704 0044 0532 0130 00")
        yield View("paid by", f"{here}/paid-by?player={ana}")
        yield View("leaving", f"{here}/leave?player={beto}")
        yield View("my leaving", f"{here}/leave", "beto")
        yield View("wrong leaving", f"{here}/leave", fields={**sent, "player": beto, "do": "left"})
        keeper.does(f"{here}/settle", costs="EUR")
        plan = keeper.page(f"{here}/settle?costs=EUR").html.partition('action="/plans/')[2].partition('"')[0]
        yield View("payment", f"/plans/{plan}/0")
        iban = {"player": ana, "kind": "iban", "text": "DE88 3704"}
        yield View("wrong paid by", f"{here}/paid-by", fields={**sent, **iban})
        yield View("wrong cost", f"{here}/cost", fields={**sent, **cost})
        yield View("wrong move", f"{here}/move", fields={**sent, **wrong})
        yield View("wrong rules", f"{here}/rules", fields={**sent, "do": "set", "game": "knock", "rules-ante": "many"})
        yield View("wrong next night", f"{group}/next", fields={**sent, "day": "soon", "do": "set"})
        yield View(
            "wrong name of rules",
            f"{group}/rules/new?game=dompe",
            fields={**sent, **tuesday, **rules, "do": "save", "rules-ante": "3"},
        )
        yield View(
            "wrong change of rules",
            f"{group}/rules/1",
            fields={**sent, **tuesday, **rules, "name": "", "do": "save"},
        )
        yield View("rules that are gone", f"{here}/rules", fields={**sent, "do": "use-99", "game": "dompe"})
        yield View("old note", f"{here}/note", fields={"place": "here", "note": "there"})
        yield View("knock to confirm", f"{here}/play", fields={**sent, "do": f"knocks-{ana}", "game": "knock-poker"})
        yield View("wrong at the table", f"{here}/play", fields={**sent, "do": f"stay-{ana}", "sure": "yes"})
        yield View("old remark", f"{here}/lines/2/remark", fields={"remark": "here"})
        yield View("old who are you", f"{here}/me", "joined", {"player": "0"})
        stakes = f"{here}/stakes?game=knock-rummy"
        yield View("wrong stake", stakes, fields={**sent, "do": "own", "stake": "1/10", "seen": "all=2"})
        yield View("old payments", f"{here}/payments-by", fields={"moves": "chips", "number": "1"})
        yield View("old dealer's choice", f"{here}/dealers-choice", fields={"do": "on"})
        hands = {f"players-{seat}-hand": [hand] for seat, hand in enumerate(HANDS.values())}
        form = night.round_fields(keeper) | hands | {"asked-knocker": ["0"], "csrf_token": sent["csrf_token"]}
        del form["players-2-dropped"]
        yield View("settled in the night", f"{here}/round", fields={**form, "do": "settle"})
        yield View("overtaken save", f"{here}/round", fields={**form, "number": "1", "do": "save"})
        fields = {**keeper.page(f"{here}/lines/1/correct").fields, "asked-knocker": ["0"], "do": ["settle"]}
        yield View("correction", f"{here}/lines/1/correct", fields=fields)
        yield View("overtaken correction", f"{here}/lines/1/correct", fields={**fields, "seen": "1", "do": "save"})

        ready = PlayedNight(self.app, secret="secret-of-a-round-that-is-ready-to-be-saved")
        self.devices["ready"] = ready.keeper
        ready.types(ready.keeper, asked_knocker="0", **{f"players_{at}_hand": h for at, h in enumerate(HANDS.values())})
        yield View("night begun", ready.night, "ready")
        yield View("table view while played", f"{ready.night}/table", "ready")
        yield View("ready to save", f"{ready.night}/round", "ready")

    def _stacks(self) -> Iterator[View]:
        """An open night with stacks in which two are out, one bought more, and the chips do not match."""
        night = PlayedNight(self.app, secret="secret-of-a-night-with-stacks-of-chips", **{"buy-in": "3"})
        keeper = self.devices["stacks"] = night.keeper
        here, sent = night.night, {"csrf_token": keeper.page("/phone").fields["csrf_token"], "key": "a key"}
        night.books()
        keeper.does(f"{here}/rebuy", player=night.players["Beto"], chips="300")
        keeper.does(f"{here}/rebuy", player=night.players["Ana"], chips="100000")
        reds = {"value-white": "1", "number-white": "100", "value-red": "5", "number-red": "60"}
        keeper.does(f"{night.group}/chips", **reds, **{"value-blue": "25", "number-blue": "40"})
        yield View("chips by colour", f"{night.group}/chips", "stacks")
        yield View("wrong chips", f"{night.group}/chips", "stacks", {**sent, **reds, "value-red": "1"})
        paths = ("", "/money", "/round?game=domino-poker", "/close", "/count", "/settle", "/print", "/lines/2")
        yield from opened("stacks", here, paths, "stacks")
        yield View("wrong stack", f"{here}/buy-in", "stacks", {**sent, "buy-in": "0"})
        yield View("wrong rebuy", f"{here}/rebuy", "stacks", {**sent, "player": "x", "chips": "none"})
        counts = {
            f"count-{player}": units
            for player, units in zip(night.players.values(), ("100005", "307", "0"), strict=True)
        }
        yield View("wrong count", f"{here}/count", "stacks", {**sent, "number": "4"})
        yield View("count compared", f"{here}/count", "stacks", {**sent, **counts, "number": "4", "do": "compare"})
        told = re.findall(r'for="(count-\w+)".*?should have ([\d,]+)', keeper.get(f"{here}/count").text, re.DOTALL)
        held = {field: int(units.replace(",", "")) for field, units in told}
        one, other, *_ = held
        moved = {**held, one: held[one] - 1, other: held[other] + 1, "number": "4", "do": "compare"}
        yield View("count to record", f"{here}/count", "stacks", {**sent, **moved})

    def _five(self) -> Iterator[View]:
        """An open night of five with long names and stacks of six digits, after a round."""
        five = self.devices["five"] = Device(self.app)
        names = ["Y", LONG[0], "É", LONG[1], "Eva"]
        group = five.does("/groups/new", name="Five", player=names, secret="secret-of-five-with-high-stacks", do="make")
        seats = five.page(group).fields["order"]
        here = five.does(
            f"{group}/tonight", order=seats, player=seats, game="knock-poker", do="start", **{"buy-in": "400000"}
        )
        hands = ["9s 9h 9d 4c 4d", "Ah Kh 8h 5h 3h", "8c 8d Js 7d 4h", "Ac Kc Qd Td 7c", "2s 3s 6c 9c Qh"]
        typed = {f"players-{seat}-hand": [hand] for seat, hand in enumerate(hands)}
        form = five.page(f"{here}/round").fields | typed | {"asked-knocker": ["0"], "do": ["save"]}
        five.does(f"{here}/round", **form)
        yield from opened("five", here, ("", "/round", "/money", "/people", "/lines/1"), "five")
        yield View("five on a table view", f"{here}/table", "five")

    def _eight(self) -> Iterator[View]:
        """A screen beside eight players who play for money, each of whom pays the same."""
        eight = self.devices["eight"] = Device(self.app)
        names = ["Ana", "Beto", "Concepción", "Dani", "Maximiliana", "Fernanda", "Guadalupe", "Hugo"]
        group = eight.does("/groups/new", name="Eight", player=names, secret="secret-of-eight-in-pesos", do="make")
        seats = eight.page(group).fields["order"]
        chosen = {"game": "knock-poker", "currency": "MXN", "stake": "2.50", "do": "start"}
        here = eight.does(f"{group}/tonight", order=seats, player=seats, **chosen)
        hands = ["9s 9h 9d 4c 4d", "Ah Kh 8h 5h 3h", "2c 2d 7s 8s Ts", "8c 8d Js 7d 4h"]
        hands += ["Qs Qd Qc 3s 5s", "As Ks Jd Td 9c", "Ac Kc Jc Tc 4s", "Ad Kd 6d 5d 6s"]
        typed = {f"players-{seat}-hand": [hand] for seat, hand in enumerate(hands)}
        form = eight.page(f"{here}/round").fields | typed | {"asked-knocker": ["0"], "do": ["save"]}
        eight.does(f"{here}/round", **form)
        yield View("eight on a table view", f"{here}/table", "eight")

    def _four(self) -> Iterator[View]:
        """An open night of four with stacks in euros, of a game whose result can be entered in two ways."""
        night = PlayedNight(
            self.app, "knock", "secret-of-four-who-play-for-euros", currency="EUR", stake="0.50", **{"buy-in": "19.50"}
        ).plays("new Dani")
        self.devices["four"] = night.keeper
        yield View("four in euros", f"{night.night}/round", "four")

    def _handed_over(self) -> Iterator[View]:
        """A group whose score is kept elsewhere."""
        night = PlayedNight(self.app, secret="secret-of-a-group-handed-over")
        self.devices["handed over"] = night.keeper
        night.books()
        night.does("{group}/hand-over", do="hand-over")
        yield from opened("handed over", night.night, ("", "/rounds", "/money", "/people"), "handed over")
        yield from opened("handed over group", night.group, ("", "/hand-over"), "handed over")
        yield View("error handed over", f"{night.night}/round", "handed over")

    def _family(self) -> Iterator[View]:
        """A closed night in pesos with many people with long names, half settled."""
        family = self.devices["family"] = Device(self.app)
        secret = "secret-of-the-family-with-long-names"
        group = family.does("/groups/new", name=FAMILY, player=list(LONG), secret=secret, do="make")
        seats = family.page(group).fields["order"]
        chosen = {"game": "knock", "currency": "MXN", "stake": "1234.50", "do": "start"}
        here = family.does(f"{group}/tonight", order=seats, player=seats, **chosen)
        hands = ["5s Qh 7d Ac 2s", "Ks Kh 2d 3c 4s", "5h Qd Qc 5c 5d"]
        hands += ["Kd 9h 9d 9c 3s", "Js Jh Jd 2h 3h", "8s 8h 8d 4h 6h"]
        typed = {f"players-{seat}-hand": [hand] for seat, hand in enumerate(hands)}
        for knocker in "012":
            form = family.page(f"{here}/round").fields | typed | {"asked-knocker": [knocker], "do": ["save"]}
            family.does(f"{here}/round", **form)
        family.does(f"{here}/close", do="split")
        family.does(f"{here}/settle")
        plan = family.page(f"{here}/settle")
        pay = next(action for action in plan.all("form", "action") if "/plans/" in action)
        family.does(pay, do="pay-0", **{"amount-0": plan.fields["amount-0"]})
        family.does(pay, do="pay-1", **{"amount-1": "10"})
        second = family.does(f"{group}/tonight", do="again")
        yield View("family round", f"{second}/round", "family")
        yield View("family seats", f"{second}/people", "family")
        tabs = ("", "/rounds", "/money", "/people", "/close")
        more = ("/end", "/settle", "/pictures", "/lines/1", "/lines/1/correct")
        yield from opened("family night", here, (*tabs, *more), "family")
        yield from opened("family group", group, ("", "/leaderboard", f"/players/{seats[0]}"), "family")
        sent = {"csrf_token": family.page("/phone").fields["csrf_token"], "key": "a key"}
        yield View("wrong payment", pay, "family", {**sent, "do": "pay-1", "amount-1": "lots"})
        yield View("old plan", f"{here}/settle", "family", {})
        yield View("old plan of all", f"{group}/settle", "family", {"currency": "MXN"})

    def _years(self) -> Iterator[View]:
        """Two years of nights."""
        self.devices["years"] = phone = Device(self.app)
        secret = links.new_secret()
        with self.app.app_context():
            group = make_years(secret, 24, 480)
            newest = groups.nights_of(group, None, 1)[0].public_id
            here, player = f"/g/{group.public_id}", group.players[0].id
            months = seasons.months_to_close(group, "2099-12")
        assert phone.open(secret) == 303
        paths = ("", "/leaderboard", "/leaderboard?game=knock&since=soon", f"/players/{player}", "/settle")
        for name, by, until in (("Spring", "net", months[6]), ("Summer", "wins", months[1])):
            phone.does(f"{here}/seasons", name=name, decides=by, until=until, do="close")
        paths = (*paths, "/seasons", "/seasons/1", "/seasons/2", "/seasons/3")
        yield from opened("years", here, paths, "years")
        sent = {"csrf_token": phone.page("/phone").fields["csrf_token"], "key": "a key"}
        yield View("wrong season", f"{here}/seasons", "years", {**sent, "name": "spring", "do": "close"})
        yield View("years pictures", f"/s/{newest}/pictures", "years")
        yield View("years night", f"/s/{newest}", "years")

    def _answers(self) -> Iterator[View]:
        """JSON, files, and the way to other pages."""
        views = {view.name: view for view in self.views}
        for path in (
            "/api/games",
            "/photo/words/dompe",
            "/photo/words/domino-poker",
            "/api/openapi.json",
            "/healthz",
            "/readyz",
            "/worker.js",
            f"/open/{SECRET}",
        ):
            yield View(f"answer {path.strip('/')}", path, "stranger")
        for key, document in ROUNDS.items():
            for what in ("settle", "progress"):
                yield View(f"answer api {what} {key}", f"/api/{what}", "stranger", json.dumps(document))
            if all_games()[key].betting_rounds:
                begun = changed(key, {"round.paid": GONE, "round.folded": GONE, "round.bets": []})
                yield View(f"answer api betting {key}", "/api/betting", "stranger", json.dumps(begun))
            for name in (f"settled {key}", f"wrong {key}"):
                yield View(f"answer live {name}", f"/settle/{key}/live", "stranger", views[name].fields)
        correction = views["correction"]
        yield View("answer live correction", correction.path.replace("correct", "live"), fields=correction.fields)
        for name, phone in (("night", "keeper"), ("night", "beto"), ("night", "looker"), ("night begun", "ready")):
            yield View(f"answer state {phone}", f"{views[name].path}/state", phone)
        for name in ("group", "family group", "years"):
            for file in ("group.json", "rounds.csv", "transfers.csv"):
                yield View(f"answer export {name} {file}", f"{views[name].path}/export/{file}", views[name].phone)
        yield View("answer picture of a season", f"{views['years'].path}/seasons/2/picture.svg", "years")
        yield View("answer calendar", f"{views['group'].path}/next.ics")
        yield View("answer picture of the end", f"{views['family night'].path}/end.svg", "family")
        for code in ("en", "es"):
            yield View(f"answer manifest {code}", f"/manifest/{code}.webmanifest", "stranger")

    def _book(self, night: PlayedNight, document: dict[str, Any]) -> None:
        """Save a round of the night, by players' names."""
        with self.app.app_context():
            public_id = night.night.removeprefix("/s/")
            session = play.find_night(public_id)
            assert session is not None
            number = play.next_number(session)
            whole = renamed({"rules": {}, "stake": 1, **document}, night.players)
            play.save_round(public_id, number, whole, Sent(f"r {number}", "Ana's phone"))


def pages_of(app: Flask) -> set[tuple[str, str]]:
    """List the routes that return a page, by method and endpoint."""
    every = app.url_map.iter_rules()
    # test_rights_of_tokens.py walks the API for nights
    rules = [rule for rule in every if rule.endpoint not in NO_PAGES and not rule.endpoint.startswith("api_v1.")]
    return {(method, rule.endpoint) for rule in rules for method in {"GET", "POST"} & (rule.methods or set())}
