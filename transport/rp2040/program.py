# The bench's step loop for MicroPython on an RP2040 or RP2350. loader.py loads it piece by piece; nothing is stored on
# the board. It exchanges frames on standard input and output. It parks the chip and returns when it is told to quit,
# when an error occurs, or when the host is silent for too long.
#
# The host replaces these names by constants and expressions for the board (wiring.go), since constants are faster than
# a table, and the compiler omits code behind "if 0":
#   _UI_BANK1, _UIO_BANK1                1 if a pin of ui, of uio is in bank 1, else 0
#   _SEEN_BANK1                          1 if a pin of uo or of uio is in bank 1, else 0
#   _LEVELS                              uo | uio << 8, from g and h, the levels of banks 0 and 1
import sys, os, struct, select, time, binascii, machine, micropython
from array import array
from micropython import const

_MAGIC = const(0xA7)
_PAYLOAD = const(1024)
_STEPS = const(1024)
_IN_FLIGHT = const(4)
_HERTZ = const(125_000_000)  # the delays of the step loop assume this frequency
_LOOPS = const(4_000)

# Indices of the table, which the host fills in.
_SETTLE = const(0)
_HIGH = const(2)
_IN = const(4)
_OUT = const(6)
_XOR = const(8)
_OE_SET = const(10)
_OE_CLR = const(12)
_CLK = const(14)
_RST = const(17)
_LAST = const(22)
_LIMIT = const(23)
_SHAPES = const(96)
_FIELDS = const(128)
_UI0 = const(224)
_IO0 = const(480)
_UI1 = const(736)
_IO1 = const(992)
_WORDS = const(1248)


# A substitute for viper's builtin, used only if the firmware has no viper.
class _Register:
    def __init__(self, address):
        self.address = address

    def __getitem__(self, i):
        return machine.mem32[self.address]

    def __setitem__(self, i, value):
        machine.mem32[self.address] = value & 0xFFFFFFFF


ptr32 = _Register


# Apply the n bytes of step codes in src and pack the samples into dst. Return the number of packed bytes, or -1 for bad
# codes.
#
# Viper keeps only the first three parameters in registers, so these are the most used variables: q, the index in dst;
# i, for all computations; and g, the sampled levels. Viper compares slowly, but tests against 0 fast.
@micropython.viper
def _steps(q: int, i: int, g: int, src: ptr8, n: int, dst: ptr8, s: ptr32) -> int:
    settle = s[_SETTLE]
    high = s[_HIGH]
    last = s[_LAST]
    left = s[_LIMIT]
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
    ui0 = out0[0] & s[_UI0 + 255]
    if _UI_BANK1:
        ui1 = out1[0] & s[_UI1 + 255]
    shape = -1  # none: the first run sets everything
    drive = 0
    drive0 = 0
    drive1 = 0
    p = 0
    q = 1
    group = 0
    mask = 0
    bit = 1
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
        left -= count
        if left < 0:
            return -1
        i = s[_SHAPES + (op >> 3)]
        if (i ^ shape) >> 16:
            # release uio; the levels below are the same for the whole run, so this is the turn-around of all its steps
            drive = (i >> 16) & 255
            drive0 = s[_IO0 + drive]
            if _UIO_BANK1:
                drive1 = s[_IO1 + drive]
            oe_clr0[0] = s[_IO0 + (drive ^ 255)]
            if _UIO_BANK1:
                oe_clr1[0] = s[_IO1 + (drive ^ 255)]
            # drive rst_n high only briefly and then leave it to its pull-up, since boards have a button there
            if i >> 24 & 1:
                rst_clr[0] = rst
                rst_drive[0] = rst
            else:
                rst_set[0] = rst
                rst_release[0] = rst
        shape = i
        clocks = (i >> 8) & 255
        every = i >> 25 & 1  # each step has its own ui
        g = p
        if drive:
            g += count
        if every:
            g += count
        if g > n:
            return -1
        g = i & 255
        fresh = 1
        while count:
            count -= 1
            if fresh:
                fresh = every
                if every:
                    g = src[p]
                    p += 1
                i = s[_UI0 + g]
                xor0[0] = ui0 ^ i
                ui0 = i
                if _UI_BANK1:
                    i = s[_UI1 + g]
                    xor1[0] = ui1 ^ i
                    ui1 = i
                i = settle
                while i:
                    i -= 1
            if drive:
                g = src[p]
                p += 1
                # first all levels: a line in the one bank may set the direction of others in the other
                xor0[0] = (out0[0] ^ s[_IO0 + g]) & drive0
                if _UIO_BANK1:
                    xor1[0] = (out1[0] ^ s[_IO1 + g]) & drive1
                    oe_set1[0] = drive1
                oe_set0[0] = drive0
                last ^= (last ^ g << 8) & drive << 8
                i = settle
                while i:
                    i -= 1
            c = clocks
            while c:
                c -= 1
                clk_set[0] = clk
                i = high
                while i:
                    i -= 1
                clk_clr[0] = clk
                i = high
                while i:
                    i -= 1
            g = in0[0]
            if _SEEN_BANK1:
                h = in1[0]
            g = _LEVELS
            i = g ^ last
            last = g
            if i & 255:
                mask |= bit
                dst[q] = g & 255
                q += 1
            if i >> 8:
                mask |= bit << 1
                dst[q] = g >> 8
                q += 1
            bit <<= 2
            if bit & 256:
                dst[group] = mask
                group = q
                q += 1
                mask = 0
                bit = 1
    s[_LAST] = last
    dst[group] = mask
    if bit == 1:
        q -= 1  # the last mask has no steps
    return q


# Generate the steps of the given number of cases, apply them, and store uo | uio << 8 of each step in dst. src has the
# codes of one case, with no long run and at most one clock per step. Its fields, which end at word end, follow the
# counter. Return the number of steps. For speed it does not pack, and does not check the codes: the host ensures that
# they are complete.
@micropython.viper
def _cases(q: int, i: int, g: int, src: ptr8, n: int, dst: ptr16, s: ptr32, counter: int, cases: int, end: int) -> int:
    settle = s[_SETTLE]
    high = s[_HIGH]
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
    ui0 = out0[0] & s[_UI0 + 255]
    if _UI_BANK1:
        ui1 = out1[0] & s[_UI1 + 255]
    shape = -1
    drive = 0
    drive0 = 0
    drive1 = 0
    q = 0
    while cases:
        cases -= 1
        i = _FIELDS
        while end - i:
            src[s[i]] = s[i + 1] | (counter >> s[i + 2]) & s[i + 3]
            i += 4
        counter += 1
        p = 0
        while n - p:
            count = src[p]
            p += 1
            i = s[_SHAPES + (count >> 3)]
            count = (count & 7) + 1
            if (i ^ shape) >> 16:
                drive = (i >> 16) & 255
                drive0 = s[_IO0 + drive]
                oe_clr0[0] = s[_IO0 + (drive ^ 255)]
                if _UIO_BANK1:
                    drive1 = s[_IO1 + drive]
                    oe_clr1[0] = s[_IO1 + (drive ^ 255)]
                if i >> 24:
                    rst_clr[0] = rst
                    rst_drive[0] = rst
                else:
                    rst_set[0] = rst
                    rst_release[0] = rst
            shape = i
            clocks = (i >> 8) & 255
            g = i & 255
            i = s[_UI0 + g]
            xor0[0] = ui0 ^ i
            ui0 = i
            if _UI_BANK1:
                i = s[_UI1 + g]
                xor1[0] = ui1 ^ i
                ui1 = i
            i = settle
            while i:
                i -= 1
            while count:
                count -= 1
                if drive:
                    g = src[p]
                    p += 1
                    xor0[0] = (out0[0] ^ s[_IO0 + g]) & drive0
                    if _UIO_BANK1:
                        xor1[0] = (out1[0] ^ s[_IO1 + g]) & drive1
                        oe_set1[0] = drive1
                    oe_set0[0] = drive0
                    i = settle
                    while i:
                        i -= 1
                if clocks:
                    clk_set[0] = clk
                    i = high
                    while i:
                        i -= 1
                    clk_clr[0] = clk
                    i = high
                    while i:
                        i -= 1
                g = in0[0]
                if _SEEN_BANK1:
                    h = in1[0]
                dst[q] = _LEVELS
                q += 1
    return q


class _Stop(Exception):
    pass


# Handle the rarer frames. Code comes in parts; the first byte of the last part is 1. If it does not compile, answer
# with the error; the program does not end.
def _other(link, kind, payload):
    if kind == 0x58:  # X
        link.text += bytes(payload[1:])
        if payload[0]:
            text, link.text = link.text, b""
            try:
                exec(text, globals())
            except (SyntaxError, MemoryError) as e:
                return (type(e).__name__ + ": " + str(e)).encode()
        return b""
    if kind == 0x41:  # A
        return _begin_bursts(link, payload)
    if link.burst is None:
        raise _Stop("a frame of unknown kind")
    return link.burst.answer(kind, payload)


# Return an array of n zeros. Made from bytes it would take twice the contiguous memory.
def _zeros(code, n):
    a = array(code, range(n))
    for i in range(n):
        a[i] = 0
    return a


# The chip's side of the program. It is a class of its own, since a board compiles a class in one piece.
class _Chip:
    def __init__(self):
        self.words = _zeros("I", _WORDS if _UI_BANK1 or _UIO_BANK1 else _UI1)  # without empty tables
        self.packed = memoryview(bytearray(9 * _STEPS // 4 + 20))
        self.levels = memoryview(_zeros("H", _STEPS))
        self.ready = False  # the pins are set up
        self.released = None  # pin of clk, to release at the end

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
        return b""

    def fill(self, payload, words):
        at = struct.unpack("<H", payload[:2])[0]
        for i in range(2, len(payload), 4):
            words[at] = struct.unpack("<I", payload[i : i + 4])[0]
            at += 1

    # Apply codes. Return the packed samples.
    def steps(self, codes):
        if not self.ready:
            raise _Stop("steps before the pins")
        n = _steps(0, 0, 0, codes, len(codes), self.packed, self.words)
        if n < 0:
            raise _Stop("bad step codes")
        return self.packed[:n]

    # Apply the steps of cases. Return the CRC-32 of uo and uio of all steps.
    def sign(self, payload):
        counter, cases, per, fields, defined = struct.unpack("<IHHBB", payload[:10])
        if not 0 < per <= _STEPS or not cases or fields > 16:
            raise _Stop("a run that cannot be")
        end = 4 * fields
        for i in range(end):
            self.words[_FIELDS + i] = payload[10 + i]
        self.steps(payload[10 + end : 10 + end + defined])
        codes = payload[10 + end + defined :]
        self.words[_LAST] = 0
        crc = 0
        while cases:
            per = min(per, cases)
            n = _cases(0, 0, 0, codes, len(codes), self.levels, self.words, counter, per, _FIELDS + end)
            crc = binascii.crc32(self.levels[:n], crc)
            counter += per
            cases -= per
        return struct.pack("<I", crc & 0xFFFFFFFF)

    # Define a shape equal to transport.ParkStep, and apply it once.
    def park(self):
        if self.ready:
            _steps(0, 0, 0, bytearray(b"\xf9\x00\x00\x00\x00\x00"), 6, self.packed, self.words)


class _Link(_Chip):
    def __init__(self, silent):
        super().__init__()
        self.silent = silent  # ms
        self.source = memoryview(bytearray(_PAYLOAD + 12))
        self.head = self.source[:8]  # slices are kept, since each new one hastens the next garbage collection
        self.checked = self.source[:6]
        self.poll = select.poll()
        self.poll.register(sys.stdin, select.POLLIN)
        self.seq = 0
        self.reading = None  # time since which the rest of a frame is missing
        self.text = b""  # code received so far
        self.burst = None  # _Burst of burst.py, once it is needed

    def send(self, kind, seq, payload):
        head = struct.pack("<BBHH", _MAGIC, kind, seq, len(payload))
        head += struct.pack("<H", binascii.crc32(head) & 0xFFFF)
        crc = binascii.crc32(payload, binascii.crc32(head)) & 0xFFFFFFFF
        for part in (head, payload, struct.pack("<I", crc)):
            n = sys.stdout.buffer.write(part)
            if n is not None and n != len(part):
                raise _Stop("output was lost, because the host did not read")

    def receive(self):
        if not self.poll.poll(self.silent):
            raise _Stop("the host was silent")
        self.reading = time.ticks_ms()
        src = self.source
        sys.stdin.buffer.readinto(self.head)
        mark, kind, seq, n, check = struct.unpack("<BBHHH", self.head)
        if mark != _MAGIC or check != binascii.crc32(self.checked) & 0xFFFF:
            raise _Stop("damaged header")
        if n > _PAYLOAD:
            raise _Stop("a frame that is too long")
        sys.stdin.buffer.readinto(src[8 : 12 + n])
        self.reading = None
        if struct.unpack_from("<I", src, 8 + n)[0] != binascii.crc32(src[: 8 + n]) & 0xFFFFFFFF:
            raise _Stop("damaged frame")
        if seq != self.seq:
            raise _Stop("frame %d came, and frame %d was due" % (seq, self.seq))
        self.seq = (seq + 1) & 0xFFFF
        return kind, seq, src[8 : 8 + n]

    # If the host dies within a frame, readinto blocks for ever, so a timer parks the chip.
    def watch(self, timer):
        if self.reading is not None and time.ticks_diff(time.ticks_ms(), self.reading) > self.silent:
            self.reading = None
            self.park()

    def serve(self):
        while True:
            kind, seq, payload = self.receive()
            answer = b""
            if kind == 0x53:  # S
                answer = self.steps(payload)
            elif kind == 0x47:  # G
                answer = self.sign(payload)
            elif kind == 0x57:  # W
                self.fill(payload, self.words)
            elif kind == 0x50:  # P
                answer = self.pins(payload)
            elif kind == 0x51:  # Q
                self.park()
                self.send(kind, seq, answer)
                return
            elif kind != 0x49:  # I
                answer = _other(self, kind, payload)
            self.send(kind, seq, answer)


# The wait of the step loops, for measuring its duration.
@micropython.viper
def _wait(i: int):
    while i:
        i -= 1


# Return the duration of a wait loop on this board in picoseconds, rounded down so that no wait is too short. The
# difference of two measurements removes the overhead, their minimum removes interrupts, and one tick is subtracted for
# the clock's resolution.
def _loop_time():
    least = [1 << 30, 1 << 30]
    for _ in range(10):
        for n in range(2):
            begin = time.ticks_us()
            _wait((n + 1) * _LOOPS)
            least[n] = min(least[n], time.ticks_diff(time.ticks_us(), begin))
    return max(0, least[1] - least[0] - 1) * (1_000_000 // _LOOPS)


# Run the step loop. The host may be silent for the given number of ms.
def serve(viper, silent):
    link = _Link(silent)
    before = machine.freq()
    if before != _HERTZ:
        machine.freq(_HERTZ)
    try:
        machine_name = os.uname().machine
    except AttributeError:
        machine_name = sys.implementation._machine
    hello = struct.pack("<HHHHI", _PAYLOAD, _STEPS, _IN_FLIGHT, viper, _loop_time())
    micropython.kbd_intr(-1)
    timer = machine.Timer(-1)
    timer.init(period=silent // 4, callback=link.watch)
    try:
        sys.stdout.buffer.write(b"\r\nbench-ready\r\n")
        link.send(0x48, 0, hello + machine_name.encode())
        link.serve()
    except _Stop as stop:
        link.park()
        link.send(0x45, link.seq, str(stop).encode())
    finally:
        timer.deinit()
        if link.burst is not None:
            link.burst.close()
        link.park()
        if link.released is not None:
            machine.Pin(link.released, machine.Pin.IN, machine.Pin.PULL_DOWN)
        if before != _HERTZ:
            machine.freq(before)
        micropython.kbd_intr(3)
