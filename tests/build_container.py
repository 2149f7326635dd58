"""Builds the container image with Buildah, measures it, and serves it as in production.

sudo .venv/bin/python tests/build_container.py FOLDER

Needs root, `buildah` and the network. Where no registry can be reached, it makes a stand-in for `python:3.13-slim` in
FOLDER, with `debootstrap`: a minimal Debian 13 with the Python of its sources, built into `/usr/local` as in that image
but without profiles. The finished image is served by its user, with a root file system that cannot be written.
"""

from __future__ import annotations

import argparse
import gzip
import json
import os
import subprocess
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

CHECKOUT = Path(__file__).parent.parent
BASE = "docker.io/library/python:3.13-slim"
PATIENCE = 60  # seconds, until it is healthy
DEBIAN = "deb http://deb.debian.org/debian trixie main\ndeb-src http://deb.debian.org/debian trixie main\n"
RUNS = "ca-certificates libbz2-1.0 libffi8 liblzma5 libreadline8t64 libsqlite3-0 libssl3t64 netbase tzdata zlib1g"
BUILDS = "dpkg-dev gcc libbz2-dev libffi-dev liblzma-dev libreadline-dev libsqlite3-dev libssl-dev make zlib1g-dev"
MAKE_PYTHON = f"""
    apt-get update && apt-get install -y --no-install-recommends {BUILDS}
    cd /root && apt-get source --download-only python3.13
    mkdir src && tar xf python3.13_*.orig.tar.xz --strip-components=1 -C src && cd src
    ./configure --enable-loadable-sqlite-extensions --enable-shared --with-ensurepip
    make -s -j "$(nproc)" LDFLAGS=-Wl,--strip-all && make -s install
    find /usr/local -depth '(' -name test -o -name tests -o -name __pycache__ ')' -exec rm -r {{}} +
    ln -s python3 /usr/local/bin/python && ln -s pip3 /usr/local/bin/pip
"""


class Builder:
    """Buildah, with all of its storage in a folder."""

    def __init__(self, folder: Path) -> None:
        places = ["--root", str(folder / "images"), "--runroot", str(folder / "run")]
        self._command = ["buildah", *places, "--storage-driver", "vfs"]

    def __call__(self, *arguments: str | Path) -> str:
        run = subprocess.run([*self._command, *map(str, arguments)], stdout=subprocess.PIPE, text=True)
        if run.returncode:
            raise SystemExit(f"failed: buildah {' '.join(map(str, arguments))}")
        return run.stdout.strip()

    def has(self, image: str) -> bool:
        """Return whether an image is here, or can be pulled."""
        return any(
            not subprocess.run([*self._command, *words, image], capture_output=True).returncode
            for words in (["inspect", "--type", "image"], ["pull", "-q"])
        )


def main() -> None:
    """Build the image, measure it, and try it."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    folder = parser.parse_args().folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    buildah = Builder(folder)
    if not buildah.has(BASE):
        stand_in(buildah, folder / "debian")
    recipe = ("--isolation", "chroot", "--format", "docker", "-f", CHECKOUT / ".container" / "Containerfile")
    buildah("bud", "--pull-never", *recipe, "-t", "companion", CHECKOUT)
    container = buildah("from", "--pull-never", "companion")
    try:
        root = Path(buildah("mount", container))
        whole = sum(path.lstat().st_size for path in root.rglob("*") if path.is_file())
        print(f"{whole / 1e6:.0f} MB, {packed(root) / 1e6:.0f} MB packed")
        serve(root, json.loads(buildah("inspect", "--type", "image", "companion"))["Docker"]["config"])
    finally:
        buildah("rm", container)


def stand_in(buildah: Builder, base: Path) -> None:
    """Make an image like BASE."""
    names = ",".join(RUNS.split())
    subprocess.run(["debootstrap", "--variant=minbase", f"--include={names}", "trixie", base], check=True)
    for name in ("etc/resolv.conf", "etc/ssl/certs/ca-certificates.crt"):
        (base / name).write_bytes(Path("/", name).read_bytes())
    (base / "etc/apt/sources.list").write_text(DEBIAN)
    with tempfile.TemporaryDirectory(dir=base.parent) as making:
        subprocess.run(["cp", "-a", f"{base}/.", making], check=True)
        subprocess.run(["/usr/sbin/chroot", making, "sh", "-euxc", MAKE_PYTHON], check=True)
        subprocess.run(["cp", "-a", f"{making}/usr/local", base / "usr"], check=True)
    subprocess.run(["/usr/sbin/chroot", base, "/sbin/ldconfig"], check=True)
    container = buildah("from", "scratch")
    buildah("add", container, base, "/")
    buildah("config", "--env", "PATH=/usr/local/bin:/usr/local/sbin:/usr/sbin:/usr/bin:/sbin:/bin", container)
    buildah("commit", "--rm", container, BASE)


def packed(root: Path) -> int:
    """Return how many bytes the files take in an archive, as a registry sends them."""
    tar = subprocess.run(["tar", "-C", root, "-c", "."], check=True, capture_output=True).stdout
    return len(gzip.compress(tar, compresslevel=6))


def serve(root: Path, image: dict[str, object]) -> None:
    """Serve with a root that cannot be written but for `/data` and `/tmp`, and with no right to gain any."""
    with ExitStack() as stack:

        def mount(*arguments: str | Path) -> None:
            subprocess.run(["mount", *arguments], check=True)
            stack.callback(subprocess.run, ["umount", arguments[-1]], check=True)

        (root / "etc/hosts").touch()  # what runs containers brings one
        mount("--bind", root, root)
        mount("--bind", root / "data", root / "data")
        mount("--bind", "/etc/hosts", root / "etc/hosts")
        mount("--bind", "/dev", root / "dev")
        for name in ("dev/shm", "tmp"):
            mount("-t", "tmpfs", "-o", "mode=1777", "tmpfs", root / name)
        mount("-t", "proc", "proc", root / "proc")
        subprocess.run(["mount", "-o", "remount,ro,bind", root], check=True)
        user = str(image["User"])
        enter = ["/usr/bin/unshare", "--root", str(root), "--wd", str(image["WorkingDir"])]
        enter = ["/usr/bin/setpriv", "--no-new-privs", *enter, "--setgid", user, "--setuid", user]
        settings = dict(one.split("=", 1) for one in image["Env"])  # type: ignore[attr-defined]

        def start(*command: str) -> subprocess.Popen[bytes]:
            return subprocess.Popen([*enter, *command], env=settings, stderr=subprocess.DEVNULL)

        began = time.monotonic()
        serving = start(*image["Cmd"])  # type: ignore[misc]
        try:
            while start(*image["Healthcheck"]["Test"][1:]).wait():  # type: ignore[index]
                if serving.poll() is not None or time.monotonic() > began + PATIENCE:
                    raise SystemExit("It never was healthy.")
                time.sleep(0.2)
            print(f"healthy after {time.monotonic() - began:.1f} s")
            if start("python", "-c", "open('/app/written', 'w')").wait() == 0:
                raise SystemExit("Its root can be written.")
            if start("python", "-m", "companion.serve", "audit").wait():
                raise SystemExit("Its commands don't work.")
        finally:
            began = time.monotonic()
            serving.terminate()
            serving.wait()
        print(f"stopped after {time.monotonic() - began:.1f} s")


if __name__ == "__main__":
    if os.geteuid() != 0:
        raise SystemExit("It needs root, to mount the image: run it with sudo.")
    main()
