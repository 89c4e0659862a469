from machine import Pin
from ttboard import _says, _version
from ttboard.pins.gpio_map import GPIOMap, _TT04, _TT06


class DemoboardDetect:
    PCB = 0  # 1.2, 2.0: 1 TT04/TT05, 2 TT06+; 3.0: 3
    CarrierPresent = None
    CarrierVersion = None  # only set by 3.0: 1 chip, 2 FPGA, 0 none

    @classmethod
    def PCB_str(cls):
        return ["UNKNOWN", "TT04/TT05", "TT06+", "TTDBv3"][cls.PCB]

    # Disturbs the pins: the selected design loses the mux, and clk its PWM.
    @classmethod
    def probe(cls):
        if _version[0] >= 2:  # 1.2 does not release them first
            for n in range(41 if _version[0] >= 3 else 29):
                Pin(n, Pin.IN, Pin.PULL_DOWN)
        if _version[0] >= 3:
            cls.PCB = 3
            cls.CarrierVersion = {"": 1, "FPGA": 2, "none": 0}[_says["carrier"]]
            cls.CarrierPresent = True if cls.CarrierVersion else None
            return bool(cls.CarrierVersion)
        for level in (0, 1):  # rst_n on a TT06+ board
            Pin(1, Pin.OUT, value=level)
        cls.PCB = 1 if _says["multiplexer"] else 2
        cls.CarrierPresent = True if cls.PCB == 2 else None
        GPIOMap.current = _TT04 if _says["multiplexer"] else _TT06
        return True
