"""What lies under and over the pieces: tables of wood, cloth and marble, fingers, and a phone's camera."""

from __future__ import annotations

import math
import random

import cv2
import numpy as np
from numpy.typing import NDArray

Light = NDArray[np.float32]
CLOTHS = [
    (20, 90, 50),
    (15, 60, 40),
    (30, 60, 130),
    (120, 20, 30),
    (60, 60, 60),
    (180, 140, 90),
    (90, 60, 40),
    (210, 205, 195),
    (15, 15, 18),
    (240, 240, 240),
]
SKIN = [(240, 200, 170), (225, 175, 140), (190, 135, 100), (140, 95, 70), (90, 60, 45)]


def table(side: int, rng: random.Random, noise: np.random.Generator) -> Light:
    """Lay a table top."""
    base = np.array(rng.choice(CLOTHS) if rng.random() < 0.4 else [rng.randint(5, 240) for _ in range(3)], np.float32)
    top = np.ones((side, side, 3), np.float32) * (base + noise.normal(0, 8, 3).astype(np.float32))
    kind = rng.random()
    if kind < 0.3:
        _wood(top, rng, noise)
    elif kind < 0.4:
        _marble(top, rng, noise)
    elif kind < 0.5:
        _woven(top, rng)
    for cell in (4, 9, 20, 48):
        strength = rng.uniform(0, 20) if rng.random() < 0.6 else 0
        colors = 1 if rng.random() < 0.7 else 3
        grain = noise.normal(0, 1, (max(2, side // cell), max(2, side // cell), colors)).astype(np.float32) * strength
        grain = cv2.resize(grain, (side, side), interpolation=cv2.INTER_CUBIC)
        top += grain if grain.ndim == 3 else grain[..., None]
    top = np.ascontiguousarray(np.clip(top, 0, 255))
    if rng.random() < 0.35:
        plain = top.astype(np.uint8)
        _clutter(plain, rng)
        top = plain.astype(np.float32)
    return top


def _turned(texture: Light, degrees: float) -> Light:
    side = texture.shape[0]
    turn = cv2.getRotationMatrix2D((side / 2, side / 2), degrees, 1.5)
    return cv2.warpAffine(texture, turn, (side, side), borderMode=cv2.BORDER_REFLECT)


def _wood(top: Light, rng: random.Random, noise: np.random.Generator) -> None:
    side = top.shape[0]
    grain = np.repeat(noise.normal(0, 1, (side, 1)).astype(np.float32), side, 1)
    grain = cv2.GaussianBlur(grain, (1, rng.choice([3, 5, 9])), 0)
    planks = np.zeros_like(grain)
    if rng.random() < 0.4:
        for y in range(rng.randint(0, 40), side, rng.randint(30, 70)):
            planks[y : y + rng.randint(1, 3)] = 1
    angle = rng.uniform(0, 180)
    top += _turned(grain, angle)[..., None] * rng.uniform(5, 28)
    top *= 1 - _turned(planks, angle)[..., None] * rng.uniform(0.3, 0.9)


def _marble(top: Light, rng: random.Random, noise: np.random.Generator) -> None:
    side = top.shape[0]
    cloud = cv2.resize(noise.normal(0, 1, (6, 6)).astype(np.float32), (side, side), interpolation=cv2.INTER_CUBIC)
    ramp = np.linspace(0, rng.uniform(8, 30), side, dtype=np.float32)
    veins = 1 - np.abs(np.sin(_turned(np.repeat(ramp[None], side, 0), rng.uniform(0, 180)) + cloud * 2))
    top += (veins[..., None] ** 6) * rng.uniform(-90, 90)


def _woven(top: Light, rng: random.Random) -> None:
    side, step = top.shape[0], rng.uniform(2, 9)
    waves = np.sin(np.arange(side, dtype=np.float32) * 2 * np.pi / step)
    pattern = waves[:, None] * (waves[None] if rng.random() < 0.6 else 1)
    top += _turned(pattern.astype(np.float32), rng.uniform(0, 180))[..., None] * rng.uniform(4, 30)


def _clutter(top: NDArray[np.uint8], rng: random.Random) -> None:
    side = top.shape[0]
    for _ in range(rng.randint(2, 25)):
        color = [rng.randint(0, 255) for _ in range(3)]
        at, t = (rng.randint(0, side), rng.randint(0, side)), rng.random()
        if t < 0.3:
            cv2.circle(top, at, rng.randint(2, 40), color, rng.choice([-1, 1, 3]))
        elif t < 0.55:
            cv2.line(top, at, (rng.randint(0, side), rng.randint(0, side)), color, rng.randint(1, 8))
        elif t < 0.75:
            text = "".join(rng.choice("AKQJ1098abcdeTghk") for _ in range(rng.randint(1, 5)))
            cv2.putText(top, text, at, rng.choice([0, 2, 3, 4]), rng.uniform(0.3, 1.4), color, rng.randint(1, 3))
        else:
            corners = [[at[0] + rng.randint(-50, 50), at[1] + rng.randint(-50, 50)] for _ in range(rng.randint(3, 6))]
            cv2.fillPoly(top, [np.array(corners, np.int32)], color)


def finger(picture: Light, cover: NDArray[np.bool_], rng: random.Random) -> None:
    """Hold a finger or a thumb over the picture; `cover` is set where it hides what lies below."""
    side = picture.shape[0]
    angle, wide = rng.uniform(0, 2 * math.pi), rng.randint(10, 26)
    tip = (rng.randint(0, side), rng.randint(0, side))
    root = (int(tip[0] + 2 * side * math.cos(angle)), int(tip[1] + 2 * side * math.sin(angle)))
    mask = np.zeros((side, side), np.float32)
    cv2.line(mask, tip, root, 1.0, wide, cv2.LINE_AA)
    tone = np.array(rng.choice(SKIN), np.float32) * rng.uniform(0.7, 1.1)
    shade = cv2.GaussianBlur(mask, (0, 0), wide / 3)[..., None]
    soft = cv2.GaussianBlur(mask, (0, 0), 1.0)[..., None]
    picture *= 1 - 0.4 * shade
    picture[:] = picture * (1 - soft) + tone * (0.55 + 0.45 * shade) * soft
    cover |= mask > 0.5


def glare(picture: Light, rng: random.Random) -> None:
    """Mirror a lamp in the varnish: a spot, or a long window."""
    side = picture.shape[0]
    light = np.zeros((side, side), np.float32)
    at = (rng.randint(0, side), rng.randint(0, side))
    axes = (rng.randint(6, 45), rng.randint(6, 25))
    cv2.ellipse(light, at, axes, rng.uniform(0, 180), 0, 360, 1.0, -1)
    picture += cv2.GaussianBlur(light, (0, 0), rng.uniform(2, 14))[..., None] * rng.uniform(30, 190)


def shadow(picture: Light, rng: random.Random) -> None:
    """Darken a part of the picture, as a hand or the phone before the lamp does."""
    side = picture.shape[0]
    dark = np.zeros((side // 4, side // 4), np.float32)
    points = [[rng.randint(-side // 8, side * 3 // 8), rng.randint(-side // 8, side * 3 // 8)] for _ in range(4)]
    cv2.fillPoly(dark, [cv2.convexHull(np.array(points, np.int32))], 1.0)
    dark = cv2.resize(cv2.GaussianBlur(dark, (0, 0), rng.uniform(0.5, 6)), (side, side))
    picture *= 1 - dark[..., None] * rng.uniform(0.2, 0.6)


def photograph(picture: Light, size: float, rng: random.Random, noise: np.random.Generator) -> NDArray[np.uint8]:
    """Take the picture as a phone would: uneven warm light, focus, motion, noise, JPEG. `size` is the rank's height."""
    side = picture.shape[0]
    for _ in range(rng.choice([0, 0, 0, 0, 1, 1, 2])):
        glare(picture, rng)
    if rng.random() < 0.25:
        shadow(picture, rng)
    across = np.linspace(rng.uniform(0.55, 1.2), rng.uniform(0.55, 1.2), side, dtype=np.float32)
    down = np.linspace(rng.uniform(0.7, 1.15), rng.uniform(0.7, 1.15), side, dtype=np.float32)
    warm = rng.uniform(0, 0.6) if rng.random() < 0.4 else 0.0
    tint = np.array(
        [rng.uniform(0.85, 1.15), rng.uniform(0.88, 1.05) - warm * 0.25, rng.uniform(0.75, 1.15) - warm], np.float32
    )
    picture = picture * across[:, None, None] * down[None, :, None] * tint
    dim = rng.random() < 0.16
    light = rng.uniform(0.2, 0.6) if dim else rng.uniform(0.5, 1.08)
    picture = 255 * np.clip(picture / 255, 0, 1) ** rng.uniform(0.7, 1.35) * light
    kind = rng.random()
    if kind < 0.5:
        picture = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.3, max(0.5, min(2.6, size * 0.09))))
    elif kind < 0.65:
        picture = _shaken(picture, rng.randint(2, max(3, int(size * 0.24))), rng.uniform(0, 180))
    elif kind < 0.8:
        soft = cv2.GaussianBlur(picture, (0, 0), rng.uniform(0.7, 1.5))
        picture = picture + (picture - soft) * rng.uniform(0.3, 1.6)  # a phone's sharpening
    strength = rng.uniform(0.2, 0.9) if dim else rng.uniform(0, 1) ** 2
    picture = picture + noise.normal(0, 11 * strength, (side, side, 1)) + noise.normal(0, 7 * strength, (side, side, 3))
    taken = np.clip(picture, 0, 255).astype(np.uint8)
    if rng.random() < 0.6:
        coded = cv2.imencode(".jpg", taken, [cv2.IMWRITE_JPEG_QUALITY, rng.randint(30, 92)])[1]
        taken = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    return taken


def _shaken(picture: Light, length: int, degrees: float) -> Light:
    kernel = np.zeros((length, length), np.float32)
    kernel[length // 2] = 1.0 / length
    kernel = cv2.warpAffine(
        kernel, cv2.getRotationMatrix2D(((length - 1) / 2, (length - 1) / 2), degrees, 1), (length, length)
    )
    return cv2.filter2D(picture, -1, kernel / max(float(kernel.sum()), 0.2))
