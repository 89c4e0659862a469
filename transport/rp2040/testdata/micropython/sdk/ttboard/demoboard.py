import time
from machine import Pin
from ttboard import _says


class _ROM:
    shuttle = _says["shuttle"]
    commit = _says["commit"]
    repo = ""


class _Design:
    def __init__(self, shuttle, name, count):
        self.shuttle = shuttle
        self.name = name
        self.count = count

    def enable(self):
        print("\x1b[33mttboard.project_mux: Enable design", self.name, "\x1b[0m")
        self.shuttle.clock(self.count)
        self.shuttle.enabled = self


class _Shuttle:
    def __init__(self):
        self.enabled = None
        self.designs = {n: _Design(self, n, c) for n, c in _says["designs"].items()}

    def get(self, name):
        if name not in self.designs:
            raise AttributeError("Unknown project")
        return self.designs[name]

    def __getitem__(self, count):
        for d in self.designs.values():
            if d.count == count:
                return d
        raise AttributeError("Unknown project")

    def clock(self, count):
        if not _says["shuttled"]:
            return
        nrst, inc, ena, select = _says["shuttled"]
        if select >= 0:
            Pin(select, Pin.OUT, value=0)
        nrst, inc, ena = [Pin(n, Pin.OUT, value=0) for n in (nrst, inc, ena)]
        nrst.value(1)
        for i in range(count):
            inc.value(1)
            inc.value(0)
        ena.value(1)
        if select >= 0:
            for line in (nrst, inc, ena):
                line.init(Pin.IN, None)
            Pin(select, Pin.OUT, value=1)


class _Clock:
    def freq(self):
        return _says["clock"]


class DemoBoard:
    board = None

    @classmethod
    def get(cls):
        if not cls.board:
            cls.board = cls()
        return cls.board

    def __init__(self):
        self.chip_ROM = _ROM
        self.shuttle = _Shuttle()
        self.is_auto_clocking = _says["clock"] != 0
        self.project_clk = _Clock()
        if _says["enabled"]:
            self.shuttle.get(_says["enabled"]).enable()

    def clock_project_stop(self):
        self.is_auto_clocking = False
