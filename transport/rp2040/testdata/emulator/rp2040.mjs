// The RP2040 in rp2040js. Its boot ROM is a separate file, since no package has it.
import fs from 'node:fs';
import path from 'node:path';
import { clockPIO } from './clocked.mjs';
import { RP2040 as layout } from './dma.mjs';
import { ERASE, PROGRAM, trap, flashTrap } from './flash.mjs';

const FLASH = 0x10000000;

export function start(require, { folder, flash, died }) {
  const { RP2040, USBCDC, ConsoleLogger, LogLevel } = require('rp2040js');
  const mcu = new RP2040(), { core, clock } = mcu;
  mcu.logger = new ConsoleLogger(LogLevel.Error, false);
  const rom = new Uint32Array(mcu.bootrom.length);
  new Uint8Array(rom.buffer).set(fs.readFileSync(path.join(folder, 'rom.bin')));
  trap(rom, routine(rom, 'RE'), ERASE);
  trap(rom, routine(rom, 'RP'), PROGRAM);
  mcu.loadBootrom(rom);
  mcu.flash.set(flash);
  mcu.onBreak = (n) => flashTrap(mcu, n, core.registers) || died(`BKPT ${n} near ${core.PC.toString(16)}`);
  mcu.peripherals[0x40058].onWatchdogTrigger = () => died('the watchdog, or machine.reset()');
  core.PC = FLASH; // second stage of the boot, normally started by the boot ROM
  const chip = {
    mcu, core, USBCDC, banks: 1, cycleNs: 1e9 / mcu.clkSys, // actual system clock
    clocked: { identifier: 'rp2040', pages: [0x50200, 0x50300], irqs: [7, 9], layout },
    clockPIO: (levels, lost) => clockPIO(require, chip, levels, lost),
    functions: [0x40014000, 0x4001c000].map((address) => mcu.findPeripheral(address)), // IO_BANK0, PADS_BANK0
    waits: () => core.waiting,
    waited(cycles) {
      core.cycles += cycles;
      if (core.interruptsUpdated && core.checkForInterrupts()) core.waiting = false;
    },
    step() {
      const before = core.cycles;
      core.executeInstruction();
      return core.cycles - before;
    },
  };
  const volts = regulator(mcu.peripherals[0x40064]);
  mcu.addClockListener((hz) => {
    if (hz > 133e6 && volts() < 1.15) died(`${hz} Hz by a core voltage of ${volts()} V`);
    chip.cycleNs = 1e9 / hz;
  });
  return chip;
}

// regulator adds the core voltage's register, which rp2040js lacks (RP2040 datasheet, 2.10.7), to a peripheral, and
// returns a function that reads the voltage.
function regulator(peripheral) {
  let vreg = 0xb1;
  const { readUint32, writeUint32 } = peripheral;
  peripheral.readUint32 = (at) => (at === 0 ? vreg | 0x1000 : readUint32.call(peripheral, at));
  peripheral.writeUint32 = (at, value) => (at === 0 ? (vreg = value & 0xf3) : writeUint32.call(peripheral, at, value));
  return () => 0.55 + 0.05 * (vreg >> 4);
}

// routine finds an entry in the boot ROM's table (RP2040 datasheet, 2.8.3) of two-letter codes and addresses.
function routine(rom, code) {
  const b = new DataView(rom.buffer), wanted = Buffer.from(code).readUInt16LE();
  for (let at = b.getUint16(0x14, true); b.getUint16(at, true); at += 4) {
    if (b.getUint16(at, true) === wanted) return b.getUint16(at + 2, true);
  }
  throw new Error('the boot ROM has no ' + code);
}
