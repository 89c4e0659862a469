// Corrections of rp2350js 2.0.1's Cortex-M33 that MicroPython needs: the GPIO coprocessor, which machine.Pin uses, and
// FPU registers with contents other than floats.
import path from 'node:path';

// mend makes the emulator's decoders try the ones below first.
export function mend(require) {
  const folder = path.join(path.dirname(require.resolve('rp2350js')), 'cortex-m33');
  const before = (file, name, first) => {
    const module = require(path.join(folder, file)), former = module[name];
    module[name] = (core, hw0, hw1) => first(core, hw0, hw1) ?? former(core, hw0, hw1);
  };
  before('coprocessor.js', 'coprocessorExecute', gpioCoprocessor);
  before('execute-fpu.js', 'fpuExecute', move);
}

const COPROCESSOR0 = 3, FPU = 3 << 20; // in CPACR: full access

// Offsets of SIO's registers for levels and GPIO0 to 31, and the increments for directions and for GPIO32 and above.
const IN = 0x04, OUT = 0x10, SET = 0x18, CLR = 0x20, XOR = 0x28, DIRECTION = 0x20, HIGH = 4;
const ways = [OUT, XOR, SET, CLR];

// The GPIO coprocessor (RP2350 datasheet, 3.6.1). rp2350js mistakes other instructions for it, and has 30 pins. Each
// function returns the instruction's cycles, or nothing for other instructions.
function gpioCoprocessor(core, hw0, hw1) {
  if (hw1 >> 8 & 15 || !(core.ppb().cpacr & COPROCESSOR0)) return;
  const { sio } = core.chip;
  const port = {
    r: core.regs.r, m: hw1 & 15, t: hw1 >> 12, base: hw1 & 4 ? DIRECTION : 0,
    write: (offset, value) => sio.writeUint32(offset, value >>> 0, core.coreIndex),
    read: (offset) => sio.readUint32(offset, core.coreIndex) >>> 0,
    pin(way, n) { this.write(way + this.base + (n & 32 ? HIGH : 0), 1 << (n & 31)); },
  };
  if ((hw0 & 0xffe0) === 0xec40) twoRegisters(port, hw0, hw1);
  else oneRegister(core, port, hw0);
  return 1;
}

function twoRegisters(port, hw0, hw1) { // MRRC, MCRR
  const { r, m, t, base, write, read } = port, u = hw0 & 15, op = hw1 >> 4 & 15, way = ways[op & 3] + base;
  if (hw0 & 0x10) { // both banks
    const from = m & 8 ? IN : OUT + base;
    r[t] = read(from);
    r[u] = read(from + HIGH);
  } else if (op < 4) { // both banks
    write(way, r[t]);
    write(way + HIGH, r[u]);
  } else if (op === 4) { // one pin, its level or direction
    port.pin(r[u] & 1 ? SET : CLR, r[t]);
  } else if (op < 8) { // one pin, conditional on a bit
    if (r[u] & 1) port.pin(ways[op & 3], r[t]);
  } else { // one bank, by its number
    write(way + (r[u] & 1 ? HIGH : 0), r[t]);
  }
}

function oneRegister({ regs }, port, hw0) { // MRC, MCR
  const { r, m, t, base, write, read } = port, op = hw0 >> 5 & 7, bank = m & 1 ? HIGH : 0;
  if (hw0 & 0x10) {
    const value = read((m & 8 ? IN : OUT + base) + bank);
    if (t === 15) regs.xpsr = (regs.xpsr & 0x0fffffff) | (value & 0xf0000000); // the flags
    else r[t] = value;
  } else if (op < 4) {
    write(ways[op] + base + bank, r[t]);
  } else if (op > 4) {
    port.pin(ways[op & 3], r[t]);
  }
}

// Loads, stores and moves of the FPU's registers. rp2350js loads only half of a double register, and converts arbitrary
// bits to floats: the Pico's SDK keeps -1 in one, and cancelled alarms were never freed.
function move(core, hw0, hw1) {
  if ((core.ppb().cpacr & FPU) !== FPU) return;
  const { r } = core.regs, s = bitsOf(core.regs);
  const double = hw1 & 0x100, load = hw0 & 0x10, n = hw0 & 15, t = hw1 >> 12;
  const numbered = (field, extra) => (double ? (extra << 4 | field) << 1 : field << 1 | extra); // number of the single register
  const d = numbered(t, hw0 >> 6 & 1), m = numbered(hw1 & 15, hw1 >> 5 & 1);
  const memory = (address, count) => {
    for (let i = 0; i < count; i++, address += 4) {
      if (load) s[d + i] = core.chip.readUint32(address >>> 0);
      else core.chip.writeUint32(address >>> 0, s[d + i]);
    }
  };
  const swap = (registers) => registers.forEach((k, i) => { if (load) r[k] = s[m + i]; else s[m + i] = r[k]; });
  if ((hw0 & 0xff20) === 0xed00) { // VLDR, VSTR
    const base = n === 15 ? core.regs.pc & ~3 : r[n], offset = (hw1 & 255) << 2;
    memory(hw0 & 0x80 ? base + offset : base - offset, double ? 2 : 1);
    return 2;
  }
  if ((hw0 & 0xffe0) === 0xec40) { // VMOV of two words
    swap([t, n]);
    return 1;
  }
  if ((hw0 & 0xfe00) === 0xec00 && hw0 & 0x1a0) { // VLDM, VSTM, VPUSH, VPOP
    const count = hw1 & (double ? 0xfe : 0xff), down = r[n] - 4 * count, up = r[n] + 4 * count, rises = hw0 & 0x80;
    memory(rises ? r[n] : down, count);
    if (hw0 & 0x20) r[n] = (rises ? up : down) >>> 0;
    return 1 + count;
  }
  if ((hw0 & 0xffe0) === 0xee00 && (hw1 & 0x7f) === 0x10 && !double) { // VMOV of one word
    const k = n << 1 | hw1 >> 7 & 1;
    if (load) r[t] = s[k];
    else s[k] = r[t];
    return 1;
  }
}

const views = new WeakMap();
function bitsOf(regs) { // the single registers as words
  if (!views.has(regs)) views.set(regs, new Uint32Array(regs.s.buffer));
  return views.get(regs);
}

// keepFloats saves interrupted code's FPU registers here instead of on its stack, where rp2350js writes numbers instead
// of bits.
export function keepFloats(core) {
  const kept = [], s = bitsOf(core.regs), { exceptionEntry, exceptionReturn } = core;
  core.exceptionEntry = function (n) {
    const { pc } = this.regs;
    exceptionEntry.call(this, n);
    if (this.regs.ipsr === n && this.regs.pc !== pc) kept.push([s.slice(0, 16), this.regs.fpscr]);
  };
  core.exceptionReturn = function (value) {
    exceptionReturn.call(this, value);
    const last = kept.pop();
    if (!last) return;
    s.set(last[0]);
    this.regs.fpscr = last[1];
  };
}
