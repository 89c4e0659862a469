# The SDK's wirings. Before the probe GPIOMap.current is TT04's (1.2 and 2.0) on any board.
from ttboard import _version

_TT04 = dict(clk=0, rst_n=3, nrst=7, inc=8, ena=6, select=1)
_TT06 = dict(clk=0, rst_n=1, nrst=2, inc=3, ena=4, select=None)
_TT07 = dict(_TT06, nrst=3, inc=2)
_V3 = dict(clk=16, rst_n=14, nrst=1, inc=2, ena=0, select=None)

_RP2040 = dict(ui=[9, 10, 11, 12, 17, 18, 19, 20], uo=[5, 6, 7, 8, 13, 14, 15, 16], uio=list(range(21, 29)))
_RP2350 = dict(ui=list(range(17, 25)), uo=list(range(33, 41)), uio=list(range(25, 33)))


class GPIOMap:
    current = _V3 if _version[0] >= 3 else _TT04
    buses = _RP2350 if _version[0] >= 3 else _RP2040
