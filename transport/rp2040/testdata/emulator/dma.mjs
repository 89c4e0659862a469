// The clocked DMA of the RP2040 and the RP2350 (RP2040 datasheet, 2.5): one transfer per cycle over all channels. It
// has no sniffer, timers or byte swaps. It loses a share of its cycles, as if others used the memory. A transfer
// follows its request after an assumed LATENCY in cycles; FIFOs tolerate it.
const LATENCY = 4, ALWAYS = 63, INTR = 0x400;
const CTRL = { on: 1, first: 1 << 1, size: 2, readSteps: 1 << 4 }; // bits of CTRL and, where they are a field, shifts
export const RP2040 = { channels: 12, multiTrigger: 0x430, abort: 0x444, count: 0x448, bits: 0xffffff,
  ctrl: { ...CTRL, writeSteps: 1 << 5, ring: 6, ringWrites: 1 << 10, chain: 11, request: 15, quiet: 1 << 21, busy: 1 << 24 } };
export const RP2350 = { channels: 16, multiTrigger: 0x450, abort: 0x464, count: 0x468, bits: 0x3ffffff, // RP2350 datasheet, 12.6.10
  ctrl: { ...CTRL, writeSteps: 1 << 6, ring: 8, ringWrites: 1 << 12, chain: 13, request: 17, quiet: 1 << 23, busy: 1 << 26 } };
// A channel's registers in the order of its four aliases; the last one of each alias starts the channel.
const ORDER = ['read', 'write', 'count', 'ctrl', 'ctrl', 'read', 'write', 'count', 'ctrl', 'count', 'read', 'write', 'ctrl', 'write', 'count',
  'read'];

export class Dma {
  constructor(mcu, pio, layout) {
    Object.assign(this, { mcu, pio, layout, bit: layout.ctrl, turn: 0, interrupts: 0, rest: {}, requests: {}, flying: [], lost: 0, chance: 1 });
    this.channels = Array.from({ length: layout.channels }, () => ({ read: 0, write: 0, count: 0, left: 0, ctrl: 0, busy: false }));
  }

  get active() { return this.flying.length > 0 || this.channels.some((c) => c.busy); }

  setDREQ(request) { this.requests[request] = true; }
  clearDREQ(request) { this.requests[request] = false; }

  draw() { // a pseudo-random number below 1, the same in each run
    this.chance = Math.imul(this.chance, 1103515245) + 12345 >>> 0;
    return (this.chance >>> 8) / 2 ** 24;
  }

  // step runs a cycle: the data requested LATENCY cycles ago arrives, and one channel may issue a request.
  step() {
    for (const f of this.flying) f.left--;
    while (this.flying.length && this.flying[0].left <= 0) this.arrive(this.flying.shift());
    if (this.lost && this.draw() < this.lost) return;
    for (const priority of [this.bit.first, 0]) {
      for (let k = 0; k < this.layout.channels; k++) {
        const i = (this.turn + k) % this.layout.channels, c = this.channels[i];
        if (!c.busy || !c.left || (c.ctrl & this.bit.first) !== priority || !this.ready(c)) continue;
        this.request(i, c);
        this.turn = (i + 1) % this.layout.channels;
        return;
      }
    }
  }

  ready(c) {
    const request = c.ctrl >>> this.bit.request & 63, m = this.machine(request);
    if (request === ALWAYS) return true;
    if (!m) return !!this.requests[request];
    if (request & 4) return !m.rxFIFO.empty;
    return m.txFIFO.itemCount + this.flying.filter((f) => f.fifo === m).length < m.txFIFO.size;
  }

  machine(request) { return request < 8 * this.pio.length ? this.pio[request >> 3].machines[request & 3] : null; }

  request(i, c) {
    const size = 1 << (c.ctrl >>> this.bit.size & 3), request = c.ctrl >>> this.bit.request & 63;
    const value = { 1: () => this.mcu.readUint8(c.read), 2: () => this.mcu.readUint16(c.read), 4: () => this.mcu.readUint32(c.read) }[size]();
    this.flying.push({ left: LATENCY, channel: i, to: c.write, value, size, last: c.left === 1, fifo: request & 4 ? null : this.machine(request) });
    const ring = (1 << (c.ctrl >>> this.bit.ring & 15)) - 1, writes = !!(c.ctrl & this.bit.ringWrites);
    const step = (at, ringed) => (ring && ringed ? at & ~ring | at + size & ring : at + size) >>> 0;
    if (c.ctrl & this.bit.readSteps) c.read = step(c.read, !writes);
    if (c.ctrl & this.bit.writeSteps) c.write = step(c.write, writes);
    c.left--;
  }

  arrive({ channel, to, value, size, last }) {
    const { mcu } = this;
    if (size === 4) mcu.writeUint32(to, value);
    else if (size === 2) mcu.writeUint16(to, value);
    else mcu.writeUint8(to, value);
    if (!last) return;
    const c = this.channels[channel], next = c.ctrl >>> this.bit.chain & 15;
    c.busy = false;
    if (!(c.ctrl & this.bit.quiet)) this.interrupts |= 1 << channel;
    if (next !== channel) this.start(next);
  }

  start(i) {
    const c = this.channels[i];
    if (!(c.ctrl & this.bit.on) || c.busy) return;
    c.left = c.count;
    c.busy = c.left > 0;
  }

  abort(channels) {
    this.channels.forEach((c, i) => { if (channels >> i & 1) c.busy = false; });
    this.flying = this.flying.filter((f) => !(channels >> f.channel & 1));
  }

  readUint32(offset) {
    if (offset < 0x40 * this.layout.channels) {
      const c = this.channels[offset >> 6], name = ORDER[(offset & 0x3f) >> 2];
      return { ctrl: (c.ctrl | (c.busy ? this.bit.busy : 0)) >>> 0, count: c.left, read: c.read, write: c.write }[name];
    }
    return { [INTR]: this.interrupts, [this.layout.count]: this.layout.channels }[offset] ?? this.rest[offset] ?? 0;
  }

  writeUint32Atomic(offset, value, way) { // XOR, set, clear
    const was = way ? this.readUint32(offset) : 0;
    this.writeUint32(offset, [value, was ^ value, was | value, was & ~value][way] >>> 0);
  }

  writeUint32(offset, value) {
    if (offset < 0x40 * this.layout.channels) {
      const c = this.channels[offset >> 6], name = ORDER[(offset & 0x3f) >> 2];
      c[name] = name === 'ctrl' ? value & this.layout.bits : value >>> 0;
      if ((offset & 0xc) !== 0xc) return;
      if (value) this.start(offset >> 6);
      else if (c.ctrl & this.bit.quiet) this.interrupts |= 1 << (offset >> 6); // end of a chain
    } else if (offset === INTR) this.interrupts &= ~value;
    else if (offset === this.layout.multiTrigger) for (let i = 0; i < this.layout.channels; i++) { if (value >> i & 1) this.start(i); }
    else if (offset === this.layout.abort) this.abort(value);
    else this.rest[offset] = value;
  }
}
