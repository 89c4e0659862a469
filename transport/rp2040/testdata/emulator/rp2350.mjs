// The RP2350 in rp2350js: two Cortex-M33, which boot with the chip's boot ROM, included in the emulator.
import { ERASE, PROGRAM, trap, flashTrap } from './flash.mjs';
import { mend, keepFloats } from './m33.mjs';
import { clockPIO } from './clocked.mjs';
import { RP2350 as layout } from './dma.mjs';

const ERRORS = 3; // level of the emulator's log
const RESET_PAD = 0x116; // isolated, its input off, pulled down

export function start(require, { flash, died }) {
  const { RP2350, USBCDC, ConsoleLogger } = require('rp2350js');
  mend(require);
  const mcu = new RP2350({ coreArch: 'arm' }), [core, other] = mcu.core;
  mcu.logger = new ConsoleLogger(ERRORS, false);
  trap(mcu.bootrom, routine(mcu.bootrom, 'RE'), ERASE);
  trap(mcu.bootrom, routine(mcu.bootrom, 'RP'), PROGRAM);
  mcu.flash.set(flash);
  for (const c of mcu.core) {
    c.onBreak = (n) => flashTrap(mcu, n, c.regs.r) || died(`BKPT ${n} near ${c.PC.toString(16)}`);
    keepFloats(c);
  }
  restartCore(mcu.peripherals[0x40018], other);
  mcu.watchdog.onWatchdogTrigger = () => died('the watchdog, or machine.reset()');
  for (const pin of mcu.gpio) pin.padValue = RESET_PAD;
  mcu.reset();
  const chip = {
    mcu, core, USBCDC, banks: 2, cycleNs: 8, // until the firmware sets the PLL
    clocked: { identifier: 'rp2350', pages: [0x50200, 0x50300, 0x50400], irqs: [15, 17, 19], layout },
    clockPIO: (levels, lost) => clockPIO(require, chip, levels, lost),
    functions: [0x40028, 0x40038].map((page) => mcu.peripherals[page]), // IO_BANK0, PADS_BANK0
    waits: () => core.waiting && other.waiting,
    waited(cycles) {
      core.cycles += cycles;
      other.cycles = core.cycles;
    },
    step() {
      mcu.currentCore = 0;
      const cycles = core.executeInstruction();
      mcu.currentCore = 1;
      if (other.waiting) other.cycles = core.cycles;
      while (other.cycles < core.cycles && !other.waiting) other.executeInstruction();
      mcu.currentCore = 0;
      return cycles;
    },
  };
  followPLL(mcu.peripherals[0x40050], chip);
  return chip;
}

// followPLL gives a cycle the length that the system clock's PLL has been set to (RP2350 datasheet, 8.6).
function followPLL(pll, chip) {
  const PRIM = 0xc, { writeUint32 } = pll; // the dividers of the output, which are set last
  pll.writeUint32 = (offset, value) => {
    writeUint32.call(pll, offset, value);
    if (offset === PRIM) chip.cycleNs = 1e9 / pll.foutpostdiv;
  };
}

// restartCore makes the power-on state machine restart the other core (RP2350 datasheet, 7.4), as in a soft reset of
// MicroPython. The emulator lacks that bit, for which the firmware would wait for ever.
function restartCore(psm, core) {
  const FRCE_OFF = 4, PROC1 = 1 << 24, { readUint32, writeUint32 } = psm;
  let off = 0;
  psm.readUint32 = (offset) => readUint32.call(psm, offset) | (offset === FRCE_OFF ? off : 0);
  psm.writeUint32 = (offset, value) => {
    writeUint32.call(psm, offset, value);
    if (offset !== FRCE_OFF) return;
    if (off && !(value & PROC1)) core.reset();
    off = value & PROC1;
  };
}

// routine finds an entry in the boot ROM's table (RP2350 datasheet, 5.4): a two-letter code, flags, and an address for
// each flag. Flag 2 is for a secure Arm core.
function routine(rom, code) {
  const b = new DataView(rom.buffer), wanted = Buffer.from(code).readUInt16LE();
  const ones = (flags) => flags.toString(2).replaceAll('0', '').length;
  for (let at = b.getUint16(0x14, true), flags; b.getUint16(at, true); at += 4 + 2 * ones(flags)) {
    flags = b.getUint16(at + 2, true);
    if (b.getUint16(at, true) === wanted && flags & 4) return b.getUint16(at + 4 + 2 * ones(flags & 3), true);
  }
  throw new Error('the boot ROM has no ' + code);
}
