# What the step program needs of a board, over the pins that the test supplies.
import sys
import _pins


class _Uname:
    machine = _pins.machine()


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


def _signed(v):
    return v if v < 0x80000000 else v - 0x100000000


class _Memory:
    def __getitem__(self, address):
        return _pins.read(address - 0xD0000000) & 0xFFFFFFFF

    def __setitem__(self, address, value):
        _pins.write(address - 0xD0000000, _signed(value))


mem32 = _Memory()


class Pin:
    IN = 0
    OUT = 1
    PULL_UP = 1

    def __init__(self, pin, mode=-1, pull=-1, *, value=None):
        _pins.setup(pin, mode, pull == 1, value or 0)
