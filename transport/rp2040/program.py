# The step loop of the bench, run by MicroPython on an RP2040 or RP2350. The host sends it over the raw REPL; nothing is
# stored on the board. It talks frames on standard input and output, and returns when it is told to quit, when something is
# wrong, or when the host is silent for two seconds; then the chip is parked.
import sys, os, struct, select, binascii, machine, micropython
from array import array
from micropython import const

_VERSION = const(1)
_MAGIC = const(0xA7)
_PAYLOAD = const(1024)
_STEPS = const(1024)
_IN_FLIGHT = const(4)
_SILENT_MS = const(2000)
_HERTZ = const(125_000_000)  # the delays of the step loop are counted in loops

# Words of the table, which the host fills in.
_TWO = const(0)
_SETTLE = const(1)
_HIGH = const(2)
_SEGS = const(3)
_IN = const(4)
_OUT = const(6)
_XOR = const(8)
_OE_SET = const(10)
_OE_CLR = const(12)
_CLK = const(14)
_RST = const(17)
_LAST = const(22)
_LIMIT = const(23)
_SEG = const(24)
_SHAPES = const(96)
_UI0 = const(224)
_IO0 = const(480)
_UI1 = const(736)
_IO1 = const(992)
_WORDS = const(1248)


# What viper has built in, for the board whose firmware has no viper. Viper itself does not look here.
class _Register:
    def __init__(self, address):
        self.address = address

    def __getitem__(self, i):
        return machine.mem32[self.address]

    def __setitem__(self, i, value):
        machine.mem32[self.address] = value & 0xFFFFFFFF


ptr32 = _Register


# Apply the n bytes of step codes in src, and pack the samples into dst. Returns the bytes packed, or -1 for bad codes.
@micropython.viper
def _steps(src: ptr8, n: int, dst: ptr8, s: ptr32) -> int:
    two = s[_TWO]
    settle = s[_SETTLE]
    high = s[_HIGH]
    last = s[_LAST]
    in0 = ptr32(s[_IN])
    in1 = ptr32(s[_IN + 1])
    out0 = ptr32(s[_OUT])
    out1 = ptr32(s[_OUT + 1])
    xor0 = ptr32(s[_XOR])
    xor1 = ptr32(s[_XOR + 1])
    oe_set0 = ptr32(s[_OE_SET])
    oe_set1 = ptr32(s[_OE_SET + 1])
    oe_clr0 = ptr32(s[_OE_CLR])
    oe_clr1 = ptr32(s[_OE_CLR + 1])
    clk = s[_CLK]
    clk_set = ptr32(s[_CLK + 1])
    clk_clr = ptr32(s[_CLK + 2])
    rst = s[_RST]
    rst_set = ptr32(s[_RST + 1])
    rst_clr = ptr32(s[_RST + 2])
    rst_drive = ptr32(s[_RST + 3])
    rst_release = ptr32(s[_RST + 4])
    p = 0
    q = 0
    group = 0
    bit = 0
    total = 0
    while p < n:
        op = src[p]
        p += 1
        if op >= 0xF8:
            if p + 4 > n or src[p] > 30:
                return -1
            t = _SHAPES + 4 * src[p]
            s[t] = src[p + 1]
            s[t + 1] = src[p + 3]
            s[t + 2] = src[p + 2]
            s[t + 3] = op & 1
            p += 4
            continue
        count = (op & 7) + 1
        if count == 8:
            if p >= n:
                return -1
            count += src[p]
            p += 1
        t = _SHAPES + 4 * (op >> 3)
        ui = s[t]
        drive = s[t + 1]
        clocks = s[t + 2]
        total += count
        if total > s[_LIMIT] or (drive != 0 and p + count > n):
            return -1
        # release uio; levels below stay the same for the whole run, so this is every step's turn-around
        oe_clr0[0] = s[_IO0 + (drive ^ 255)]
        if two:
            oe_clr1[0] = s[_IO1 + (drive ^ 255)]
        # ui and rst_n; rst_n high is driven for a moment and then left to its pull-up, because boards have a button there
        xor0[0] = (out0[0] ^ s[_UI0 + ui]) & s[_UI0 + 255]
        if two:
            xor1[0] = (out1[0] ^ s[_UI1 + ui]) & s[_UI1 + 255]
        if s[t + 3]:
            rst_clr[0] = rst
            rst_drive[0] = rst
        else:
            rst_set[0] = rst
            rst_release[0] = rst
        i = settle
        while i > 0:
            i -= 1
        drive0 = s[_IO0 + drive]
        drive1 = 0
        if two:
            drive1 = s[_IO1 + drive]
        while count > 0:
            count -= 1
            data = 0
            if drive:
                data = src[p]
                p += 1
                xor0[0] = (out0[0] ^ s[_IO0 + data]) & drive0
                oe_set0[0] = drive0
                if two:
                    xor1[0] = (out1[0] ^ s[_IO1 + data]) & drive1
                    oe_set1[0] = drive1
                i = settle
                while i > 0:
                    i -= 1
            c = clocks
            while c > 0:
                c -= 1
                clk_set[0] = clk
                i = high
                while i > 0:
                    i -= 1
                clk_clr[0] = clk
                i = high
                while i > 0:
                    i -= 1
            g0 = in0[0]
            g1 = 0
            if two:
                g1 = in1[0]
            v = 0
            i = _SEG
            while i < s[_SEGS]:
                g = g0
                if s[i]:
                    g = g1
                v |= ((g << s[i + 1]) >> s[i + 2]) & s[i + 3]
                i += 4
            x = v ^ (last & 255 | ((data & drive) | ((last >> 8) & (drive ^ 255))) << 8)
            last = v
            if bit == 0:
                group = q
                dst[q] = 0
                q += 1
            if x & 255:
                dst[group] = dst[group] | (1 << bit)
                dst[q] = v & 255
                q += 1
            if x >> 8:
                dst[group] = dst[group] | (2 << bit)
                dst[q] = v >> 8
                q += 1
            bit = (bit + 2) & 7
    s[_LAST] = last
    return q


class _Stop(Exception):
    pass


class _Link:
    def __init__(self):
        self.words = array("I", bytes(4 * _WORDS))
        self.source = memoryview(bytearray(_PAYLOAD + 12))
        self.packed = memoryview(bytearray(9 * _STEPS // 4 + 20))
        self.poll = select.poll()
        self.poll.register(sys.stdin, select.POLLIN)
        self.seq = 0
        self.ready = False  # the pins are set up
        self.released = None  # clk, which is not driven any more when this ends

    def send(self, kind, seq, payload):
        head = struct.pack("<BBHH", _MAGIC, kind, seq, len(payload))
        head += struct.pack("<H", binascii.crc32(head) & 0xFFFF)
        crc = binascii.crc32(payload, binascii.crc32(head)) & 0xFFFFFFFF
        for part in (head, payload, struct.pack("<I", crc)):
            n = sys.stdout.buffer.write(part)
            if n is not None and n != len(part):
                raise _Stop("output was lost, because the host did not read")

    def receive(self):
        if not self.poll.poll(_SILENT_MS):
            raise _Stop("the host was silent")
        src = self.source
        sys.stdin.buffer.readinto(src[:8])
        mark, kind, seq, n, check = struct.unpack("<BBHHH", src[:8])
        if mark != _MAGIC or check != binascii.crc32(src[:6]) & 0xFFFF:
            raise _Stop("damaged header")
        if n > _PAYLOAD:
            raise _Stop("a frame that is too long")
        sys.stdin.buffer.readinto(src[8 : 12 + n])
        if struct.unpack("<I", src[8 + n : 12 + n])[0] != binascii.crc32(src[: 8 + n]) & 0xFFFFFFFF:
            raise _Stop("damaged frame")
        if seq != self.seq:
            raise _Stop("frame %d came, and frame %d was due" % (seq, self.seq))
        self.seq = (seq + 1) & 0xFFFF
        return kind, seq, src[8 : 8 + n]

    def pins(self, modes):
        for i in range(0, len(modes), 2):
            n = modes[i]
            mode = modes[i + 1]
            if mode == 0:
                machine.Pin(n, machine.Pin.IN, None)
            elif mode == 3:
                machine.Pin(n, machine.Pin.OUT, machine.Pin.PULL_UP, value=0)
            else:
                machine.Pin(n, machine.Pin.OUT, value=int(mode == 2))
                if mode == 4:
                    self.released = n
        self.ready = True

    def fill(self, payload):
        at = struct.unpack("<H", payload[:2])[0]
        for i in range(2, len(payload), 4):
            self.words[at] = struct.unpack("<I", payload[i : i + 4])[0]
            at += 1

    # define a shape that is transport.Park, and apply it once
    def park(self):
        if self.ready:
            _steps(bytearray(b"\xf9\x00\x00\x00\x00\x00"), 6, self.packed, self.words)

    def serve(self):
        while True:
            kind, seq, payload = self.receive()
            answer = b""
            if kind == 0x53:  # S
                if not self.ready:
                    raise _Stop("steps before the pins")
                n = _steps(payload, len(payload), self.packed, self.words)
                if n < 0:
                    raise _Stop("bad step codes")
                answer = self.packed[:n]
            elif kind == 0x57:  # W
                self.fill(payload)
            elif kind == 0x50:  # P
                self.pins(payload)
            elif kind == 0x51:  # Q
                self.park()
                self.send(kind, seq, answer)
                return
            elif kind != 0x49:  # I
                raise _Stop("a frame of unknown kind")
            self.send(kind, seq, answer)


def _bench(viper):
    link = _Link()
    before = machine.freq()
    if before != _HERTZ:
        machine.freq(_HERTZ)
    try:
        machine_name = os.uname().machine
    except AttributeError:
        machine_name = sys.implementation._machine
    hello = struct.pack("<HHHHH", _VERSION, _PAYLOAD, _STEPS, _IN_FLIGHT, viper)
    micropython.kbd_intr(-1)
    try:
        sys.stdout.buffer.write(b"\r\nbench-ready\r\n")
        link.send(0x48, 0, hello + machine_name.encode())
        link.serve()
    except _Stop as stop:
        link.park()
        link.send(0x45, link.seq, str(stop).encode())
    finally:
        link.park()
        if link.released is not None:
            machine.Pin(link.released, machine.Pin.IN, machine.Pin.PULL_DOWN)
        if before != _HERTZ:
            machine.freq(before)
        micropython.kbd_intr(3)
        for name in ("_bench", "_Link", "_Stop", "_steps", "_Register", "ptr32"):
            globals().pop(name, None)
