// A demo board's microcontroller in a cycle-accurate emulator, with MicroPython's own firmware: an RP2040 or an RP2350,
// depending on the emulator in the folder's node_modules, rp2040js or rp2350js. Its USB serial line is on file
// descriptors 0 and 1, its pins are on 3 and 4 (pins.mjs).
//
// With both emulators it is an RP2040 whose PIO is clocked (clocked.mjs).
//
//   node board.mjs [--flash FILE] [--save FILE] [--profile FILE] [--lost SHARE] FOLDER
//
// FOLDER contains firmware.bin, node_modules, and for an RP2040 its boot ROM, rom.bin. --flash is an image of the whole
// flash in place of the firmware's; --save writes one when SIGINT ends the board; --profile writes the time spent by
// address; --lost is the share of cycles that DMA loses.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';
import { parseArgs } from 'node:util';
import { wirePins } from './pins.mjs';
import { serialLine } from './serial.mjs';
import { profiler } from './profile.mjs';

const { values: options, positionals: [folder] } = parseArgs({
  allowPositionals: true, options: { flash: { type: 'string' }, save: { type: 'string' }, profile: { type: 'string' }, lost: { type: 'string', default: '0' } },
});
const require = createRequire(path.resolve(folder, 'x.js'));
const kind = ['rp2040', 'rp2350'].find((k) => fs.existsSync(path.join(folder, 'node_modules', k + 'js')));
if (!kind) throw new Error(`${folder}: no rp2040js and no rp2350js in node_modules`);
const { start } = await import(`./${kind}.mjs`);

const chip = start(require, { folder, flash: fs.readFileSync(options.flash ?? path.join(folder, 'firmware.bin')), died });
const { mcu: { clock }, core } = chip;
const NOMINAL_NS = 8; // a cycle of 125 MHz
chip.forHost = 0; // nominal cycles spent only in waiting for the host
const { flush, levels } = wirePins(chip);
if (chip.clockPIO && fs.existsSync(path.join(folder, 'node_modules', 'rp2350js'))) chip.clockPIO(levels, Number(options.lost));
serialLine(chip, stop);
const profile = options.profile && profiler(options.profile, chip);

function stop() {
  profile?.write();
  if (options.save) fs.writeFileSync(options.save, chip.mcu.flash.subarray(0, chip.mcu.flash.findLastIndex((byte) => byte !== 0xff) + 1));
  process.exit(0);
}
process.on('SIGINT', stop);

function died(why) {
  console.error('the emulated board ends:', why);
  process.exit(4);
}

// While the processor only waits for the host, its time passes no faster than the host's.
const HURRY_NS = 200_000, PAUSE_MS = 1;
function run() {
  for (let i = 0; i < 40_000; i++) {
    if (chip.waits()) {
      const next = clock.nextAlarm ? clock.nanosToNextAlarm : Infinity;
      const ns = Math.min(next, PAUSE_MS * 1e6);
      clock.tick(ns);
      chip.waited(ns / chip.cycleNs);
      profile?.idle(ns / chip.cycleNs);
      if (next <= HURRY_NS) continue;
      chip.forHost += ns / NOMINAL_NS;
      flush();
      setTimeout(run, PAUSE_MS);
      return;
    }
    const pc = core.PC;
    const cycles = chip.step();
    profile?.note(pc, cycles);
    clock.tick(cycles * chip.cycleNs);
  }
  setImmediate(run);
}
run();
