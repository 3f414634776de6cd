"""The JIT on AArch64, without a machine: run the package with an arm64 Python under qemu's user-mode emulation.

Debian's debootstrap downloads an arm64 Python and its libraries into build/arm64 (its first stage only, which unpacks
and executes nothing), pip the arm64 wheel of llvmlite. qemu-aarch64 then runs that Python on this package; the C
runtime is built by the cross compiler, which runs natively. Each examples/NAME.php must print what examples/NAME.out
says.

Needs debootstrap (as root), qemu-aarch64, aarch64-linux-gnu-gcc, pip and the network, the first time for some minutes.
What it does not show: speed, and the behaviour of real caches and weak memory order.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import zipfile
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "arm64"
SUITE = "bookworm"
MIRROR = "http://deb.debian.org/debian"
PACKAGES = "python3-minimal,libpython3-stdlib,libstdc++6,libffi8,zlib1g"
PYTHON_VERSION = "311"
TOOLS = ("debootstrap", "qemu-aarch64", "aarch64-linux-gnu-gcc", "dpkg")


def prepare() -> None:
    """Make the root file system and the folder of wheels, once."""
    root, wheels, site = FOLDER / "root", FOLDER / "wheels", FOLDER / "site"
    if (FOLDER / "ready").exists():
        return
    shutil.rmtree(FOLDER, ignore_errors=True)
    FOLDER.mkdir(parents=True)
    options = ["--foreign", "--arch=arm64", "--variant=minbase", f"--include={PACKAGES}"]
    subprocess.run(["debootstrap", *options, SUITE, str(root), MIRROR], check=True, stdout=subprocess.DEVNULL)
    for archive in sorted((root / "var/cache/apt/archives").glob("*.deb")):
        subprocess.run(["dpkg", "-x", str(archive), str(root)], check=True)
    platforms = [f"--platform=manylinux_2_{minor}_aarch64" for minor in (17, 27, 28)]
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", *platforms]
    wanted = [f"--python-version={PYTHON_VERSION}", "-d", str(wheels), "llvmlite>=0.50,<0.51"]
    subprocess.run([*command, *wanted], check=True)
    for wheel in wheels.glob("*.whl"):
        with zipfile.ZipFile(wheel) as content:
            content.extractall(site)
    (FOLDER / "ready").touch()


def run_program(program: Path) -> subprocess.CompletedProcess[bytes]:
    """`python -m ssa2llvm run PROGRAM`, emulated."""
    python = FOLDER / "root" / "usr/bin/python3.11"
    environment = {
        **os.environ,
        "PYTHONPATH": f"{FOLDER / 'site'}:{ROOT}",
        "PYTHONDONTWRITEBYTECODE": "1",
        "SSA2LLVM_CACHE": str(FOLDER / "cache"),
        "CC": "aarch64-linux-gnu-gcc",
    }
    command = ["qemu-aarch64", "-L", str(FOLDER / "root"), str(python), "-m", "ssa2llvm", "run", str(program)]
    return subprocess.run(command, env=environment, capture_output=True, timeout=600, check=False)


def run_examples() -> int:
    """Run every example that says what it prints. Returns the number of failures; 1 if a tool is missing."""
    missing = [tool for tool in TOOLS if shutil.which(tool) is None]
    if missing:
        print(f"jit-aarch64 needs {', '.join(missing)}", file=sys.stderr)
        return 1
    prepare()
    failures = 0
    for program in sorted((ROOT / "examples").glob("*.php")):
        expected = program.with_suffix(".out")
        if not expected.exists():
            continue
        done = run_program(program)
        good = done.returncode == 0 and done.stdout == expected.read_bytes()
        failures += not good
        print(f"{program.name}: {'as PHP' if good else 'FAILED'}", flush=True)
        if not good:
            print(done.stdout.decode(errors="replace") + done.stderr.decode(errors="replace"), file=sys.stderr)
    return failures


if __name__ == "__main__":
    sys.exit(min(run_examples(), 1))
