# Bursts: steps at a chip's own speed, played by PIO and DMA. It is sent to a running program.py when the host first asks for one, and
# knows its constants. Neither registers nor PIO's programs are known here: the host sends what is to be done as a list.

# Words of the table, which the host fills in but for the last three.
_OE = const(40)  # the register of SIO
_UIO_AT = const(41)  # the first pin of uio
_DIRS = const(42)  # address
_MARKS = const(43)  # address
_PERIODS = const(44)
_REST = const(45)
_DROVE = const(46)
_AT = const(47)
_SEEN = const(48)
_OPS = const(600)

_SPARE = const(6144)  # bytes that are left for what is made while bursts are played


# Make the n bytes of step codes in src into periods from q on: a word of levels each, with clk as it is to be in the period's second
# half, the directions of uio, and a mark on the last period of a step. Returns the next period, or -1 for bad codes.
@micropython.viper
def _load(q: int, i: int, g: int, src: ptr8, n: int, words: ptr32, s: ptr32) -> int:
    dirs = ptr8(s[_DIRS])
    marks = ptr8(s[_MARKS])
    limit = s[_PERIODS]
    rest = s[_REST]
    clk = s[_CLK]
    if q == 0:
        i = limit >> 3
        while i:
            i -= 1
            marks[i] = 0
        s[_DROVE] = ptr32(s[_OE])[0] >> s[_UIO_AT] & 255
        s[_AT] = 0
        s[_SEEN] = 0
    was = s[_DROVE]
    p = 0
    while p < n:
        op = src[p]
        p += 1
        if op >= 0xF8:
            if p + 4 > n or src[p] > 30:
                return -1
            s[_SHAPES + src[p]] = src[p + 1] | src[p + 2] << 8 | src[p + 3] << 16 | (op & 3) << 24
            p += 4
            continue
        count = op & 7
        if count == 7:
            if p >= n:
                return -1
            count += src[p]
            p += 1
        count += 1
        i = s[_SHAPES + (op >> 3)]
        clocks = (i >> 8) & 255
        drive = (i >> 16) & 255
        every = i >> 25
        rst = s[_RST]
        if i >> 24 & 1:
            rst = 0
        level = s[_UI0 + (i & 255)] | rst
        g = p
        if drive:
            g += count
        if every:
            g += count
        if g > n:
            return -1
        while count:
            count -= 1
            if every:
                level = s[_UI0 + src[p]] | rst
                p += 1
            i = level
            if drive:
                i |= s[_IO0 + src[p]]
                p += 1
            if q + clocks + rest >= limit:
                return -1
            if drive & (was ^ 255):
                g = rest
                while g:
                    g -= 1
                    words[q] = i
                    dirs[q] = drive & was
                    q += 1
            was = drive
            g = clocks
            if g:
                i |= clk
            else:
                g = 1
            while g:
                g -= 1
                words[q] = i
                dirs[q] = drive
                q += 1
            g = q - 1
            marks[g >> 3] = marks[g >> 3] | 1 << (g & 7)
    s[_DROVE] = was
    i = 4  # of directions four go at a time
    while i:
        i -= 1
        dirs[q + i] = was
    return q


# Pack the samples of the next count steps into dst, as _steps does where nothing is driven. Returns the bytes packed, or -1 if there
# are not so many before period end.
@micropython.viper
def _samples(q: int, i: int, g: int, words: ptr32, count: int, dst: ptr8, s: ptr32, end: int) -> int:
    marks = ptr8(s[_MARKS])
    at = s[_AT]
    last = s[_SEEN]
    uo = s[_LOOK]
    uio = s[_LOOK + 1]
    q = 1
    group = 0
    mask = 0
    bit = 1
    while count:
        count -= 1
        while at < end and not marks[at >> 3] & 1 << (at & 7):
            at += 1
        if at >= end:
            return -1
        g = words[at]
        at += 1
        i = g ^ last
        last = g
        if i & uo:
            mask |= bit
            dst[q] = _UO_BYTE
            q += 1
        if i & uio:
            mask |= bit << 1
            dst[q] = _UIO_BYTE
            q += 1
        bit <<= 2
        if bit & 256:
            dst[group] = mask
            group = q
            q += 1
            mask = 0
            bit = 1
    s[_AT] = at
    s[_SEEN] = last
    dst[group] = mask
    if bit == 1:
        q -= 1
    return q


# Do n operations: a register with what is done in its two lowest bits, and two more words. 0 writes the second word; 1 takes the bits
# of the third from the register of the second; 2 waits until the bits of the second are 0, and looks as often as the third says; 3
# writes what the register of the second has, with the bits of the third set.
@micropython.viper
def _do(ops: ptr32, n: int):
    at = 0
    n *= 3
    while at < n:
        what = ops[at] & 3
        register = ptr32(ops[at] ^ what)
        a = ops[at + 1]
        b = ops[at + 2]
        at += 3
        if what == 0:
            register[0] = a
        elif what == 1:
            register[0] = register[0] & (b ^ -1) | ptr32(a)[0] & b
        elif what == 2:
            while b and register[0] & a:
                b -= 1
        else:
            register[0] = ptr32(a)[0] | b


class _Burst:
    def __init__(self, link, payload):
        import gc, rp2, uctypes

        self.link = link
        control, saved = struct.unpack("<II", payload[:8])  # enabled machines of the PIO; how many registers
        if machine.mem32[control] & 15:
            raise ValueError("PIO 0 is in use")
        self.pio = rp2.PIO(0)
        self.ops = array("I", bytes(4 * _OPS))
        self.end = 0
        self.dma = [rp2.DMA() for _ in range(5)]
        self.kept = [(r, machine.mem32[r]) for r in struct.unpack("<%dI" % saved, payload[8:])]
        spare = bytearray(_SPARE)
        gc.collect()
        size = 1 << 18
        self.memory = None
        while self.memory is None:
            try:
                self.memory = bytearray(size)
            except MemoryError:
                size = size - (size >> 4) & ~3
                if size < 4096:
                    self.close()
                    raise
        del spare
        gc.collect()
        self.hello = struct.pack("<BIIII5B", 0, uctypes.addressof(self.memory), len(self.memory), gc.mem_free(), machine.freq(),
            *[d.channel for d in self.dma])

    def close(self):
        for d in self.dma:
            d.close()
        for register, value in self.kept:
            machine.mem32[register] = value
        if self.kept:
            self.pio.remove_program()

    def answer(self, kind, payload):
        link = self.link
        if kind == 0x4F:  # O
            link.fill(payload, self.ops)
        elif kind == 0x4C:  # L
            if payload[0]:
                self.end = 0
            self.end = _load(self.end, 0, 0, payload[1:], len(payload) - 1, self.memory, link.words)
            if self.end < 0:
                raise _Stop("bad step codes of a burst")
            return struct.pack("<I", self.end)
        elif kind == 0x42:  # B
            for i in range(2, len(payload), 6):
                at, value = struct.unpack("<HI", payload[i : i + 6])
                self.ops[at] = value
            _do(self.ops, struct.unpack("<H", payload[:2])[0])
            return bytes(self.memory[-8:])
        elif kind == 0x52:  # R
            n = struct.unpack("<H", payload)[0]
            if n > _STEPS:
                raise _Stop("too many samples at a time")
            n = _samples(0, 0, 0, self.memory, n, link.packed, link.words, self.end)
            if n < 0:
                raise _Stop("more samples than the burst has")
            return link.packed[:n]
        else:
            raise _Stop("a frame of unknown kind")
        return b""


# What cannot be had is an answer, and no end: a byte that is not 0, and why.
def _begin_bursts(link, payload):
    try:
        link.burst = _Burst(link, payload)
        return link.burst.hello
    except (ImportError, AttributeError, MemoryError, OSError, ValueError) as e:
        return b"\1" + (type(e).__name__ + ": " + str(e)).encode()
