// Connects the emulated microcontroller's pins to file descriptors 3 and 4.
//
// Messages on 3 contain the kind, 1 byte, the offset of the register in SIO and a value, 4 bytes each, and the
// nanoseconds since the start, an 8-byte float, all little-endian.
//   R  a read of a register of pin levels; only reads have an answer, a word on 4. The value counts the nominal cycles
//      spent in waiting for the host
//   P  a PIO's read of the levels of 32 pins, starting at the pin given in place of the offset; the answer has the
//      levels before any change at the given time, not the present ones
//   W  a change of levels or directions. The offset is that of the equivalent write to SIO, even if another part of the
//      microcontroller, such as PWM, drives the pin
//   U  a change of pull-ups: the value is the pulled-up pins of the bank given in place of the offset
import fs from 'node:fs';

const SIO = 5; // the function of a pin
const PUT = 0, SET = 1, CLR = 2, XOR = 3, DIRECTION = 4; // order of the registers, levels before directions
const LENGTH = 17; // bytes of a message
const OFF = 0x180; // bits of a pad: output disabled, or isolated (RP2350)

// wirePins connects a chip, given its number of banks of 32 pins and the peripherals of functions and pads. It returns
// a function that sends pending messages, and one that reads the levels of 32 pins as they were some cycles ago.
export function wirePins(chip) {
  const { mcu: { sio, gpio }, banks, functions } = chip;
  const { message, flush, ask } = channel(chip);
  const at = (way, bank) => 0x10 + 4 * (banks * way + bank); // 0x10 is the first writable register
  const state = Array.from({ length: banks }, () => ({ out: 0, oe: 0, told: { out: 0, oe: 0 }, sio: 0, others: [], readable: 0, up: 0 }));
  if (banks > 1) state[1].foreign = -1 << (gpio.length - 32); // the flash's pins: at start the chip reads BOOTSEL

  function look(bank) { // functions and pads
    const b = state[bank];
    b.sio = b.readable = 0;
    b.others = [];
    let up = 0;
    gpio.slice(32 * bank, 32 * bank + 32).forEach((pin, i) => {
      if (pin.inputEnable) b.readable |= 1 << i;
      if (pin.pullupEnabled) up |= 1 << i;
      if (pin.padValue & OFF) return;
      if (pin.functionSelect === SIO && pin.ctrl >>> 8 === 0) b.sio |= 1 << i;
      else b.others.push([pin, 1 << i]);
    });
    if (up !== b.up) message('U', bank, b.up = up);
    tell(bank, XOR);
  }

  function driven(bank) { // a bank's driven pins, and those that are high
    const b = state[bank];
    let out = b.out & b.sio, oe = b.oe & b.sio;
    for (const [pin, bit] of b.others) if (pin.outputEnable) { oe |= bit; if (pin.outputValue) out |= bit; }
    return { out, oe };
  }

  function release(bank, oe) {
    const { told } = state[bank];
    if (told.oe & ~oe) message('W', at(DIRECTION + CLR, bank), told.oe & ~oe);
    told.oe &= oe;
  }

  // tell reports changes of driven pins. Levels change with a single write, to the register way.
  function tell(bank, way) {
    const { told } = state[bank], { out, oe } = driven(bank);
    release(bank, oe);
    if (told.out !== out) message('W', at(way, bank), told.out ^ out);
    if (oe & ~told.oe) message('W', at(DIRECTION + SET, bank), oe & ~told.oe);
    Object.assign(told, { out, oe });
  }

  const write = sio.writeUint32, read = sio.readUint32;
  sio.writeUint32 = (offset, value, ...rest) => {
    const n = (offset - 0x10) >> 2, way = Math.floor(n / banks), bank = n % banks;
    if (n < 0 || way >= 8) return write.call(sio, offset, value, ...rest);
    const b = state[bank], what = way < DIRECTION ? 'out' : 'oe';
    switch (way % DIRECTION) {
      case PUT: b[what] = value; break;
      case SET: b[what] |= value; break;
      case CLR: b[what] &= ~value; break;
      case XOR: b[what] ^= value;
    }
    tell(bank, way === SET || way === CLR ? way : XOR);
  };
  sio.readUint32 = (offset, ...rest) => {
    const n = (offset - 0x10) >> 2, bank = n % banks;
    if (offset === 4 || offset === 8 && banks === 2) {
      const { readable, foreign } = state[offset / 4 - 1];
      return (ask(offset) & readable | (foreign && read.call(sio, offset, ...rest) & foreign)) >>> 0;
    }
    if (n >= 0 && n < banks) return state[bank].out >>> 0;
    if (n >= DIRECTION * banks && n < (DIRECTION + 1) * banks) return state[bank].oe >>> 0;
    return read.call(sio, offset, ...rest);
  };
  for (const f of functions) {
    const former = f.writeUint32;
    f.writeUint32 = (offset, value) => {
      former.call(f, offset, value);
      for (let bank = 0; bank < banks; bank++) look(bank);
    };
  }
  function tellAll() { // PIO, PWM and the like may change both banks in a cycle
    state.forEach((_, bank) => release(bank, driven(bank).oe));
    state.forEach((_, bank) => tell(bank, XOR));
  }
  gpio.forEach((pin) => pin.addListener(tellAll));
  const readable = (from) => (from ? state[0].readable >>> from | (state[1]?.readable ?? 0) << (32 - from) : state[0].readable);
  return { flush, levels: (ago, from = 0) => (ask(from, 'P', ago) & readable(from)) >>> 0 };
}

function channel(chip) {
  const messages = Buffer.alloc(LENGTH * 256), answer = Buffer.alloc(4);
  let used = 0;
  function flush() {
    for (let at = 0; at < used;) at += fs.writeSync(3, messages, at, used - at);
    used = 0;
  }
  function message(kind, at, value, ago = 0) {
    if (used === messages.length) flush();
    messages[used] = kind.charCodeAt(0);
    messages.writeUInt32LE(at, used + 1);
    messages.writeUInt32LE(value >>> 0, used + 5);
    messages.writeDoubleLE(chip.mcu.clock.nanos - ago * chip.cycleNs, used + 9);
    used += LENGTH;
  }
  function ask(offset, kind = 'R', ago = 0) {
    message(kind, offset, chip.forHost, ago);
    flush();
    fs.readSync(4, answer);
    return answer.readUInt32LE(0);
  }
  return { message, flush, ask };
}
