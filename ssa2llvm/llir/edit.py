"""Change text at places: replacements and insertions collected first, applied at once.

Places are offsets into the original text, so that edits do not move each other.  At one place, insertions come before
a replacement that starts there, in the order in which they were asked for.
"""

from __future__ import annotations

import re

_PREDECESSORS = re.compile(r"[ \t]*; (?:preds = %.*|No predecessors!)$", re.MULTILINE)


class TextEdits:
    """Edits of one text."""

    def __init__(self, text: str) -> None:
        self._text = text
        self._edits: list[tuple[int, int, int, str]] = []

    def insert(self, place: int, new: str) -> None:
        """Insert `new` before the character at `place`."""
        self._edits.append((place, place, len(self._edits), new))

    def insert_line(self, place: int, line: str) -> None:
        """Insert `line` before the line in which `place` is."""
        self.insert(self._text.rfind("\n", 0, place) + 1, line)

    def replace(self, start: int, end: int, new: str) -> None:
        """Put `new` in place of the text from `start` to `end`.  Replacements must not overlap."""
        self._edits.append((start, end, len(self._edits), new))

    def delete_lines(self, start: int, end: int) -> None:
        """Delete the whole lines that hold the text from `start` to `end`."""
        begin = self._text.rfind("\n", 0, start) + 1
        newline = self._text.find("\n", end)
        self.replace(begin, len(self._text) if newline < 0 else newline + 1, "")

    def apply(self) -> str:
        """The text with all edits made."""
        parts: list[str] = []
        done = 0
        for start, end, _, new in sorted(self._edits):
            if start < done:
                if end <= done:
                    continue  # inside a deleted line
                raise ValueError(f"edits overlap at offset {start}")
            parts.append(self._text[done:start])
            parts.append(new)
            done = end
        parts.append(self._text[done:])
        return "".join(parts)


def without_predecessor_comments(text: str) -> str:
    """Remove the comments in which LLVM's printer lists predecessors: edits make them wrong."""
    return _PREDECESSORS.sub("", text)
