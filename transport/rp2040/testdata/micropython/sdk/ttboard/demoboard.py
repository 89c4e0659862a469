import _pins
from machine import Pin, freq
from ttboard import VERSION, _busy, _log, _says, _version
from ttboard.chip_rom import ChipROM, ForcedROM
from ttboard.pins.gpio_map import GPIOMap
from ttboard.project_mux import FPGAMux, FPGAROM, Mux

_busy("imports", 30)  # imports are the first part of a start


class _PWM:
    def __init__(self, hz):
        self._hz = hz

    def freq(self):
        return self._hz


class DemoBoard:
    _one = None
    version = VERSION

    # Without a probe it uses GPIOMap's initial wiring.
    @classmethod
    def get(cls):
        return cls._one or cls()

    def __init__(self):
        if DemoBoard._one and _version[0] >= 2:
            raise RuntimeError("there is a DemoBoard")
        DemoBoard._one = self
        self._pwm = None
        self._set_mode()
        if _says["carrier"] == "FPGA":
            self.shuttle = FPGAMux(self)
            self.chip_ROM = FPGAROM
            return
        self.shuttle = Mux(self)
        self.chip_ROM = ForcedROM() if _says["force"] else ChipROM(self.shuttle)
        run = self.chip_ROM.shuttle
        _busy("index", 30)
        self.shuttle.load(run)
        if self.shuttle.has(_says["project"]):
            self.shuttle[_says["project"]].enable()

    # ASIC_RP_CONTROL: ui and clk are outputs, except ui pins that read high; the rest are inputs with pull-downs.
    def _set_mode(self):
        m = GPIOMap.current
        shared = [m[name] for name in ("nrst", "inc", "ena")]
        for n in GPIOMap.buses["uio"] + GPIOMap.buses["uo"]:
            if n not in shared:
                Pin(n, Pin.IN, Pin.PULL_DOWN)
        for n in GPIOMap.buses["ui"]:
            if Pin(n, Pin.IN, Pin.PULL_DOWN).value():
                _log("WARN", "GPIO%d is held high, and stays an input" % n)
            else:
                Pin(n, Pin.OUT, value=0)
        Pin(m["clk"], Pin.OUT, value=0)
        Pin(m["rst_n"], Pin.IN, Pin.PULL_DOWN)
        if m["select"] is not None:
            Pin(m["select"], Pin.OUT, value=0)
        for n in shared:
            Pin(n, Pin.OUT, value=0)

    # The steps of enable() after the mux: the section of config.ini, or only a reset pulse with the clock stopped.
    def apply(self, name):
        freq(125_000_000)
        self.clock_project_stop()
        Pin(GPIOMap.current["rst_n"], Pin.OUT, value=0)
        Pin(GPIOMap.current["rst_n"], Pin.IN, Pin.PULL_DOWN)
        hz = (_says["clocks"] or {}).get(name, 10 if name == "tt_um_factory_test" else 0)
        if name == "tt_um_factory_test":
            Pin(GPIOMap.buses["ui"][0], Pin.OUT, value=1)
        if hz:
            self.clock_project_PWM(hz)

    def clock_project_PWM(self, hz):
        if hz > 133_000_000 // 2:
            raise AttributeError("'NoneType' object has no attribute 'freq'")
        freq(133_000_000)  # until the project clock divides well
        self._pwm = _PWM(hz)
        _pins.pwm(GPIOMap.current["clk"])

    # The system frequency is not restored, and clk is an input afterwards.
    def clock_project_stop(self):
        self._pwm = None
        Pin(GPIOMap.current["clk"], Pin.IN, Pin.PULL_DOWN)

    @property
    def is_auto_clocking(self):
        return self._pwm if _version[0] < 2 else self._pwm is not None

    @property
    def auto_clocking_freq(self):
        return self._pwm.freq() if self._pwm else 0


# The clock object is called project_clk in 1.2 and clk from 2.0 on.
setattr(DemoBoard, "project_clk" if _version[0] < 2 else "clk", property(lambda tt: tt._pwm or Pin(GPIOMap.current["clk"])))
