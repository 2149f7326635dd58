"""Train the network that finds corners, and the one that looks again, together on a GPU while scenes are being drawn.

    python tests/camera/training/train_second.py --shards SHARDS --out OUT --weights companion/camera/weights-3.npz \
        --seconds 560 --begin 0 --end 0.5

What the first finds is what the second learns to judge, so it sees its mistakes. `--begin` and `--end` say which part
of the schedule this call is; it goes on from OUT/state.pt. With --only tiles the network for tiles is trained alone.
The shards of --unseen, drawn with fonts that aren't in the others, tell how well it does.
"""

from __future__ import annotations

import argparse
import math
import random
import threading
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from export import arrays_of, folded, layers, unfolded
from network import CARD_LAYERS, CARD_SIZE, CARD_UP, PIPS, RANK, SUIT, TILE_LAYERS, TILE_SIZE, TILE_UP, Network
from second import CORNER, FACE, RANK_HEIGHT, Second
from torch import Tensor, nn
from torch.nn import functional

SIDE, GROUPS = 256, 4
SIDES = (256, 256, 192, 320)  # few, so that the fastest way for each shape is found once
SPOTS = 96  # looked at again in each group
MIN_SEEN = {0: (0.3, 0.25), 1: (0.4, 0.4)}
SURE = {0: (0.6, 0.5), 1: (0.7, 0.7)}
# as in companion.camera.outlines: what the corners' marks leave of a card, and what both add to their distance
ACROSS, ALONG, MARK = 0.78, 0.91, 1.9
INNER = (0.36, 0.42)  # half of the width and height of what is seen of a face, in widths and heights of the card


class Store:
    """Scenes on the GPU; a thread reads shards as they are finished."""

    def __init__(self, folder: Path, most: int, device: torch.device, consume: bool = False) -> None:
        self.folder, self.device, self.count, self.names = folder, device, 0, set[str]()
        self.consume, self.next = consume, 0
        self.pictures = torch.empty((most, SIDE, SIDE, 3), dtype=torch.uint8, device=device)
        self.labels = torch.full((most, 32, 16), -1.0, device=device)
        self.stopped = False

    def read(self) -> None:
        """Read what is new."""
        for file in sorted(self.folder.glob("labels_*.npy")):
            if file.name in self.names or self.stopped:
                continue
            self.names.add(file.name)
            drawn = file.with_name(file.name.replace("labels", "pictures"))
            labels, pictures = torch.from_numpy(np.load(file)), torch.from_numpy(np.load(drawn))
            n = len(labels)
            if self.next + n > len(self.labels):
                if not self.consume:
                    return
                self.next = 0  # in place of the oldest
            self.pictures[self.next : self.next + n] = pictures.to(self.device)
            self.labels[self.next : self.next + n] = labels.to(self.device)
            self.next += n
            self.count = max(self.count, self.next)
            if self.consume:
                drawn.unlink()
                file.unlink()

    def keep_reading(self) -> None:
        """Look for new shards until stopped."""
        while not self.stopped:
            self.read()
            time.sleep(1)


def batch(store: Store, size: int, quarters: int, side: int, colors: bool) -> tuple[Tensor, Tensor]:
    """Choose scenes; give them turned by quarters, resized to a side and coloured, and their labels."""
    at = torch.randint(store.count, (size,), device=store.device)
    pictures = store.pictures[at].permute(0, 3, 1, 2).float() / 255
    labels = store.labels[at].clone()
    pictures = torch.rot90(pictures, quarters, (2, 3))
    for _ in range(quarters):
        for x, y, ux, uy in ((3, 4, 5, 6), (10, 11, 12, 13)):
            a, b = labels[..., x].clone(), labels[..., y].clone()
            labels[..., x], labels[..., y] = b, SIDE - 1 - a
            a, b = labels[..., ux].clone(), labels[..., uy].clone()
            labels[..., ux], labels[..., uy] = b, -a
    if side != SIDE:
        scale = side / SIDE
        pictures = functional.interpolate(pictures, size=(side, side), mode="bilinear", antialias=True)
        for column in (3, 4, 10, 11):
            labels[..., column] = (labels[..., column] + 0.5) * scale - 0.5
        labels[..., 7] *= scale
        labels[..., 14] *= scale
    if colors:
        shape, u = (size, 3, 1, 1), torch.rand
        gain = (0.85 + 0.33 * u(shape, device=store.device)) * (0.7 + 0.55 * u((size, 1, 1, 1), device=store.device))
        middle = pictures.mean((1, 2, 3), keepdim=True)
        contrast = torch.where(
            u((size, 1, 1, 1), device=store.device) < 0.25, 0.5 + 0.8 * u((size, 1, 1, 1), device=store.device), 1.0
        )
        pictures = ((pictures - middle) * contrast + middle) * gain
        noise = 0.04 * u((size, 1, 1, 1), device=store.device) ** 3
        pictures = pictures + torch.randn_like(pictures) * noise
    return pictures.clamp(0, 1).contiguous(memory_format=torch.channels_last), labels


def finding_loss(output: Tensor, labels: Tensor, kind: int) -> tuple[Tensor, Tensor]:
    """Give the loss of the network that finds corners or halves of tiles, and the share of ranks or pips it names."""
    stride = 8 if kind else 4
    grid = output.shape[-1]
    image, mark = torch.nonzero(labels[..., 0] == kind, as_tuple=True)
    rows = labels[image, mark]
    rank_seen, suit_seen = rows[:, 8], rows[:, 9]
    least, sure = MIN_SEEN[kind], SURE[kind]
    there = (rank_seen >= least[0]) & (suit_seen >= least[1])
    surely = (rank_seen >= sure[0]) & (suit_seen >= sure[1])
    cx, cy = (rows[:, 3] - (stride - 1) / 2) / stride, (rows[:, 4] - (stride - 1) / 2) / stride
    line = torch.arange(grid, device=output.device, dtype=torch.float32)
    distance = (line[None, None, :] - cx[:, None, None]) ** 2 + (line[None, :, None] - cy[:, None, None]) ** 2
    size = rows[:, 7]
    spread = (size / stride * 0.28).clamp(min=0.7 if kind else 1.0)
    bump = torch.exp(-distance / (2 * spread**2)[:, None, None])
    heat = torch.zeros((len(labels), grid, grid), device=output.device)
    heat.index_reduce_(0, image[surely], bump[surely], "amax")
    doubtful = there & ~surely
    near = (distance < ((size / stride) ** 2).clamp(min=4.0)[:, None, None]).float()
    judged = 1 - torch.zeros_like(heat).index_reduce_(0, image[doubtful], near[doubtful], "amax")
    column, row = cx.round().long(), cy.round().long()
    inside = surely & (column >= 0) & (column < grid) & (row >= 0) & (row < grid)
    heat[image[inside], row[inside], column[inside]] = 1
    found = torch.sigmoid(output[:, 0]).clamp(1e-4, 1 - 1e-4)
    here = (heat == 1).float()
    missed = here * (1 - found) ** 2 * found.log()
    focal = missed + (1 - here) * (1 - heat) ** 4 * found**2 * (1 - found).log() * judged
    parts = [-focal.sum() / here.sum().clamp(min=1)]
    places = []
    for down in (-1, 0, 1):
        for across in (-1, 0, 1):
            fits = inside if down == across == 0 else inside & (size > 14)
            c, r = (column + across).clamp(0, grid - 1), (row + down).clamp(0, grid - 1)
            places.append((image[fits], r[fits], c[fits], rows[fits]))
    im, r, c, what = (torch.cat(part) for part in zip(*places, strict=True))
    at = output[im, :, r, c]
    value, suit = what[:, 1].long(), what[:, 2].long()
    guess = at[:, PIPS if kind else RANK]
    right = (guess.argmax(1) == value).float().mean()
    if len(value):
        parts.append(functional.cross_entropy(guess, value, label_smoothing=0.02))
        if (suit >= 0).any():
            parts.append(functional.cross_entropy(at[suit >= 0][:, SUIT], suit[suit >= 0], label_smoothing=0.02))
        parts.append(functional.smooth_l1_loss(at[:, TILE_UP if kind else CARD_UP], what[:, 5:7]))
        wanted = (what[:, 7] / 16).log()
        parts.append(0.5 * functional.smooth_l1_loss(at[:, TILE_SIZE if kind else CARD_SIZE], wanted))
    return torch.stack(parts).sum(), right


@dataclass
class Spots:
    """Spots to look at again: in which picture, where, the way up, the rank's height; what is there (or -1)."""

    image: Tensor
    x: Tensor
    y: Tensor
    up: Tensor
    size: Tensor
    mark: Tensor  # the row of labels; -1 for nothing
    labels: Tensor


def proposed(output: Tensor, labels: Tensor, most: int = 12) -> Spots:
    """Give what the first network takes for corners, each with the mark that is there; doubtful ones are left out."""
    heat = torch.sigmoid(output[:, 0].float())
    peaks = heat * (heat == functional.max_pool2d(heat[:, None], 5, 1, 2)[:, 0])
    best, place = peaks.flatten(1).topk(most)
    image, order = torch.nonzero(best > 0.12, as_tuple=True)
    place = place[image, order]
    grid = output.shape[-1]
    row, column = place // grid, place % grid
    at = output[image, :, row, column].float()
    x, y = column * 4 + 1.5, row * 4 + 1.5
    up = functional.normalize(at[:, CARD_UP], dim=1)
    size = 16 * torch.exp(at[:, CARD_SIZE].clamp(-2, 2))
    marks = labels[image]  # (spots, 32, columns)
    distance = torch.hypot(marks[..., 3] - x[:, None], marks[..., 4] - y[:, None])
    distance = torch.where(marks[..., 0] == 0, distance, 1e6)
    away, nearest = distance.min(1)
    m = marks[torch.arange(len(marks), device=x.device), nearest]
    same_way = (m[:, 5:7] * up).sum(1) > 0.8
    fits = (away < 0.6 * m[:, 7]) & same_way & ((size / m[:, 7].clamp(min=1)).log().abs() < 0.5)
    readable = (m[:, 8] > 0.5) & (m[:, 9] > 0.4)
    hidden = (m[:, 8] < 0.25) | (m[:, 9] < 0.15)
    doubtful = (away < 1.2 * m[:, 7]) & ~(fits & readable) & ~hidden & ~(~same_way & (away < 0.6 * m[:, 7]))
    mark = torch.where(fits & readable, nearest, -1)
    keep = ~doubtful
    return Spots(image[keep], x[keep], y[keep], up[keep], size[keep], mark[keep], labels)


def shaken(labels: Tensor, share: float) -> Spots:
    """Give some of the marks in sight, about where they are."""
    seen = (labels[..., 0] == 0) & (labels[..., 8] > 0.5) & (labels[..., 9] > 0.4)
    image, mark = torch.nonzero(seen & (torch.rand(seen.shape, device=seen.device) < share), as_tuple=True)
    m = labels[image, mark]
    n, device = len(m), m.device
    turn = torch.randn(n, device=device) * 0.09
    c, s = turn.cos(), turn.sin()
    up = torch.stack([m[:, 5] * c - m[:, 6] * s, m[:, 5] * s + m[:, 6] * c], 1)
    x = m[:, 3] + torch.randn(n, device=device) * 0.12 * m[:, 7]
    y = m[:, 4] + torch.randn(n, device=device) * 0.12 * m[:, 7]
    size = m[:, 7] * (torch.randn(n, device=device) * 0.1).exp()
    return Spots(image, x, y, up, size, mark, labels)


def joined(a: Spots, b: Spots) -> Spots:
    """Choose SPOTS of two."""
    names = ("image", "x", "y", "up", "size", "mark")
    every = [torch.cat([getattr(a, name), getattr(b, name)]) for name in names]
    chosen = torch.randperm(len(every[0]), device=every[0].device).repeat(SPOTS // len(every[0]) + 1)[:SPOTS]
    return Spots(*(part[chosen] for part in every), a.labels)


class Levels:
    """Pictures, and halved, and so on, to cut patches from."""

    def __init__(self, pictures: Tensor, count: int = 4) -> None:
        self.sides, parts, level = [], [], pictures
        for _ in range(count):
            self.sides.append(level.shape[-1])
            parts.append(level.permute(0, 2, 3, 1).flatten(1, 2))
            level = functional.avg_pool2d(level, 2)
        self.starts = np.cumsum([0, *(side * side for side in self.sides)]).tolist()
        self.pixels = torch.cat(parts, 1)  # pictures, places, colours

    def cut(self, image: Tensor, middle: Tensor, right: Tensor, down: Tensor, shape: tuple[int, int]) -> Tensor:
        """Cut patches out: `right` and `down` are a pixel's steps in the picture."""
        step = torch.sqrt((right.norm(dim=1) * down.norm(dim=1)).clamp(min=1e-3))
        level = torch.log2(step / 1.2).round().clamp(0, len(self.sides) - 1).long()
        device = step.device
        v = torch.arange(shape[0], device=device) + 0.5 - shape[0] / 2
        u = torch.arange(shape[1], device=device) + 0.5 - shape[1] / 2
        at = (
            middle[:, None, None]
            + u[None, None, :, None] * right[:, None, None]
            + v[None, :, None, None] * down[:, None, None]
        )
        side = torch.tensor(self.sides, device=device)[level][:, None, None]
        start = torch.tensor(self.starts, device=device)[level][:, None, None]
        at = (at + 0.5) / (2.0**level)[:, None, None, None] - 0.5
        x, y = at[..., 0], at[..., 1]
        x0, y0 = x.floor(), y.floor()
        fx, fy = (x - x0)[..., None], (y - y0)[..., None]

        def pixel(a: Tensor, b: Tensor) -> Tensor:
            a = torch.minimum(a.long().clamp(min=0), side - 1)
            b = torch.minimum(b.long().clamp(min=0), side - 1)
            return self.pixels[image[:, None, None], start + b * side + a]

        top = pixel(x0, y0) * (1 - fx) + pixel(x0 + 1, y0) * fx
        low = pixel(x0, y0 + 1) * (1 - fx) + pixel(x0 + 1, y0 + 1) * fx
        return (top * (1 - fy) + low * fy).permute(0, 3, 1, 2)


def even(patches: Tensor) -> Tensor:
    """Stretch a patch's brightness as companion.camera.finding does."""
    ordered = patches[:, :, ::2, ::2].flatten(2).sort(2).values
    n = ordered.shape[2]
    ink, paper = ordered[:, :, n * 2 // 100].min(1).values[:, None], ordered[:, :, n * 95 // 100]
    contrast = paper - ink
    dull = (contrast.min(1).values < 25 / 255)[:, None, None, None]
    gain = (235 - 20) / 255 / contrast.clamp(min=1e-3)
    evened = (patches - ink[..., None, None]) * gain[..., None, None] + 20 / 255
    return torch.where(dull, patches, evened.clamp(0, 1))


def corners(levels: Levels, spots: Spots, high: float = RANK_HEIGHT) -> Tensor:
    """Cut out corners, upright."""
    step = (spots.size / high)[:, None]
    right = torch.stack([-spots.up[:, 1], spots.up[:, 0]], 1) * step
    return even(levels.cut(spots.image, torch.stack([spots.x, spots.y], 1), right, -spots.up * step, CORNER))


def faces(levels: Levels, spots: Spots, alone: Tensor, noise: float = 1.0) -> Tensor:
    """Cut out the faces: from both corners, or where `alone` from one of them and the usual height."""
    m = spots.labels[spots.image, spots.mark.clamp(min=0)]
    known = spots.mark >= 0
    n, device = len(m), m.device
    shake = lambda s: torch.randn(n, device=device) * s * noise  # noqa: E731
    turn = shake(0.07)
    c, s = turn.cos(), turn.sin()
    other_up = torch.stack([m[:, 12] * c - m[:, 13] * s, m[:, 12] * s + m[:, 13] * c], 1)
    bx, by = m[:, 10] + shake(0.1) * m[:, 14], m[:, 11] + shake(0.1) * m[:, 14]
    up = functional.normalize(spots.up - other_up, dim=1)
    dx, dy = bx - spots.x, by - spots.y
    rank = (spots.size + m[:, 14] * shake(0.08).exp()) / 2
    high = ((dx * up[:, 0] + dy * up[:, 1]).abs() + MARK * rank) / ALONG
    wide = (-dx * up[:, 1] + dy * up[:, 0]).abs() / ACROSS
    middle = torch.stack([(spots.x + bx) / 2, (spots.y + by) / 2], 1)
    usual = torch.where(known, high, 8.5 * spots.size) * shake(0.1).exp()
    w, h = ACROSS * 0.7 * usual / 2, ((ALONG * usual - MARK * spots.size) / 2).clamp(min=0)
    ux, uy = spots.up[:, 0], spots.up[:, 1]
    from_one = torch.stack([spots.x - uy * w - ux * h, spots.y + ux * w - uy * h], 1)
    alone = alone | ~known | (high < 3 * spots.size) | (wide < 2 * spots.size)
    middle = torch.where(alone[:, None], from_one, middle)
    up = torch.where(alone[:, None], spots.up, up)
    high, wide = torch.where(alone, usual, high), torch.where(alone, 0.7 * usual, wide)
    across = (2 * INNER[0] * wide / FACE[1])[:, None]
    along = (2 * INNER[1] * high / FACE[0])[:, None]
    right = torch.stack([-up[:, 1], up[:, 0]], 1) * across
    return even(levels.cut(spots.image, middle, right, -up * along, FACE))


def second_loss(second: Second, levels: Levels, spots: Spots) -> tuple[Tensor, Tensor]:
    """Give the loss of the second look; and shares: right by the corner, by the face, by both; real or not."""
    corner = second.corner(corners(levels, spots)).float()
    face = second.face(faces(levels, spots, torch.rand(len(spots.x), device=corner.device) < 0.4)).float()
    known = spots.mark >= 0
    m = spots.labels[spots.image, spots.mark.clamp(min=0)][known]
    value, suit = m[:, 1].long(), m[:, 2].long()
    c, f = corner[known, 1:], face[known]
    f = f * (torch.rand((len(f), 1), device=f.device) > 0.15)  # now and then the corner has to do alone
    has_suit = suit >= 0
    total = functional.binary_cross_entropy_with_logits(corner[:, 0], known.float())
    for outputs, weight in ((c + f, 1.0), (c, 0.4), (face[known], 0.25)):
        total = total + weight * functional.cross_entropy(outputs[:, :14], value, label_smoothing=0.01)
        total = total + weight * functional.cross_entropy(outputs[has_suit, 14:], suit[has_suit], label_smoothing=0.01)
    with torch.no_grad():
        right = [
            ((o[:, :14].argmax(1) == value) & ((o[:, 14:].argmax(1) == suit) | ~has_suit)).float().mean()
            for o in (c, face[known], c + f)
        ]
        right.append(((corner[:, 0] > 0) == known).float().mean())
    return total, torch.stack(right)


@torch.no_grad()
def measure(net: Network, second: Second | None, store: Store, kind: int) -> str:
    """Say how well both do on scenes drawn with fonts never trained on."""
    net.eval()
    seen, first = [], []
    if second:
        second.eval()
    torch.manual_seed(5)
    for _ in range(24):
        pictures, labels = batch(store, 64, 0, SIDE, colors=False)
        output = net(pictures)[kind].float()
        first.append(float(finding_loss(output, labels, kind)[1]))
        if second:
            spots = joined(proposed(output, labels), shaken(labels, 0.2))
            seen.append(second_loss(second, Levels(pictures), spots)[1])
    parts = torch.stack(seen).mean(0).tolist() if seen else []
    torch.seed()
    return f"first {np.mean(first):.4f} second (corner, face, both, real) {[round(p, 4) for p in parts]}"


def train(options: argparse.Namespace) -> None:
    """Train until the time is over."""
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    torch.backends.cudnn.benchmark = True
    kind = int(options.only == "tiles")
    store = Store(options.shards, options.most, device, options.consume)
    unseen = Store(options.unseen, 4000, device)
    options.out.mkdir(parents=True, exist_ok=True)
    arrays = arrays_of(options.weights, "tiles." if kind else "")
    arrays = {name: array for name, array in arrays.items() if not name.startswith("tiles.")}
    net = unfolded(Network(), arrays).to(device, memory_format=torch.channels_last)  # normalization stays folded in
    second = None if kind else Second().to(device, memory_format=torch.channels_last)
    models: dict[str, nn.Module] = {"net": net} | ({"second": second} if second else {})
    parameters = [{"params": list(net.parameters()), "peak": options.rate}]
    if second:
        parameters.append({"params": list(second.parameters()), "peak": options.second_rate})
    optimizer = torch.optim.AdamW(parameters, lr=1e-3, weight_decay=1e-4)
    state = options.state or options.out / "state.pt"
    average = {k: {n: v.clone() for n, v in m.state_dict().items()} for k, m in models.items()}
    if options.begin > 0 and state.exists():
        loaded = torch.load(state, map_location=device)
        for name, model in models.items():
            model.load_state_dict(loaded["models"][name])
        average = loaded["average"]
        optimizer.load_state_dict(loaded["optimizer"])
    start = time.monotonic()
    reader = threading.Thread(target=store.keep_reading, daemon=True)
    reader.start()
    while store.count < options.least:
        time.sleep(0.5)
    rng, step, told, shown = random.Random(int(options.begin * 1000)), 0, time.monotonic(), np.zeros(7)
    amp = torch.autocast(device.type, dtype=torch.bfloat16)
    print("begins after", round(time.monotonic() - start), "s,", store.count, "scenes", flush=True)
    while (past := time.monotonic() - start) < options.seconds:
        done = options.begin + (options.end - options.begin) * past / options.seconds
        for group in optimizer.param_groups:
            warm = min(1.0, (step + 1) / 200)
            group["lr"] = group["peak"] * warm * (0.5 * (1 + math.cos(math.pi * done)) + 0.005)
        net.eval()  # its normalization was folded in
        if second:
            second.train()
        optimizer.zero_grad(set_to_none=True)
        for quarters in range(GROUPS):
            side = rng.choice(SIDES)
            pictures, labels = batch(store, options.batch // GROUPS, quarters, side, colors=True)
            with amp:
                output = net(pictures)[kind]
            total, right = finding_loss(output.float(), labels, kind)
            if second:
                spots = joined(proposed(output.detach().float(), labels), shaken(labels, 0.3))
                with amp:
                    more, shares = second_loss(second, Levels(pictures), spots)
                total = total + more
            (total / GROUPS).backward()
            if step % 20 == 0:
                line = np.zeros(7)
                line[0], line[1] = float(right), total.item()
                if second:
                    line[2:] = *shares.tolist(), more.item()
                shown = line if step == 0 else 0.95 * shown + 0.05 * line
        for model in models.values():
            nn.utils.clip_grad_norm_(model.parameters(), 5.0)
        optimizer.step()
        step += 1
        keep = min(0.998, 1 - 1 / (step / 4 + 1)) if options.begin == 0 else 0.998
        if step % 4 == 0:
            with torch.no_grad():
                for name, model in models.items():
                    for key, value in model.state_dict().items():
                        if value.dtype.is_floating_point:
                            average[name][key].lerp_(value, 1 - keep**4 if keep == 0.998 else 1 - keep)
                        else:
                            average[name][key].copy_(value)
        if time.monotonic() - told > 20:
            told = time.monotonic()
            print(step, round(past), "s", store.count, "scenes", np.round(shown, 3), flush=True)
    store.stopped = True
    mean_net = Network().to(device)
    mean_net.load_state_dict(average["net"])
    mean_second = None
    if second:
        mean_second = Second().to(device)
        mean_second.load_state_dict(average["second"])
    torch.save(
        {
            "models": {name: model.state_dict() for name, model in models.items()},
            "average": average,
            "optimizer": optimizer.state_dict(),
        },
        options.out / "state.pt",
    )
    first = layers(folded(mean_net.cpu().eval()), CARD_LAYERS if kind else TILE_LAYERS, "tiles." if kind else "")
    extra = layers(folded(mean_second.cpu().eval()), (), "second.") if mean_second else {}
    np.savez_compressed(options.out / f"{options.only or 'cards'}.npz", **first, **extra)
    unseen.read()
    if unseen.count:
        seen = measure(mean_net.to(device), mean_second.to(device) if mean_second else None, unseen, kind)
        print("steps", step, "scenes", store.count, "unseen fonts:", seen, flush=True)


def main() -> None:
    """Read the command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--shards", type=Path, required=True)
    parser.add_argument("--unseen", type=Path, required=True)
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--weights", type=Path, required=True)
    parser.add_argument("--state", type=Path)
    parser.add_argument("--only", choices=["tiles"])
    parser.add_argument("--seconds", type=float, default=500)
    parser.add_argument("--begin", type=float, default=0.0)
    parser.add_argument("--end", type=float, default=1.0)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--most", type=int, default=200_000, help="scenes to keep on the GPU")
    parser.add_argument("--least", type=int, default=2_000, help="scenes to begin with")
    parser.add_argument("--consume", action="store_true", help="delete shards once read; new scenes replace the oldest")
    parser.add_argument("--rate", type=float, default=3e-4)
    parser.add_argument("--second-rate", type=float, default=2e-3)
    train(parser.parse_args())


if __name__ == "__main__":
    main()
