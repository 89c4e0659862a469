# As much of Tiny Tapeout's software as the bench asks for, with what the test says in place of a shuttle's index.
import json
import _pins

_says = json.loads(_pins.sdk())
VERSION = _says["version"]
