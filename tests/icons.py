"""Generates the installed app's icons from `static/icons/icon.svg`: `.venv/bin/python tests/icons.py`."""

from __future__ import annotations

from pathlib import Path

from browser import chromium

ICON_FOLDER = Path(__file__).parents[1] / "static" / "icons"
# file, pixels, and how large the drawing is where its ground goes to the edges; None for the icon as it is
ICONS = (
    ("icon-192.png", 192, None),
    ("icon-512.png", 512, None),
    ("icon-maskable.png", 512, 0.8),
    ("icon-touch.png", 180, 0.9),
)


def drawn(svg: str, pixels: int, scale: float | None) -> str:
    """Return the icon at a size; icons that fill the square are cropped by phones to their own shape."""
    if scale is not None:
        ground, rest = svg.replace(' rx="14"', "", 1).split("/>", 1)
        drawing = rest.removesuffix("</svg>\n").removesuffix("</svg>")
        svg = f'{ground}/><g transform="translate(32 32) scale({scale}) translate(-32 -32)">{drawing}</g></svg>'
    return svg.replace("<svg ", f'<svg style="display:block" width="{pixels}" height="{pixels}" ', 1)


def main() -> None:
    """Render the icon in all sizes."""
    svg = (ICON_FOLDER / "icon.svg").read_text()
    with chromium() as browser:
        for name, pixels, scale in ICONS:
            page = browser.new_page(viewport={"width": pixels, "height": pixels})
            page.set_content(f'<body style="margin:0">{drawn(svg, pixels, scale)}')
            page.screenshot(path=ICON_FOLDER / name, omit_background=True)
            print(name, (ICON_FOLDER / name).stat().st_size)


if __name__ == "__main__":
    main()
