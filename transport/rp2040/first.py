# Measurements of a board that docs/first-board.md lists, before a design is selected. Nothing here drives a line that
# something else may drive, except for 20 us. Each function calls say() once.


# Say the levels of outputs of the bench that are driven high, then low. Each stays low.
def follow(pins):
    seen = []
    for n in pins:
        pin = Pin(n, Pin.OUT, value=1)
        time.sleep_us(20)
        high = pin.value()
        pin.value(0)
        time.sleep_us(20)
        seen.append([high, pin.value()])
    say(seen)


# Say the level of a line that is driven low, then released without a pull, then with the pull-up of the
# microcontroller. It is never driven high, since a button may hold it.
def released(n):
    pin = Pin(n, Pin.OUT, value=0)
    time.sleep_us(20)
    seen = [pin.value()]
    for pull in (None, Pin.PULL_UP):
        pin.init(Pin.IN, pull)
        time.sleep_ms(1)
        seen.append(pin.value())
    say(seen)


# Say the levels of undriven lines, first with pull-ups, then after they were discharged.
def undriven(pins):
    seen = []
    for n in pins:
        pin = Pin(n, Pin.IN, Pin.PULL_UP)
        time.sleep_ms(1)
        high = pin.value()
        pin.init(Pin.IN, Pin.PULL_DOWN)
        time.sleep_ms(1)
        low = pin.value()
        pin.init(Pin.IN, None)
        seen.append([high, low])
    say(seen)


# Say whether a line that was high and is released to a pull-down stays high (erratum RP2350-E9).
def stays(n):
    pin = Pin(n, Pin.OUT, value=1)
    time.sleep_us(20)
    pin.init(Pin.IN, Pin.PULL_DOWN)
    time.sleep_ms(1)
    high = pin.value()
    pin.init(Pin.OUT, value=0)
    pin.init(Pin.IN, None)
    say(high)


# Say what the factory test shows on uo: during the reset, which line of uo follows each of ui; after it, which follows
# each of uio; and its count, with ui 01, before and after each of eight edges of clk. It drives uio only if uo has
# followed ui, since another design might drive uio too.
def factory(ui, uo, uio, clk, rst):
    ui = [Pin(n, Pin.OUT, value=0) for n in ui]
    uo = [Pin(n, Pin.IN, None) for n in uo]
    clk, rst = [Pin(n, Pin.OUT, value=0) for n in (clk, rst)]

    def look():
        time.sleep_ms(1)
        return sum(uo[i].value() << i for i in range(8))

    def walk(pins):
        seen = []
        for pin in pins:
            pin.value(1)
            seen.append(look())
            pin.value(0)
        return seen

    first, second, count = walk(ui), [], []
    if sorted(first) == [1, 2, 4, 8, 16, 32, 64, 128]:
        rst.init(Pin.IN, Pin.PULL_UP)
        look()
        pins = [Pin(n, Pin.OUT, value=0) for n in uio]
        second = walk(pins)
        for pin in pins:
            pin.init(Pin.IN, None)
        rst.init(Pin.OUT, value=0)
        ui[0].value(1)
        look()
        rst.init(Pin.IN, Pin.PULL_UP)
        count.append(look())
        for i in range(8):
            clk.value((i + 1) & 1)
            count.append(look())
    rst.init(Pin.OUT, value=0)
    for pin in ui + [clk]:
        pin.init(Pin.IN, None)
    say([first, second, count])
