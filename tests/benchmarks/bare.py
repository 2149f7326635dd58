"""The minimal cost of a web app like this: Flask, SQLAlchemy and WTForms on SQLite, and a round with five entries.

`python bare.py PORT FILE` serves it with the app's server.
"""

from __future__ import annotations

import socket
import sys
from typing import Any

from flask import Flask, jsonify, redirect, render_template, request
from flask_sqlalchemy import SQLAlchemy
from flask_wtf import FlaskForm
from jinja2 import DictLoader
from sqlalchemy import event, select
from sqlalchemy.orm import selectinload
from wtforms import IntegerField, SelectField, StringField
from wtforms.validators import InputRequired, Length, NumberRange

from companion.serve.server.server import Listener, run

PLAYERS = ["Ana", "Beto", "Caro", "Dani", "Eva"]
PAGE = """<!doctype html><html lang=en><title>{{ title }}</title><meta name=viewport content="width=device-width">
<h1>{{ title }}</h1><table>{% for r in rows %}<tr><td>{{ r[0] }}<td>{{ r[1] }}<td>{{ r[2] }}</tr>{% endfor %}</table>
<form method=post action=/add>{{ csrf }}<input name=what><input name=amount><button>Add</button></form></html>"""

db: Any = SQLAlchemy()


class Round(db.Model):  # type: ignore[misc]
    """A round that was played."""

    id = db.Column(db.Integer, primary_key=True)
    what = db.Column(db.String)
    entries = db.relationship("Entry", back_populates="round")


class Entry(db.Model):  # type: ignore[misc]
    """A player's result in a round."""

    id = db.Column(db.Integer, primary_key=True)
    round_id = db.Column(db.ForeignKey("round.id"), index=True)
    player = db.Column(db.Integer)
    amount = db.Column(db.Integer)
    round = db.relationship(Round, back_populates="entries")

    def __str__(self) -> str:
        return f"{PLAYERS[self.player]} {self.amount:+d}"


class RoundForm(FlaskForm):  # type: ignore[misc]
    """The form for a round."""

    what = StringField(validators=[InputRequired(), Length(max=80)])
    payer = SelectField(choices=dict(enumerate(PLAYERS)), coerce=int)
    amount = IntegerField(validators=[InputRequired(), NumberRange(0, 10**6)])


def make_app(file: str) -> Flask:
    """Make the app with a hundred rounds."""
    app = Flask(__name__)
    app.jinja_loader = DictLoader({"page.html": PAGE})
    app.config.update(SECRET_KEY="bare", WTF_CSRF_TIME_LIMIT=None, SQLALCHEMY_DATABASE_URI=f"sqlite:///{file}")
    db.init_app(app)
    with app.app_context():
        event.listen(db.engine, "connect", _set_pragmas)
        db.create_all()
        if db.session.scalar(select(Round.id).limit(1)) is None:
            db.session.add_all([_round(f"round {at}", at % 5, at % 97) for at in range(100)])
            db.session.commit()
    for rule, view in (("/", _home), ("/list", _list)):
        app.add_url_rule(rule, view_func=view)
    for rule, view in (("/add", _add), ("/note", _note), ("/api/settle", _echo)):
        app.add_url_rule(rule, view_func=view, methods=["POST"])
    return app


def _set_pragmas(connection: Any, _record: object) -> None:
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=FULL")


def _round(what: str, payer: int, amount: int) -> Round:
    entries = [Entry(player=player, amount=amount * (4 if player == payer else -1)) for player in range(5)]
    return Round(what=what, entries=entries)


def _home() -> str:
    rows = [(name, at, 0) for at, name in enumerate(PLAYERS)]
    return render_template("page.html", title="Rounds", rows=rows, csrf=RoundForm().csrf_token())


def _list() -> str:
    newest = select(Round).options(selectinload(Round.entries)).order_by(Round.id.desc()).limit(20)
    told = (
        (round, [f"{PLAYERS[e.player]} {e.amount:+d}" for e in round.entries]) for round in db.session.scalars(newest)
    )
    rows = [(round.id, round.what, ", ".join(entries)) for round, entries in told]
    return render_template("page.html", title="Rounds", rows=rows, csrf=RoundForm().csrf_token())


def _add() -> Any:
    form = RoundForm()
    if not form.validate_on_submit():
        return str(form.errors), 422
    db.session.add(_round(form.what.data, form.payer.data, form.amount.data))
    db.session.commit()
    return redirect("/list", 303)


def _note() -> Any:
    """Write as little as possible: one column of one row."""
    if not FlaskForm().validate_on_submit():
        return "", 422
    db.session.get(Round, 1).what = request.form["what"]
    db.session.commit()
    return redirect("/list", 303)


def _echo() -> Any:
    document = request.get_json()
    return jsonify(net=dict.fromkeys(document["players"], 0), transfers=[], winners=document["players"][:1])


if __name__ == "__main__":
    run(make_app(sys.argv[2]), [Listener(socket.create_server(("127.0.0.1", int(sys.argv[1]))))], is_behind_proxy=False)
