"""Static files. Their URLs contain a hash of the content, so browsers can cache them for a year.

A style sheet is served with its `@import`s inlined and without nested rules, and a script with its parts: `hands.js`
starts with the modules in `hands/`. A script's other imports remain, and get URLs with hashes.
"""

from __future__ import annotations

import hashlib
import mimetypes
import posixpath
import re
from collections.abc import Iterable
from functools import cache

from flask import Flask, Response, abort, current_app, g, request, url_for
from markupsafe import Markup, escape

from . import compression
from .nesting import unnested
from .snapshot import read_all

_ENDPOINT = "static"
_TYPES = mimetypes.MimeTypes()  # Python's own table; the Windows registry may declare scripts as plain text
_TYPES.add_type("text/javascript", ".js")  # Python 3.11 still has the obsolete type
_HASH_DIGITS = 12
_FOR_A_YEAR = "public, max-age=31536000, immutable"
_ASK_EACH_TIME = "no-cache"  # the response is 304 while the file is unchanged
_STYLES = re.compile(rb"@import'\./([a-z_/]+\.css)';")
# comments, spaces next to punctuation and in selectors (but not around the + of a sum, nor as an empty value), the last
# semicolon of a rule
_CSS_EXTRAS = re.compile(
    rb"(?sm)/\*.*?\*/\s*|^[ ]+|(?<=[;,{}>~/])\s|(?<=:)\s(?!;)|(?<=@import)[ ]|[ ](?=[{}>~/])|^\n|;(?=\s*\})"
    rb"|[ ](?=\+[ ][^;{}]*\{)|(?<=\+)[ ](?=[^;{}]*\{)"
)
_CARD = """<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 96 72">
<rect width="96" height="72" rx="8" fill="#d5e7ef"/>
<rect x="32" y="13" width="32" height="46" rx="4" fill="#fff" stroke="#00000033"/>
<text x="48" y="45" text-anchor="middle" font-family="sans-serif" font-weight="700" font-size="24" fill="#14181a">\
{letter}</text></svg>"""
# our scripts have each `import` and `export … from` on one line
_IMPORT = re.compile(rb"(?m)^(?:import|export) \{ (.+) \} from '(\.[./a-z_]+)'\r?\n")
_SCRIPT, _PRELOAD = Markup('<script type="module" src="{}"></script>'), Markup('<link rel="modulepreload" href="{}">')
_JS_EXTRAS = re.compile(rb"(?m)^ *//.*\n|^ +")  # comments, and the space before a line: no text has a second line


def init_app(app: Flask) -> None:
    """Add hashes to the URLs of static files, and compress responses."""
    app.url_defaults(_add_hash)
    app.view_functions[_ENDPOINT] = _serve
    app.jinja_env.globals.update(picture=picture, scripts=scripts)
    compression.init_app(app)
    read_all(str(app.static_folder))


def _serve(filename: str) -> Response:
    folder = str(current_app.static_folder)
    read = content(folder, filename)
    if read is None:
        abort(404)
    response = Response(read, mimetype=_TYPES.guess_type(filename)[0])
    response.set_etag(str(_hash(folder, filename)))
    response.make_conditional(request)
    return response


def _add_hash(endpoint: str, values: dict[str, object]) -> None:
    if endpoint == _ENDPOINT and "v" not in values:
        values["v"] = _hash(str(current_app.static_folder), str(values.get("filename")))


def content(folder: str, name: str) -> bytes | None:
    """Return a file with its imports processed for the browser; None if there is no such file."""
    # without looking a name up first, every name that somebody makes up would be remembered
    return _read(folder, name) if name in read_all(folder) else None


@cache
def _read(folder: str, name: str) -> bytes:
    if name.endswith(".js"):
        return _with_parts(folder, name)
    read = read_all(folder)[name]
    if not name.endswith(".css"):
        return read
    base = posixpath.dirname(name)  # an import's path is relative to it
    flat = unnested(_CSS_EXTRAS.sub(b"", read).decode()).encode()
    return _STYLES.sub(lambda match: _read(folder, posixpath.join(base, match[1].decode())), flat)


def _with_parts(folder: str, name: str) -> bytes:
    """Return a script without comments and indentation, after its parts in the order in which they are imported.

    As one file they share one scope: imports between them are dropped, and all other imports are merged.
    """
    parts, imports = _read_script(folder, name)
    base = posixpath.dirname(name)
    heads = (
        b"import { %s } from './%s?v=%s'\n"
        % (b", ".join(names), posixpath.relpath(file, base).encode(), str(_hash(folder, file)).encode())
        for file, names in imports.items()
    )
    return b"".join([*heads, *parts.values()])


@cache
def _read_script(folder: str, name: str) -> tuple[dict[str, bytes], dict[str, dict[bytes, None]]]:
    """Return a script's parts and then itself, by file, and the names that they import from other scripts, by file."""
    parts: dict[str, bytes] = {}
    imports: dict[str, dict[bytes, None]] = {}

    def add(file: str) -> None:
        read = read_all(folder)[file]
        for names, path in _IMPORT.findall(read):
            imported = posixpath.normpath(posixpath.join(posixpath.dirname(file), path.decode()))
            if posixpath.dirname(imported) != name.removesuffix(".js"):
                imports.setdefault(imported, {}).update(dict.fromkeys(names.split(b", ")))
            elif imported not in parts:
                add(imported)  # first, because it runs first
        parts[file] = _JS_EXTRAS.sub(b"", _IMPORT.sub(b"", read))

    add(name)
    return parts, imports


def scripts(*names: str) -> Markup:
    """Return the tags that load a page's scripts. What these import is preloaded, instead of one after the other.

    What the page has loaded already is left out.
    """
    folder, loaded = str(current_app.static_folder), g.setdefault("loaded_scripts", [])
    asked = [file for file in (f"scripts/{name}.js" for name in names) if file not in loaded]
    files = list(asked)
    for file in files:  # gets longer in the loop, by what the scripts import and what that imports
        files += [part for part in _read_script(folder, file)[1] if part not in files and part not in loaded]
    loaded += files
    addresses = [url_for(_ENDPOINT, filename=file) for file in files]
    runs = [_SCRIPT.format(address) for address in addresses[: len(asked)]]
    return Markup("\n").join([*runs, *map(_PRELOAD.format, addresses[len(asked) :])])


def digest(contents: Iterable[bytes]) -> str:
    """Return a short hash of several files' contents."""
    return hashlib.sha256(b"".join(contents)).hexdigest()[:_HASH_DIGITS]


@cache
def _hash(folder: str, name: str) -> str | None:
    """Return the hash of a file's content; None if there is no such file."""
    read = content(folder, name)
    return digest([read]) if read is not None else None


def is_part(path: str) -> bool:
    """Return whether a path is that of a page's style sheet or script, which is no document and starts no worker."""
    return path.startswith("/static/") and path.endswith((".css", ".js"))


def cache_control(response: Response) -> str | None:
    """Return the Cache-Control header if this response is a static file, otherwise None.

    A URL with a different hash comes from an older or newer page, so its response isn't cached.
    """
    if request.endpoint != _ENDPOINT or response.status_code not in (200, 304) or request.view_args is None:
        return None
    asked = request.args.get("v")
    if asked and asked == _hash(str(current_app.static_folder), request.view_args["filename"]):
        return _FOR_A_YEAR
    return _ASK_EACH_TIME


def picture(name: str) -> Markup:
    """Inline a picture from `static/pictures` into the page, which saves a request.

    If there is none, draw a card with the first letter of the name.
    """
    read = content(str(current_app.static_folder), f"pictures/{name}.svg")
    drawn = read.decode() if read else _CARD.format(letter=escape(name[:1].upper()))
    return Markup(drawn.replace("<svg ", '<svg class="picture" aria-hidden="true" ', 1))
