from machine import Pin, freq
import time
from ttboard import _log, _says, _version
from ttboard.pins.gpio_map import GPIOMap


class _Design:
    def __init__(self, board, name, number):
        self.name = name
        self.project_index = self.count = number
        self.clock_hz = 0
        self.repo = self.commit = ""  # as in an index of 2.0 or 3.0
        self._board = board

    def enable(self):
        mux = self._board.shuttle
        mux.reset_and_clock_mux(self.project_index)
        mux.enabled = self
        self._board.apply(self.name)
        return True


class Mux:
    def __init__(self, board):
        self.enabled = None
        self._board = board
        self._index = {}

    def load(self, run):
        self.run = run
        index = _says["designs"]
        if run == "unknown":
            index = {"tt_um_chip_rom": 0, "tt_um_factory_test": 1}
        if index is None or run == "":  # the release has no file for the shuttle, like 2.0.4 for tt09
            _log("ERROR", "no index for " + run)
            index = {}
        self._index = {name: _Design(self._board, name, number) for name, number in index.items()}

    @property
    def all(self):
        return list(self._index.values())

    def has(self, name):
        return name in self._index

    def get(self, name):
        if _version[0] < 2 and not isinstance(name, str):
            raise TypeError("1.2 takes names alone")
        return self[name]

    def __getitem__(self, which):
        for design in self._index.values():
            if which in (design.name, design.project_index):
                return design
        raise AttributeError("Unknown project: " + str(which))

    def _lines(self):
        m = GPIOMap.current
        if m["select"] is not None:
            for n in GPIOMap.buses["uo"][1:4]:
                Pin(n, Pin.IN, None)
            Pin(m["select"], Pin.OUT, value=0)
        return [Pin(m[name], Pin.OUT, value=0) for name in ("nrst", "inc", "ena")]

    # Supports the board's wiring; leaves uio as inputs; without config, clock or reset.
    def reset_and_clock_mux(self, number):
        self.enabled = None
        for n in GPIOMap.buses["uio"]:
            Pin(n, Pin.IN, Pin.PULL_DOWN)
        nrst, inc, ena = self._lines()
        time.sleep_ms(10)
        nrst.value(1)
        time.sleep_ms(10)
        for i in range(number):
            inc.value(1)
            time.sleep_ms(1)
            inc.value(0)
            time.sleep_ms(1)
        ena.value(1)
        self._turn((nrst, inc, ena))

    def _turn(self, lines):
        if GPIOMap.current["select"] is not None:
            for line in lines:
                line.init(Pin.IN, None)
            Pin(GPIOMap.current["select"], Pin.OUT, value=1)

    # On TT04 the multiplexer remains switched to the mux.
    def disable(self):
        self.enabled = None
        self._lines()


# 3.0 with the FPGA breakout has another class, whose designs are the files in /bitstreams, from 0.
class _Bitstream:
    def __init__(self, board, name, number):
        self.name = name
        self.project_index = number
        self._board = board

    def enable(self):
        self._board.shuttle.enabled = self
        self._board.clock_project_PWM(100)
        return True


class FPGAMux:
    run = "FPGA"

    def __init__(self, board):
        self.enabled = None
        self.all = [_Bitstream(board, name, i) for i, name in enumerate(sorted(_says["designs"] or {}))]

    def has(self, name):
        return name in [b.name for b in self.all]

    def get(self, which):
        return self[which]

    def __getitem__(self, which):
        for b in self.all:
            if which in (b.name, b.project_index):
                return b
        raise ValueError("Unknown project: " + str(which))

    def reset_and_clock_mux(self, number):
        pass

    def disable(self):
        pass


class FPGAROM:
    shuttle = "FPGA"
    repo = commit = ""
    contents = {}
