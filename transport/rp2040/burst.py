# Bursts: steps at the chip's own speed, played by PIO and DMA. It is sent to a running program.py on first use, and
# shares its constants. It contains neither register addresses nor PIO programs: the host sends all operations as a
# list.
#
# The host replaces these names by constants and expressions for the board (window.go):
#   _UI_LEVELS, _UIO_LEVELS              the levels of ui, of uio in a period's word, from the byte i
#   _UO_SEEN, _UIO_SEEN                  uo, uio, from the word g
#   _UIO_DRIVEN                          the directions of uio, from g and h, those of banks 0 and 1
#   _REGULATOR, _PLAIN_CLOCK             the core voltage's register, 0 if none, and the system clock above which 1.15 V
#                                        is needed

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
_FAR = const(50)

# A piece of memory has this number of periods, a power of 2, each with a word and a mark bit. Memory beside the SDK is
# fragmented, and DMA switches between pieces. A period also has a byte of directions. The directions of four pieces fit
# into one; these are allocated from the end, number _FAR, downwards.
_PIECE = const(128)
_SHIFT = const(7)
_END = const(127)
_MARKS = const(512)
_BYTES = const(528)
_LISTED = const(22)
_MOST = const(400)

_FOUND = const(4)  # in words
_SPARE = const(4)  # kB to leave free while bursts are played, plus a 16th of the free memory


# Convert the n bytes of step codes in src to periods, starting at q. Each has a word with the levels, including clk in
# the period's second half, the directions of uio, and a mark unless it is the last of its step. Returns the next
# period, or -1 for bad codes.
@micropython.viper
def _load(q: int, i: int, g: int, src: ptr8, n: int, pieces: ptr32, s: ptr32, limit: int) -> int:
    rest = s[_REST]
    clk = s[_CLK_BIT]
    if q == 0:
        g = ptr32(s[_OE])[0]
        h = ptr32(s[_OE + 1])[0]
        s[_DROVE] = _UIO_DRIVEN
        s[_AT] = 0
        s[_SEEN] = 0
    was = s[_DROVE]
    dirs = ptr8(pieces[s[_FAR] - (q >> 9)] + (q & 384))
    g = pieces[q >> _SHIFT]
    word = ptr32(g)
    marks = ptr32(g + _MARKS)
    if q == 0:
        while g - pieces[0] - (_PIECE >> 3):
            ptr8(g + _MARKS)[0] = 0
            g += 1
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
            g = q & _END
            left = drive & (was ^ 255) | many
            was &= drive
            if left == 0 and g - _END:  # the usual case: one period
                if q == limit:
                    return -1
                word[g] = i | rises
                dirs[g] = drive
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
                g = q & _END
                dirs[g] = drive
                if held:
                    held -= 1
                    word[g] = i
                    dirs[g] = was
                else:
                    word[g] = i | rises
                if left:
                    marks[g >> 5] = marks[g >> 5] | 1 << (g & 31)
                q += 1
                if g == _END:
                    dirs = ptr8(pieces[s[_FAR] - (q >> 9)] + (q & 384))
                    g = pieces[q >> _SHIFT]
                    word = ptr32(g)
                    marks = ptr32(g + _MARKS)
                    while g - pieces[q >> _SHIFT] - (_PIECE >> 3):
                        ptr8(g + _MARKS)[0] = 0
                        g += 1
            was = drive
    s[_DROVE] = was
    # add a period in which clk falls; directions are transferred four at a time
    g = q - 1
    ptr32(pieces[q >> _SHIFT])[q & _END] = ptr32(pieces[g >> _SHIFT])[g & _END] & (clk ^ -1)
    g = q
    dirs = ptr8(pieces[s[_FAR] - (q >> 9)] + (q & 384))
    dirs[g & _END] = was
    while g & 3:
        dirs[g & _END] = was
        g += 1
    return q


# Make DMA's lists for the n periods: words to send, words to overwrite, and directions, at intervals of distance words.
# A list ends with a pair whose second word is 0. Samples take the first words, so they never overtake levels unsent.
@micropython.viper
def _chain(lists: ptr32, pieces: ptr32, n: int, distance: int, s: ptr32):
    at = 2 * distance
    i = 0
    while i < n:
        g = n - i
        if g > 4 * _PIECE:
            g = 4 * _PIECE
        lists[at] = (g + 3) >> 2
        lists[at + 1] = pieces[s[_FAR] - (i >> 9)]
        at += 2
        i += g
    lists[at + 1] = 0
    at = 0
    i = 0
    while n:
        g = n
        if g > _PIECE:
            g = _PIECE
        n -= g
        lists[at] = g
        lists[at + 1] = pieces[i]
        lists[at + distance] = pieces[i]
        lists[at + distance + 1] = g
        at += 2
        i += 1
    lists[at + 1] = 0
    lists[at + distance + 1] = 0


# Pack the samples of the next count steps into dst, like _steps for undriven lines. Returns the number of packed bytes,
# or -1 if there are fewer steps before period end.
@micropython.viper
def _samples(q: int, i: int, g: int, pieces: ptr32, count: int, dst: ptr8, s: ptr32, end: int) -> int:
    at = s[_AT]
    last = s[_SEEN]
    uo = s[_UO_BITS]
    uio = s[_UIO_BITS]
    q = 1
    group = 0
    mask = 0
    bit = 1
    word = ptr32(pieces[at >> _SHIFT])
    marks = ptr32(pieces[at >> _SHIFT] + _MARKS)
    left = marks[(at & _END) >> 5] >> (at & 31)  # marks of the periods from here on
    while count:
        count -= 1
        g = 1
        while g & 1:  # until the last period of a step
            i = at & _END
            if i & 31 == 0:
                if at >= end:
                    return -1
                if i == 0:
                    word = ptr32(pieces[at >> _SHIFT])
                    marks = ptr32(pieces[at >> _SHIFT] + _MARKS)
                left = marks[i >> 5]
            at += 1
            g = left
            left >>= 1
        g = word[i]
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
        self.memory = []
        gc.collect()
        most = min(_MOST, gc.mem_free() // (_BYTES + _LISTED))
        self.distance = 2 * most + 2
        self.lists = array("I", bytes(4 * (2 * self.distance + (most >> 1) + 4)))
        self.pieces = array("I", bytes(4 * most + 4))
        spare = [bytearray(1024) for _ in range(_SPARE + (gc.mem_free() >> 14))]
        try:
            while len(self.memory) < most:
                self.memory.append(bytearray(_BYTES))
                self.pieces[len(self.memory) - 1] = uctypes.addressof(self.memory[-1])
        except MemoryError:
            pass
        del spare
        gc.collect()
        link.words[_FAR] = len(self.memory) - 1
        self.room = len(self.memory) * 4 // 5 * _PIECE - 1
        self.hello = struct.pack("<BIIIIII", 0, self.room, uctypes.addressof(self.lists), 4 * self.distance,
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
        self.end = _load(self.end, 0, 0, payload[1:], len(payload) - 1, self.pieces, self.link.words, self.room)
        if self.end < 0:
            raise _Stop("bad step codes of a burst")
        return struct.pack("<I", self.end)

    def play(self, payload):
        for i in range(6, len(payload), 6):
            at, value = struct.unpack("<HI", payload[i : i + 6])
            self.ops[at] = value
        _chain(self.lists, self.pieces, self.end + 1, self.distance, self.link.words)
        operations, clock = struct.unpack("<HI", payload[:6])
        own = machine.freq()
        volts = _REGULATOR and machine.mem32[_REGULATOR]
        boosted = _REGULATOR and clock > _PLAIN_CLOCK and volts >> 4 & 15 < 12
        try:
            if boosted:
                machine.mem32[_REGULATOR] = volts & ~0xF0 | 12 << 4
                time.sleep_ms(1)
            if clock:
                machine.freq(clock)
            _do(self.ops, operations)
        finally:
            if clock:
                machine.freq(own)
            if boosted:
                machine.mem32[_REGULATOR] = volts
        return bytes(memoryview(self.found)[:_FOUND])

    def samples(self, payload):
        n = struct.unpack("<H", payload)[0]
        if n > _STEPS:
            raise _Stop("too many samples at a time")
        n = _samples(0, 0, 0, self.pieces, n, self.link.packed, self.link.words, self.end)
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


# A missing resource is an answer and does not end the program: a nonzero byte and the reason.
def _begin_bursts(link, payload):
    if link.burst is not None:  # it did not have enough room
        link.burst.close()
    try:
        return _Burst(link, payload).hello
    except (ImportError, AttributeError, MemoryError, OSError, ValueError) as e:
        return b"\1" + (type(e).__name__ + ": " + str(e)).encode()
