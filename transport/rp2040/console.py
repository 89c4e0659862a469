# Queries before the step program runs: the board, the selected design, the chip's ROM. loader.py loads these functions
# one by one; each calls say() once.
import os, time, machine
from machine import Pin


# Describe the board. installed: it has Tiny Tapeout's SDK; tt: the SDK has started.
def facts():
    try:
        uname = os.uname()
        name, firmware = uname.machine, uname.release
    except AttributeError:
        name = sys.implementation._machine
        firmware = ".".join(str(n) for n in sys.implementation.version[:3])
    try:
        import ttboard

        installed = True
    except ImportError:
        installed = False
    gc.collect()
    say(
        {
            "machine": name,
            "firmware": firmware,
            "hertz": machine.freq(),
            "id": binascii.hexlify(machine.unique_id()).decode(),
            "free": gc.mem_free(),
            "installed": installed,
            "tt": hasattr(getattr(__main__, "tt", None), "shuttle"),
        }
    )


# Return a nested attribute, or None if one is missing: generations of the SDK differ.
def attribute(value, *path):
    for name in path:
        value = getattr(value, name, None)
    return value


# Describe the SDK, its board, the chip's ROM as the SDK read it at its start, and its clock. This reads only data
# stored by the SDK: it affects no pin, and calls no function that would make a DemoBoard.
def sdk():
    tt = __main__.tt
    import ttboard

    rom = tt.chip_ROM
    detect = attribute(sys.modules.get("ttboard.boot.demoboard_detect"), "DemoboardDetect")
    read = getattr(rom, "contents", None) or {}
    say(
        {
            "version": getattr(ttboard, "VERSION", "0.0.0"),
            "pcb": attribute(detect, "PCB"),
            "carrier": detect.PCB_str() if hasattr(detect, "PCB_str") else None,
            "present": attribute(detect, "CarrierPresent"),
            "kind": attribute(detect, "CarrierVersion"),
            "shuttle": rom.shuttle,
            "repo": rom.repo,
            "commit": rom.commit,
            "read": bool(read.get("repo")),
            "clock": attribute(tt, "auto_clocking_freq") or 0 if tt.is_auto_clocking else 0,
        }
    )


# Stop the SDK's clock. Say the microcontroller's frequency afterwards.
def stop_clock():
    __main__.tt.clock_project_stop()
    say(machine.freq())


# Select a design by pulses on the shuttle's mux. A board with a select pin has a multiplexer that otherwise connects
# outputs of the project, so the three lines are released before it switches back.
def mux(nrst, inc, ena, select, quiet, number):
    for n in quiet:
        Pin(n, Pin.IN, None)
    if select >= 0:
        Pin(select, Pin.OUT, value=0)
    nrst, inc, ena = [Pin(n, Pin.OUT, value=0) for n in (nrst, inc, ena)]
    time.sleep_ms(10)
    nrst.value(1)
    time.sleep_ms(10)
    for i in range(number):
        inc.value(1)
        time.sleep_ms(1)
        inc.value(0)
        time.sleep_ms(1)
    ena.value(1)
    if select >= 0:
        for line in (nrst, inc, ena):
            line.init(Pin.IN, None)
        Pin(select, Pin.OUT, value=1)
    say(True)


# Say the bytes at these addresses of the chip's ROM, which is design 0 and has to be selected. The host checks whether
# they belong to a ROM.
def rom(ui, uo, addresses):
    ui = [Pin(n, Pin.OUT, value=0) for n in ui]
    uo = [Pin(n, Pin.IN, None) for n in uo]

    def at(address):
        for i in range(8):
            ui[i].value((address >> i) & 1)
        time.sleep_ms(1)
        return sum(uo[i].value() << i for i in range(8))

    read = [at(i) for i in addresses]
    for pin in ui:
        pin.init(Pin.IN, None)
    say(read)


# Return whether two pins show the bench's levels only if these are equal. The last levels are low, as held requires.
def together(one, other):
    seen = []
    for levels in ((1, 1), (1, 0), (0, 1), (0, 0)):
        pins = [Pin(n, Pin.OUT, value=v) for n, v in zip((one, other), levels)]
        time.sleep_us(20)
        seen.append(tuple([pin.value() for pin in pins]))
        for pin in pins:
            pin.init(Pin.IN, None)
    return seen[0] == (1, 1) and seen[3] == (0, 0) and all([a == b for a, b in seen[1:3]])


# Say what drives these pins, which are wired to the chip's inputs, apart from the bench: high after their release, high
# against the bench, low against it, changing after their release; and which pins are shorted to each other. Each pin is
# finally driven low and then released without a pull: a pull-down would leave a pin of an RP2350 A2 near 2.2 V and
# indicate a switch that does not exist (erratum RP2350-E9).
def held(pins):
    seen = [[], [], [], []]
    free = []
    for i, n in enumerate(pins):
        pin = Pin(n, Pin.OUT, value=1)
        time.sleep_us(20)
        if not pin.value():
            seen[2].append(i)
        pin.value(0)
        time.sleep_us(20)
        if pin.value():
            seen[1].append(i)
        pin.init(Pin.IN, None)
        time.sleep_ms(1)
        if pin.value():
            seen[0].append(i)
        free.append(pin)
    levels = [pin.value() for pin in free]
    changes = [0] * len(free)
    for _ in range(20):
        time.sleep_ms(1)
        for i, pin in enumerate(free):
            level = pin.value()
            changes[i] += level != levels[i]
            levels[i] = level
    seen[3] = [i for i, n in enumerate(changes) if n > 1]
    pairs = [(i, j) for j in range(len(pins)) for i in range(j) if together(pins[i], pins[j])]
    say({"loose": seen[0], "high": seen[1], "low": seen[2], "moving": seen[3], "pairs": pairs})


# Release all pins.
def release():
    for n in range(48):
        try:
            Pin(n, Pin.IN, None)
        except ValueError:
            break
    say(True)
