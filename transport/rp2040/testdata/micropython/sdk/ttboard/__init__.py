# The parts of Tiny Tapeout's SDK that the bench uses, in three generations: 1.2.2, 2.0.4 and 3.0.6, with their real
# names and omissions. The test configures the generation, the index and the board's contents.
import json
import _pins

_says = json.loads(_pins.sdk())
VERSION = _says["version"]
_version = tuple(int(n) for n in VERSION.split("\x1b")[0].split("."))


# A part of the start, in percent of its duration. A Ctrl-C may come here.
def _busy(part, percent):
    if _pins.interrupted(part) or _pins.pause(_says["start"] * percent // 100):
        raise KeyboardInterrupt


# The log is coloured in all generations.
def _log(level, text):
    print("\x1b[33m" + level + ": " + text + "\x1b[0m")
