# Bursts: steps at the chip's own speed, played by PIO and DMA. It is sent to a running program.py on first use, and
# shares its constants. It contains neither register addresses nor PIO programs: the host sends all operations as a
# list.
#
# The host replaces these names by constants and expressions for the board (window.go):
#   _UI_LEVELS, _UIO_LEVELS              the levels of ui, of uio in a period's word, from the byte i
#   _UO_SEEN, _UIO_SEEN                  uo, uio, from the word g
#   _UIO_DRIVEN                          the directions of uio, from g and h, those of banks 0 and 1

# Indices of the table. The host fills in the first six once, and the next for each timing.
_OE = const(40)  # registers of SIO
_CLK_BIT = const(42)
_RST_BIT = const(43)
_UO_BITS = const(44)
_UIO_BITS = const(45)
_REST = const(46)
_DROVE = const(47)
_AT = const(48)
_SEEN = const(49)
_DIRECTIONS = const(50)  # addresses
_MARKS = const(51)

# The memory for bursts is in one piece. A period takes a word, then a byte of directions in a second table, and a mark,
# a bit of a third: 164 bytes for 32 periods.
_BLOCK = const(164)

_FOUND = const(4)  # in words
_SPARE = const(4)  # kB to leave free while bursts are played, plus a 16th of the free memory


# Convert the n bytes of step codes in src to periods, starting at q. Each has a word with the levels, including clk in
# the period's second half, the directions of uio, and a mark unless it is the last of its step. Return the next period,
# or -1 for bad codes.
@micropython.viper
def _load(q: int, i: int, g: int, src: ptr8, n: int, word: ptr32, s: ptr32, limit: int) -> int:
    rest = s[_REST]
    clk = s[_CLK_BIT]
    if q == 0:
        g = ptr32(s[_OE])[0]
        h = ptr32(s[_OE + 1])[0]
        s[_DROVE] = _UIO_DRIVEN
        s[_AT] = 0
        s[_SEEN] = 0
        g = limit >> 5
        while g + 1:
            ptr32(s[_MARKS])[g] = 0
            g -= 1
    was = s[_DROVE]
    dirs = ptr8(s[_DIRECTIONS])
    marks = ptr32(s[_MARKS])
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
        many = clocks >> 1
        rises = clk
        if clocks == 0:
            rises = 0
        rst = s[_RST_BIT]
        if i >> 24 & 1:
            rst = 0
        level = _UI_LEVELS | rst
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
                i = src[p]
                level = _UI_LEVELS | rst
                p += 1
            if drive:
                i = src[p]
                i = _UIO_LEVELS | level
                p += 1
            else:
                i = level
            left = drive & (was ^ 255) | many
            was &= drive
            if left == 0:  # the usual case: one period
                if q == limit:
                    return -1
                word[q] = i | rises
                dirs[q] = drive
                q += 1
                was = drive
                continue
            left = clocks
            if left == 0:
                left = 1
            held = 0
            if drive ^ was:  # held periods drive only lines driven before and still driven
                held = rest
                left += rest
            if left + q - 1 >= limit:
                return -1
            while left:
                left -= 1
                dirs[q] = drive
                if held:
                    held -= 1
                    word[q] = i
                    dirs[q] = was
                else:
                    word[q] = i | rises
                if left:
                    marks[q >> 5] = marks[q >> 5] | 1 << (q & 31)
                q += 1
            was = drive
    s[_DROVE] = was
    # add a period in which clk falls; directions are transferred four at a time
    word[q] = word[q - 1] & (clk ^ -1)
    g = q
    dirs[g] = was
    while g & 3:
        dirs[g] = was
        g += 1
    return q


# Pack the samples of the next count steps into dst, like _steps for undriven lines. Return the number of packed bytes,
# or -1 if there are fewer steps before period end.
@micropython.viper
def _samples(q: int, i: int, g: int, word: ptr32, count: int, dst: ptr8, s: ptr32, end: int) -> int:
    at = s[_AT]
    last = s[_SEEN]
    uo = s[_UO_BITS]
    uio = s[_UIO_BITS]
    q = 1
    group = 0
    mask = 0
    bit = 1
    marks = ptr32(s[_MARKS])
    while count:
        count -= 1
        if at >= end:
            return -1
        while marks[at >> 5] >> (at & 31) & 1:  # until the last period of a step
            at += 1
        g = word[at]
        at += 1
        i = g ^ last
        last = g
        if i & uo:
            mask |= bit
            dst[q] = _UO_SEEN
            q += 1
        if i & uio:
            mask |= bit << 1
            dst[q] = _UIO_SEEN
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


# Execute n operations. Each is a register's address, with the operation in its two lowest bits, and two words. 0 writes
# the first word. 1 copies the bits of the second from the register of the first, shifted by 16 to the left or right
# according to its lowest bits. 2 waits until a bit of the first is set, for at most as many reads as the second. 3
# writes the contents of the first's register with the bits of the second set.
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
            i = ptr32(a ^ a & 3)[0]
            if a & 1:
                i <<= 16
            if a & 2:
                i >>= 16
            register[0] = register[0] & (b ^ -1) | i & b
        elif what == 2:
            while b:
                b -= 1
                if register[0] & a:
                    b = 0
        else:
            register[0] = ptr32(a)[0] | b


class _Burst:
    def __init__(self, link, payload):
        import gc, uctypes
        import _rp2 as rp2  # the part of rp2 written in C; its Python code takes memory

        self.link = link
        self.dma = []
        self.kept = ()
        link.burst = self  # to be closed even if incomplete
        operations, channels, blocks = struct.unpack("<HBB", payload[:4])
        registers = struct.unpack("<%dI" % (len(payload) - 4 >> 2), payload[4:])
        for n in range(blocks):
            if machine.mem32[registers[n]] & 15:
                raise ValueError("PIO %d is in use" % n)
        self.pio = [rp2.PIO(n) for n in range(blocks)]
        self.ops = array("I", bytes(12 * operations))
        self.end = 0
        while len(self.dma) < channels:
            self.dma.append(rp2.DMA())
        self.kept = [(r, machine.mem32[r]) for r in registers[blocks:]]
        self.found = array("I", bytes(4 * _FOUND + 4))
        gc.collect()
        blocks = gc.mem_free() // _BLOCK
        spare = [bytearray(1024) for _ in range(_SPARE + (gc.mem_free() >> 14))]
        self.memory = None
        while self.memory is None:  # memory beside the SDK is fragmented
            try:
                self.memory = bytearray(_BLOCK * blocks)
            except MemoryError:
                blocks -= 1 + (blocks >> 4)
        del spare
        gc.collect()
        address = uctypes.addressof(self.memory)
        link.words[_DIRECTIONS] = address + 128 * blocks
        link.words[_MARKS] = address + 160 * blocks
        self.room = 32 * blocks - 4
        self.hello = struct.pack("<BIIIIII", 0, self.room & 0xFFFFFFFF, address, 128 * blocks,
            uctypes.addressof(self.found), gc.mem_free(), machine.freq()) + bytes([d.channel for d in self.dma])

    def close(self):
        while self.dma:
            self.dma.pop().close()
        for register, value in self.kept:
            machine.mem32[register] = value
        if self.kept:
            for pio in self.pio:
                pio.remove_program()

    def load(self, payload):
        if payload[0]:
            self.end = 0
        self.end = _load(self.end, 0, 0, payload[1:], len(payload) - 1, self.memory, self.link.words, self.room)
        if self.end < 0:
            raise _Stop("bad step codes of a burst")
        return struct.pack("<I", self.end)

    def play(self, payload):
        for i in range(6, len(payload), 6):
            at, value = struct.unpack("<HI", payload[i : i + 6])
            self.ops[at] = value
        operations, clock = struct.unpack("<HI", payload[:6])
        own = machine.freq()
        try:
            if clock:
                machine.freq(clock)
            _do(self.ops, operations)
        finally:
            if clock:
                machine.freq(own)
        return bytes(memoryview(self.found)[:_FOUND])

    def samples(self, payload):
        n = struct.unpack("<H", payload)[0]
        if n > _STEPS:
            raise _Stop("too many samples at a time")
        n = _samples(0, 0, 0, self.memory, n, self.link.packed, self.link.words, self.end)
        if n < 0:
            raise _Stop("more samples than the burst has")
        return self.link.packed[:n]

    def answer(self, kind, payload):
        if kind == 0x4F:  # O
            self.link.fill(payload, self.ops)
            return b""
        if kind == 0x4C:  # L
            return self.load(payload)
        if kind == 0x42:  # B
            return self.play(payload)
        if kind == 0x52:  # R
            return self.samples(payload)
        raise _Stop("a frame of unknown kind")


# If a resource is missing, answer with a nonzero byte and the reason; the program does not end.
def _begin_bursts(link, payload):
    if link.burst is not None:  # it did not have enough room
        link.burst.close()
    try:
        return _Burst(link, payload).hello
    except (ImportError, AttributeError, MemoryError, OSError, ValueError) as e:
        return b"\1" + (type(e).__name__ + ": " + str(e)).encode()
