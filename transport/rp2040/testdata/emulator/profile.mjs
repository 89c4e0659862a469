// A profile of the emulated board: cycles by address, and cycles spent in waiting.
import fs from 'node:fs';

export function profiler(file, { mcu }) {
  const spent = { rom: new Float64Array(1 << 14), flash: new Float64Array(1 << 20), ram: new Float64Array(1 << 19) };
  const bases = { rom: 0, flash: 0x10000000, ram: 0x20000000 };
  let idle = 0;
  return {
    idle(cycles) { idle += cycles; },
    note(pc, cycles) {
      const memory = pc >= bases.ram ? spent.ram : pc >= bases.flash ? spent.flash : spent.rom;
      memory[(pc & 0xffffff) >> 1] += cycles;
    },
    write() {
      const lines = ['idle ' + idle];
      for (const [name, base] of Object.entries(bases)) {
        spent[name].forEach((n, i) => { if (n) lines.push((base + 2 * i).toString(16) + ' ' + n); });
      }
      fs.writeFileSync(file, lines.join('\n') + '\n');
      fs.writeFileSync(file + '.ram', mcu.sram);
    },
  };
}
