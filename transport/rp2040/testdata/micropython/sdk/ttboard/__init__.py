# As much of Tiny Tapeout's SDK as the bench asks for, in three generations: those of 1.2.2, 2.0.4 and 3.0.6, by their real names, with
# what each of them lacks. The test says which one it is, what is in the index, and what is on the board.
import json
import _pins

_says = json.loads(_pins.sdk())
VERSION = _says["version"]
_version = tuple(int(n) for n in VERSION.split("\x1b")[0].split("."))


# A part of the start, in percent of it. A Ctrl-C comes here.
def _busy(part, percent):
    if _pins.interrupted(part) or _pins.pause(_says["start"] * percent // 100):
        raise KeyboardInterrupt


# The log has colours in all generations.
def _log(level, text):
    print("\x1b[33m" + level + ": " + text + "\x1b[0m")
