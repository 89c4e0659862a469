// A Raspberry Pi Pico in an emulator that counts cycles, for the transport's measurements: real MicroPython for it from
// firmware.bin, its USB serial line on file descriptors 0 and 1, and its pins on 3 and 4. Arguments: the folder with
// firmware.bin, rom.bin and node_modules, and a file for the profile, if one is wanted.
//
// Messages about pins, out on 3: kind, offset of the register, value, cycle count, 4 bytes each but the kind, little-endian.
// Only a read has an answer, a word, on 4. U instead of an offset and a value has which pins are pulled up.
import fs from 'node:fs';
import path from 'node:path';
import { createRequire } from 'node:module';

const [folder, profileFile] = process.argv.slice(2);
const { RP2040, USBCDC, ConsoleLogger, LogLevel } = createRequire(path.resolve(folder, 'x.js'))('rp2040js');

const FLASH = 0x10000000, CYCLE_NS = 8; // 125 MHz
const PC = 15;

const mcu = new RP2040();
mcu.logger = new ConsoleLogger(LogLevel.Error, false);
const words = new Uint32Array(mcu.bootrom.length);
new Uint8Array(words.buffer).set(fs.readFileSync(path.join(folder, 'rom.bin')));
mcu.loadBootrom(words);
mcu.flash.set(fs.readFileSync(path.join(folder, 'firmware.bin')));
mcu.core.PC = FLASH; // the second stage of the boot, which the boot ROM would start

const { core, clock, sio } = mcu;

// ---- pins
const registers = {
  0x14: (v) => { sio.gpioValue |= v; },
  0x18: (v) => { sio.gpioValue &= ~v; },
  0x1c: (v) => { sio.gpioValue ^= v; },
  0x24: (v) => { sio.gpioOutputEnable |= v; },
  0x28: (v) => { sio.gpioOutputEnable &= ~v; },
};

const messages = Buffer.alloc(13 * 256);
let used = 0;
function flush() {
  for (let at = 0; at < used;) at += fs.writeSync(3, messages, at, used - at);
  used = 0;
}
function message(kind, at, value) {
  if (used === messages.length) flush();
  messages[used] = kind.charCodeAt(0);
  messages.writeUInt32LE(at, used + 1);
  messages.writeUInt32LE(value >>> 0, used + 5);
  messages.writeUInt32LE(core.cycles >>> 0, used + 9);
  used += 13;
}

const answer = Buffer.alloc(4);
const { readUint32, writeUint32 } = sio;
sio.readUint32 = (offset) => {
  if (offset !== 4) return readUint32.call(sio, offset);
  message('R', offset, 0);
  flush();
  fs.readSync(4, answer);
  return answer.readUInt32LE(0);
};
sio.writeUint32 = (offset, value) => {
  if (!registers[offset]) return writeUint32.call(sio, offset, value);
  registers[offset](value);
  message('W', offset, value);
};

const pads = mcu.findPeripheral(0x4001c000);
const writePad = pads.writeUint32;
pads.writeUint32 = (offset, value) => {
  writePad.call(pads, offset, value);
  let up = 0;
  mcu.gpio.forEach((pin, i) => { if (pin.pullupEnabled) up |= 1 << i; });
  message('U', 0, up);
};

// ---- serial line: USB at full speed, one packet at a time, and a host that always has one to send or takes one
const usb = mcu.usbCtrl;
const cdc = new USBCDC(usb);
const packetNs = (bytes) => (bytes + 15) * 8 / 12 * 1000; // token, handshake and gaps take as long as some 15 bytes
let busFree = 0;
function transfer(bytes) { // gives ns from now to the end of the packet
  busFree = Math.max(busFree, clock.nanos) + packetNs(bytes);
  return busFree - clock.nanos;
}

const received = [];
let wanted = null; // the endpoint waits for a packet of this size; until there is one the device answers with NAK
const enumerating = usb.onEndpointRead;
usb.onEndpointRead = (endpoint, size) => {
  if (endpoint !== cdc.outEndpoint) return enumerating(endpoint, size);
  wanted = size;
  feed();
};
function feed() {
  if (wanted === null || !received.length) return;
  const bytes = received.splice(0, wanted);
  wanted = null;
  usb.endpointReadDone(cdc.outEndpoint, Uint8Array.from(bytes), transfer(bytes.length) / 1000);
}

const ready = usb.indicateBufferReady;
const taken = clock.createAlarm(() => ready.call(usb, cdc.inEndpoint, false));
usb.indicateBufferReady = (endpoint, out) => {
  if (out || endpoint !== cdc.inEndpoint) return ready.call(usb, endpoint, out);
  taken.schedule(transfer(64));
};
usb.writeDelayMicroseconds = 0;
cdc.onSerialData = (bytes) => { process.stdout.write(bytes); };
process.stdin.on('data', (bytes) => { for (const b of bytes) received.push(b); feed(); });
process.stdin.on('end', stop).on('error', stop);

// ---- processor
const spent = profileFile && { flash: new Float64Array(1 << 20), ram: new Float64Array(1 << 18), rom: new Float64Array(1 << 14), idle: 0 };
function note(pc, cycles) {
  const memory = pc >= 0x20000000 ? spent.ram : pc >= FLASH ? spent.flash : spent.rom;
  memory[(pc & 0xffffff) >> 1] += cycles;
}
function stop() {
  if (profileFile) {
    const lines = ['idle ' + spent.idle];
    for (const [name, base] of [['rom', 0], ['flash', FLASH], ['ram', 0x20000000]]) {
      spent[name].forEach((n, i) => { if (n) lines.push((base + 2 * i).toString(16) + ' ' + n); });
    }
    fs.writeFileSync(profileFile, lines.join('\n') + '\n');
    fs.writeFileSync(profileFile + '.ram', mcu.sram);
  }
  process.exit(0);
}
process.on('SIGINT', stop);

// While the processor waits for nothing but the host, its time passes no faster than the host's.
const HURRY_NS = 200_000, PAUSE_MS = 1;
function run() {
  for (let i = 0; i < 40_000; i++) {
    if (core.waiting) {
      const next = clock.nextAlarm ? clock.nanosToNextAlarm : Infinity;
      const ns = Math.min(next, PAUSE_MS * 1e6);
      clock.tick(ns);
      core.cycles += ns / CYCLE_NS;
      if (spent) spent.idle += ns / CYCLE_NS;
      if (next > HURRY_NS) { flush(); setTimeout(run, PAUSE_MS); return; }
      if (core.interruptsUpdated && core.checkForInterrupts()) core.waiting = false;
      continue;
    }
    const pc = core.registers[PC];
    const before = core.cycles;
    core.executeInstruction();
    const cycles = core.cycles - before;
    if (spent) note(pc, cycles);
    clock.tick(cycles * CYCLE_NS);
  }
  setImmediate(run);
}
run();
