"""The two configurations under which graphs, SSA form and facts are built (DESIGN.md, section 3)."""

from __future__ import annotations

from enum import Enum


class Config(Enum):
    """ZEND reproduces PHP's optimizer bit for bit, its errors included, and is only for comparison with PHP. SOUND
    uses the same tables with better rules and is the only one from which code is generated."""

    ZEND = "zend"
    SOUND = "sound"
