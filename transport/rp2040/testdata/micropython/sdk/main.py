# A demo board's main.py, run at power-up and at Ctrl-D on the friendly prompt, in the order of SDK 1.2.2, 2.0.4 and
# 3.0.6: imports, tt = None, the probe, the DemoBoard.
import gc
import micropython
from ttboard.boot.demoboard_detect import DemoboardDetect
from ttboard.demoboard import DemoBoard

tt = None
DemoboardDetect.probe()
tt = DemoBoard()
print("\x1b[36mTiny Tapeout demo board, SDK %s, chip of %s\x1b[0m" % (tt.version, tt.shuttle.run))
