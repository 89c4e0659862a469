from machine import Pin
from ttboard import _busy, _log, _says, _version
from ttboard.pins.gpio_map import GPIOMap, _TT07

# Defaults for an unrecognised ROM. The first two look like real shuttles, but are not read from the chip.
if _version < (2, 0):
    _DEFAULT = "tt03p5"
elif _version < (2, 0, 2):
    _DEFAULT = "tt04"
else:
    _DEFAULT = "unknown"


class _Named:
    @property
    def shuttle(self):
        return self._words()["shuttle"]

    @property
    def repo(self):
        return self._words()["repo"]

    @property
    def commit(self):
        return self._words()["commit"]


# With force_shuttle in config.ini the ROM is never read, and contents does not exist.
class ForcedROM(_Named):
    def _words(self):
        return {"shuttle": _says["force"], "repo": "", "commit": ""}


class ChipROM(_Named):
    def __init__(self, mux):
        self._mux = mux
        self._cached = None

    def _words(self):
        return self.contents

    @property
    def contents(self):
        if self._cached is None:
            self._cached = {"shuttle": _DEFAULT, "repo": "", "commit": ""}  # before the read
            try:
                _busy("ROM", 40)
                self._read()
            except:  # bare: it swallows a Ctrl-C; the shuttle is '' once, and the default from then on
                _log("ERROR", "the ROM could not be read")
                return {"shuttle": "", "repo": "", "commit": ""}
            self._mux.disable()
        return self._cached

    def _read(self):
        if _says["carrier"] == "none":  # 3.0: nothing is read without a carrier
            return
        self._mux.reset_and_clock_mux(0)
        ui = [Pin(n, Pin.IN, Pin.PULL_DOWN) for n in GPIOMap.buses["ui"]]
        uo = [Pin(n, Pin.IN, Pin.PULL_DOWN) for n in GPIOMap.buses["uo"]]
        for pin in ui:
            if _version >= (2, 0, 3) or not pin.value():  # from 2.0.3 on it drives against a closed DIP switch
                pin.init(Pin.OUT, value=0)
        if self._at(ui, uo, 0) != 0x78:
            return
        text = "".join(chr(self._at(ui, uo, i)) for i in range(32, 128)).split("\0")[0]
        if not text.startswith("shuttle="):
            return
        words = {"repo": "", "commit": "FAKEDATA" if _version < (2, 0, 2) else ""}
        words.update(line.split("=", 1) for line in text.split("\n") if "=" in line)
        self._cached = words
        if words["shuttle"] == "tt07" and _version >= (2, 0, 1):  # the swapped lines are known only from now on
            GPIOMap.current = _TT07

    def _at(self, ui, uo, address):
        for i in range(8):
            if ui[i].out:
                ui[i].value((address >> i) & 1)
        return sum(uo[i].value() << i for i in range(8))
