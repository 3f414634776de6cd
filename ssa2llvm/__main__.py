"""``python -m ssa2llvm``."""

from __future__ import annotations

import sys

from ssa2llvm.cli.main import main

sys.exit(main())
