# The cases of a sweep in assembler, for suitable microcontrollers. It replaces _cases of program.py and computes the
# CRC while the levels settle. It is sent to a running program.py on first use, and shares its constants.
#
# The host replaces these names by code for the board (cases.go):
#   _UO_IN_R0, _UIO_IN_R0                instructions that extract uo, uio from r4, the levels of the pins, into r0
#   _LEVELS                              uo | uio << 8, from g

# Offsets of this program's own table: SIO's address, loops of each wait, the bits of ui and rst_n, addresses of steps,
# fields and uio's levels, the remaining cases, the counter, the CRC, the latest sample, and the CRC's table for bytes.
_REGISTERS = const(0)
_WAIT_HIGH = const(4)
_WAIT_LOW = const(8)
_WAIT_SETTLE = const(12)
_WAIT_DRIVEN = const(16)
_MASK = const(20)
_STEPS_AT = const(24)
_STEPS_END = const(28)
_FIELDS_AT = const(32)
_FIELDS_END = const(36)
_LEFT = const(40)
_COUNTER = const(44)
_STATE = const(48)
_SAMPLE = const(52)
_BYTES_AT = const(56)
_BYTE = const(124)
_TABLE = const(1148)

_LOOPS_OF = const(52)  # index in the table of program.py: loops of each wait

_SIO = const(0xD0000000)
_SIO_IN = const(0x04)
_SIO_OUT = const(0x10)
_SIO_SET = const(0x14)
_SIO_CLR = const(0x18)
_SIO_XOR = const(0x1C)
_SIO_DRIVE = const(0x24)
_SIO_RELEASE = const(0x28)

# Offsets of a step: lines to release, levels of ui and rst_n, rst_n if driven low, driven lines of uio, their levels,
# clk if pulsed. The next step releases a high rst_n, so that it is driven only briefly; a word after the last step does
# so too.
_FREED = const(0)
_INPUT = const(4)
_IN_RESET = const(8)
_DRIVEN = const(12)
_DATA = const(16)
_PULSED = const(20)
_STEP = const(24)
_MOST_STEPS = const(31)

# Offsets of a field: address of its word, byte without the field, shift, mask.
_WORD = const(0)
_BASE = const(4)
_SHIFT = const(8)
_OF = const(12)
_FIELD = const(16)


# Run the table's cases. r5 is the table, r7 SIO, r6 the step, r2 the present levels of ui and rst_n, r3 the CRC, and r4
# the previous sample, whose uo enters the CRC while levels settle, and whose uio while clk is low.
@micropython.asm_thumb
def _made(r0):
    mov(r5, r0)
    ldr(r7, [r5, _REGISTERS])
    ldr(r2, [r7, _SIO_OUT])
    ldr(r0, [r5, _MASK])
    and_(r2, r0)
    ldr(r3, [r5, _STATE])
    ldr(r4, [r5, _SAMPLE])
    label(CASE)
    ldr(r6, [r5, _FIELDS_AT])
    label(FIELD)
    ldr(r0, [r5, _FIELDS_END])
    cmp(r6, r0)
    beq(FILLED)
    ldr(r0, [r5, _COUNTER])
    ldr(r1, [r6, _SHIFT])
    lsr(r0, r1)
    ldr(r1, [r6, _OF])
    and_(r0, r1)
    ldr(r1, [r6, _BASE])
    orr(r0, r1)
    lsl(r0, r0, 2)
    ldr(r1, [r5, _BYTES_AT])
    add(r0, r0, r1)
    ldr(r0, [r0, 0])
    ldr(r1, [r6, _WORD])
    str(r0, [r1, 0])
    add(r6, _FIELD)
    b(FIELD)
    label(FILLED)
    ldr(r0, [r5, _COUNTER])
    add(r0, 1)
    str(r0, [r5, _COUNTER])
    ldr(r6, [r5, _STEPS_AT])
    label(STEP)
    ldr(r0, [r6, _FREED])
    str(r0, [r7, _SIO_RELEASE])
    ldr(r0, [r6, _INPUT])
    eor(r2, r0)
    str(r2, [r7, _SIO_XOR])
    mov(r2, r0)
    ldr(r0, [r6, _IN_RESET])
    str(r0, [r7, _SIO_DRIVE])
    _UO_IN_R0
    eor(r0, r3)
    lsl(r0, r0, 24)
    lsr(r0, r0, 22)
    add(r0, r0, r5)
    ldr(r0, [r0, _BYTE])
    lsr(r3, r3, 8)
    eor(r3, r0)
    ldr(r1, [r5, _WAIT_SETTLE])
    label(SETTLE)
    sub(r1, 1)
    bge(SETTLE)
    ldr(r0, [r6, _DRIVEN])
    cmp(r0, 0)
    beq(PULSE)
    ldr(r1, [r6, _DATA])
    ldr(r0, [r7, _SIO_OUT])
    eor(r1, r0)
    ldr(r0, [r6, _DRIVEN])
    and_(r1, r0)
    str(r1, [r7, _SIO_XOR])
    str(r0, [r7, _SIO_DRIVE])
    ldr(r1, [r5, _WAIT_DRIVEN])
    label(DRIVEN)
    sub(r1, 1)
    bge(DRIVEN)
    label(PULSE)
    ldr(r0, [r6, _PULSED])
    str(r0, [r7, _SIO_SET])
    ldr(r1, [r5, _WAIT_HIGH])
    label(HIGH)
    sub(r1, 1)
    bge(HIGH)
    str(r0, [r7, _SIO_CLR])
    _UIO_IN_R0
    eor(r0, r3)
    lsl(r0, r0, 24)
    lsr(r0, r0, 22)
    add(r0, r0, r5)
    ldr(r0, [r0, _BYTE])
    lsr(r3, r3, 8)
    eor(r3, r0)
    ldr(r1, [r5, _WAIT_LOW])
    label(LOW)
    sub(r1, 1)
    bge(LOW)
    add(r6, _STEP)
    ldr(r0, [r5, _STEPS_END])
    cmp(r6, r0)
    ldr(r4, [r7, _SIO_IN])
    bne(STEP)
    ldr(r0, [r5, _LEFT])
    sub(r0, 1)
    str(r0, [r5, _LEFT])
    cmp(r0, 0)
    bne(CASE)
    ldr(r0, [r6, _FREED])
    str(r0, [r7, _SIO_RELEASE])
    str(r3, [r5, _STATE])
    str(r4, [r5, _SAMPLE])


# Make a record for each step in the n bytes of codes, and set each field's address. Returns the number of words.
@micropython.viper
def _records(q: int, i: int, g: int, src: ptr8, n: int, out: ptr32, s: ptr32, end: int) -> int:
    rst = s[_RST]
    high = 0
    p = 0
    q = 0
    while p < n:
        count = (src[p] & 7) + 1
        i = s[_SHAPES + (src[p] >> 3)]
        p += 1
        drive = (i >> 16) & 255
        while count:
            count -= 1
            out[q] = s[_IO0 + (drive ^ 255)]
            out[q + 1] = s[_UI0 + (i & 255)]
            out[q + 2] = 0
            if i >> 24:
                out[q + 2] = rst
                high = 0
            else:
                out[q] = out[q] | high
                out[q + 1] = out[q + 1] | rst
                high = rst
            out[q + 3] = s[_IO0 + drive]
            out[q + 4] = 0
            out[q + 5] = 0
            if i >> 8 & 255:
                out[q + 5] = s[_CLK]
            if drive:
                out[q + 4] = s[_IO0 + src[p]]
                g = _FIELDS
                while end - g:
                    if s[g] == p:
                        s[g] = int(out) + 4 * q + _DATA
                    g += 4
                p += 1
            q += _STEP >> 2
    out[q] = high
    return q


class _Maker:
    def __init__(self, link):
        import uctypes

        self.words = link.words
        self.table = t = array("I", bytes(_TABLE))
        for n in range(256):
            t[(_BYTE >> 2) + n] = binascii.crc32(bytes((n ^ 255,))) ^ 0xFF000000
        self.steps = array("I", bytes(_STEP * _MOST_STEPS + 4))
        at = uctypes.addressof(link.words)
        t[_REGISTERS >> 2] = _SIO
        t[_MASK >> 2] = link.words[_UI0 + 255] | link.words[_RST]
        t[_STEPS_AT >> 2] = uctypes.addressof(self.steps)
        t[_FIELDS_AT >> 2] = at + 4 * _FIELDS
        t[_BYTES_AT >> 2] = at + 4 * _IO0

    # Returns the CRC-32 of uo and uio of all steps. Its initial state is such that the two zero bytes of a sample
    # before the first one lead to a CRC's normal initial state.
    def sign(self, counter, cases, fields, codes):
        t = self.table
        for n in range(4):
            t[(_WAIT_HIGH >> 2) + n] = self.words[_LOOPS_OF + n]
        n = _records(0, 0, 0, codes, len(codes), self.steps, self.words, _FIELDS + fields)
        t[_STEPS_END >> 2] = t[_STEPS_AT >> 2] + 4 * n
        t[_FIELDS_END >> 2] = t[_FIELDS_AT >> 2] + 4 * fields
        t[_LEFT >> 2] = cases
        t[_COUNTER >> 2] = counter
        t[_STATE >> 2] = 0x9A1C9D90
        t[_SAMPLE >> 2] = 0
        _made(t)
        g = t[_SAMPLE >> 2]
        crc = binascii.crc32(struct.pack("<H", _LEVELS), t[_STATE >> 2] ^ 0xFFFFFFFF)
        return struct.pack("<I", crc & 0xFFFFFFFF)


# A lack of memory is an answer and does not end the program.
def _begin_cases(link):
    try:
        link.maker = _Maker(link)
    except MemoryError as e:
        return ("MemoryError: " + str(e)).encode()
    return b""
