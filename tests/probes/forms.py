"""The forms on a page: what a browser would post if nobody touched them."""

from __future__ import annotations

from dataclasses import dataclass, field
from html.parser import HTMLParser


@dataclass
class Form:
    """A form's URL, its fields with their values, and its buttons."""

    action: str
    fields: dict[str, list[str]] = field(default_factory=dict)
    buttons: list[str] = field(default_factory=list)

    def named(self, end: str) -> list[str]:
        """List the fields whose names end with a suffix, in page order."""
        return [name for name in self.fields if name.endswith(end)]


class _Reader(HTMLParser):
    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._select = ""
        self._inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        about = {name: value or "" for name, value in attrs}
        if tag == "form":
            self.forms.append(Form(about.get("action", "")))
            self._inside = True
        if not self._inside:
            return
        fields = self.forms[-1].fields
        if tag == "input" and about.get("name"):
            filled = fields.setdefault(about["name"], [])
            if about.get("type") not in ("checkbox", "radio") or "checked" in about:
                filled.append(about.get("value", ""))
        elif tag == "textarea":
            fields.setdefault(about["name"], [""])
        elif tag == "select":
            self._select = about["name"]
            fields[self._select] = []
        elif tag == "option" and ("selected" in about or not fields[self._select]):
            fields[self._select] = [about.get("value", "")]
        elif tag == "button" and about.get("name") == "do":
            self.forms[-1].buttons.append(about.get("value", ""))

    def handle_endtag(self, tag: str) -> None:
        if tag == "form":
            self._inside = False


def forms_of(html: str) -> list[Form]:
    """Parse a page's forms."""
    reader = _Reader()
    reader.feed(html)
    return reader.forms


def form_with(html: str, button: str) -> Form:
    """Return the form that has a button."""
    return next(form for form in forms_of(html) if button in form.buttons)
