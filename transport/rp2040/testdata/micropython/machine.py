# The board's modules that the bench's programs need, using the pins supplied by the test.
import gc
import sys
import time
import _pins


class _Uname:
    machine = _pins.machine()
    release = _pins.release()


class _Os:
    def uname():
        return _Uname


class _Poll:
    def register(self, stream, events):
        pass

    def poll(self, ms):
        return _pins.wait(ms)


class _Select:
    POLLIN = 1
    poll = _Poll


sys.modules["os"] = _Os
sys.modules["select"] = _Select


# Waits take no time here, but may receive a Ctrl-C.
class _Time:
    ticks_ms = time.ticks_ms
    ticks_us = time.ticks_us
    ticks_diff = time.ticks_diff

    def sleep_ms(ms):
        if _pins.pause(0):
            raise KeyboardInterrupt

    sleep_us = sleep_ms


sys.modules["time"] = _Time


# This port's heap grows; the test configures the board's memory.
class _GC:
    collect = gc.collect
    mem_alloc = gc.mem_alloc
    threshold = gc.threshold

    def mem_free():
        return _pins.memory() - gc.mem_alloc()


sys.modules["gc"] = _GC


def freq(hertz=None):
    if hertz is None:
        return _pins.hertz(0)
    _pins.hertz(hertz)


def unique_id():
    return b"\xe6\x60\x00\x00\x00\x00\x00\x01"


def _signed(v):
    return v if v < 0x80000000 else v - 0x100000000


class _Memory:
    def __getitem__(self, address):
        return _pins.read(address - 0xD0000000) & 0xFFFFFFFF

    def __setitem__(self, address, value):
        _pins.write(address - 0xD0000000, _signed(value))


mem32 = _Memory()



_pin_count = 48 if "RP2350" in _Uname.machine and "RP2350A" not in _Uname.machine else 30


class Pin:
    IN = 0
    OUT = 1
    PULL_UP = 1
    PULL_DOWN = 2

    def __init__(self, pin, mode=-1, pull=-1, *, value=None):
        if pin >= _pin_count:
            raise ValueError("invalid pin")
        self.pin = pin
        self.out = False
        self.init(mode, pull, value=value)

    def init(self, mode=-1, pull=-1, *, value=None):
        if mode != -1:
            level = 8 if value is None else int(value)
            _pins.setup(self.pin, (4 if mode == self.OUT else 0) | (2 if pull == self.PULL_UP else 0) | (16 if pull == self.PULL_DOWN else 0) | level)
            self.out = mode == self.OUT

    def value(self, level=None):
        if level is None:
            return _pins.level(self.pin)
        _pins.setup(self.pin, (4 if self.out else 0) | int(level))


# Timers never fire, since nothing interrupts the interpreter here.
class Timer:
    def __init__(self, n):
        pass

    def init(self, *, period, callback):
        pass

    def deinit(self):
        pass
