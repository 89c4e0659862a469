# What the bench asks a board before the step program runs: what it is, which design is selected, what the chip's ROM says.
# Sent over the raw REPL; nothing is stored on the board. Each function prints one line of JSON behind a mark.
import sys, os, json, time, machine, binascii
from machine import Pin


def _say(value):
    print("\nbench-answer:" + json.dumps(value))


# The SDK's own view of the board, or None. A board that was interrupted while it started has the SDK but no tt: get() makes it.
def _sdk():
    try:
        from ttboard.demoboard import DemoBoard
    except ImportError:
        return None
    return DemoBoard.get()


def _facts():
    try:
        uname = os.uname()
        machine_name, firmware = uname.machine, uname.release
    except AttributeError:
        machine_name = sys.implementation._machine
        firmware = ".".join(str(n) for n in sys.implementation.version[:3])
    facts = {
        "machine": machine_name,
        "firmware": firmware,
        "hertz": machine.freq(),
        "id": binascii.hexlify(machine.unique_id()).decode(),
    }
    tt = _sdk()
    if tt:
        facts["sdk"] = _sdk_facts(tt)
    _say(facts)


def _sdk_facts(tt):
    import ttboard

    rom = tt.chip_ROM  # before the design: reading the ROM deselects it
    facts = {"version": ttboard.VERSION, "shuttle": rom.shuttle, "commit": rom.commit, "repo": rom.repo}
    try:
        from ttboard.boot.demoboard_detect import DemoboardDetect

        facts["carrier"] = DemoboardDetect.PCB_str()
    except (ImportError, AttributeError):
        pass
    design = tt.shuttle.enabled
    if design:
        facts["design"] = design.name
        facts["number"] = design.count
    if tt.is_auto_clocking:
        facts["clock"] = tt.project_clk.freq()
    return facts


# Select a design by name or number through the SDK, and stop the clock that it may make. Says what is selected then.
def _enable(design):
    tt = _sdk()
    try:
        project = tt.shuttle[design] if isinstance(design, int) else tt.shuttle.get(design)
        project.enable()
    except (AttributeError, KeyError):
        pass
    if tt.is_auto_clocking:
        tt.clock_project_stop()
    now = tt.shuttle.enabled
    _say({"name": now.name, "number": now.count} if now else {})


# Select a design by pulses on the shuttle's mux. With a select pin the board has a multiplexer, whose other side are
# outputs of the project: the three lines are released before it turns.
def _mux(nrst, inc, ena, select, quiet, number):
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
    _say(True)


# The text of the chip's ROM, which is design 0 and has to be selected; None without its marks.
def _rom(ui, uo):
    ui = [Pin(n, Pin.OUT, value=0) for n in ui]
    uo = [Pin(n, Pin.IN, None) for n in uo]

    def at(address):
        for i in range(8):
            ui[i].value((address >> i) & 1)
        time.sleep_ms(1)
        return sum(uo[i].value() << i for i in range(8))

    text = None
    if at(0) == 0x78 and at(129) == 0:
        text = bytes(at(i) for i in range(32, 128)).split(b"\0")[0].decode()
    for pin in ui:
        pin.init(Pin.IN, None)
    _say(text)


# Which of these pins, wired to inputs of the chip, something else holds high: [against a pull-down, against a low output].
def _held(pins):
    seen = [[], []]
    for i, n in enumerate(pins):
        pin = Pin(n, Pin.IN, Pin.PULL_DOWN)
        time.sleep_ms(1)
        if pin.value():
            seen[0].append(i)
            pin.init(Pin.OUT, value=0)
            time.sleep_ms(1)
            if pin.value():
                seen[1].append(i)
        pin.init(Pin.IN, None)
    _say(seen)


# Drive nothing any more.
def _release():
    for n in range(48):
        try:
            Pin(n, Pin.IN, None)
        except ValueError:
            break
    _say(True)


def _forget():
    _say(True)
    for name in ("_say", "_sdk", "_facts", "_sdk_facts", "_enable", "_mux", "_rom", "_held", "_release", "_forget"):
        globals().pop(name, None)
