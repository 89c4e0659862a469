# The first program on a board: it takes pieces of Python and sends answers, both with a check sum, since the REPL has
# none. The host sends this text as a string, compares its CRC-32, and only then runs it in a separate dictionary;
# deleting the dictionary frees everything.
import sys, gc, json, binascii
import __main__

names = globals()


# Run a piece if its CRC-32 is crc.
def do(piece, crc):
    if binascii.crc32(piece) & 0xFFFFFFFF != crc:
        raise ValueError("damaged on the way to the board")
    gc.collect()
    exec(piece, names)


# Answer with a line: mark, CRC-32 of the JSON, the JSON.
def say(value):
    text = json.dumps(value)
    print("\nbench-answer:%08x %s" % (binascii.crc32(text) & 0xFFFFFFFF, text))
