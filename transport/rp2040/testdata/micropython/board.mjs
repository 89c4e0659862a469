// A board with real MicroPython, for the transport's test: the REPL is on file descriptors 0 and 1, and the pins on 3 and 4.
//
// The port of MicroPython to WebAssembly lacks a few things that a board has, and this supplies them: machine, os.uname
// and select (see machine.py), raw paste (the port hangs in it), and a blocking standard input.
//
// Messages about pins, out on 3: kind, offset or pin, a word little-endian. Reads of registers and levels have an answer,
// a word, on 4.
//
// The second argument, when it is not empty, is what Tiny Tapeout's SDK on the board says; see sdk/.
import fs from 'node:fs';
import { Worker } from 'node:worker_threads';
import { loadMicroPython } from './node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs';

const machine = process.argv[2], sdk = process.argv[3];

function write(fd, buffer) {
  for (let at = 0; at < buffer.length;) at += fs.writeSync(fd, buffer, at);
}

// ---- serial line
const count = new Int32Array(new SharedArrayBuffer(4));
const bytes = new Uint8Array(new SharedArrayBuffer(4096));
new Worker(new URL('./line.mjs', import.meta.url), { workerData: { count, bytes } });

// wait says whether there is a byte, after ms at the latest. It ends the process at the end of the line.
let next = 0, end = 0;
function wait(ms) {
  if (next < end) return true;
  if (messages.length) ask(0x4C, 0); // the test has seen them when it gets the answer
  flush();
  if (end) { next = end = 0; Atomics.store(count, 0, 0); Atomics.notify(count, 0); }
  Atomics.wait(count, 0, 0, ms);
  end = Atomics.load(count, 0);
  if (end < 0) process.exit(0);
  return end > 0;
}

function receive() {
  wait(Infinity);
  return bytes[next++];
}

let output = [];
function flush() {
  if (output.length) write(1, Buffer.from(output));
  output = [];
}
const send = (text) => { for (const c of Buffer.from(text, 'latin1')) output.push(c); };

// ---- pins
let messages = [];
function tell() {
  if (messages.length) write(3, Buffer.concat(messages));
  messages = [];
}
function message(kind, at, value) {
  const m = Buffer.alloc(6);
  m[0] = kind; m[1] = at; m.writeUInt32LE(value >>> 0, 2);
  messages.push(m);
  if (kind === 0x52 || kind === 0x4C || messages.length > 300) tell();
}
const answer = Buffer.alloc(4);
function ask(kind, at) {
  message(kind, at, 0);
  fs.readSync(4, answer);
  return answer.readInt32LE(0);
}
const pins = {
  machine: () => machine,
  sdk: () => sdk,
  wait,
  read: (offset) => ask(0x52, offset),
  level: (pin) => ask(0x4C, pin),
  write: (offset, value) => message(0x57, offset, value),
  setup: (pin, flags) => message(0x53, pin, flags),
};

// ---- interpreter
const python = await loadMicroPython({
  heapsize: 192 * 1024,
  linebuffer: false,
  stdin: receive,
  stdout: (bytes) => { for (const b of bytes) output.push(b); },
  stderr: (bytes) => { for (const b of bytes) output.push(b); },
});
python.registerJsModule('_pins', pins);
python.FS.writeFile('/machine.py', fs.readFileSync(new URL('./machine.py', import.meta.url)));
if (sdk) {
  for (const dir of ['', 'boot']) {
    const from = new URL(`./sdk/ttboard/${dir ? dir + '/' : ''}`, import.meta.url);
    python.FS.mkdir(`/ttboard/${dir}`);
    for (const name of fs.readdirSync(from)) if (name.endsWith('.py')) python.FS.writeFile(`/ttboard/${dir}/${name}`, fs.readFileSync(new URL(name, from)));
  }
}
python.runPython('import machine');
python.replInit();

// The port answers "OK" to code in the raw REPL, which raw paste does not.
function execute(code, pasted) {
  for (const c of code) python.replProcessChar(c);
  if (pasted) {
    let skip = 2;
    const push = output.push;
    output.push = function (c) { if (skip) { skip--; return 0; } return push.call(this, c); };
  }
  python.replProcessChar(4);
}

// rawPaste gives the code, having let the host send as much as it has room for.
function rawPaste() {
  const window = 128, code = [];
  send('R\x01\x80\x00\x01');
  for (let c, n = 0; (c = receive()) !== 4;) {
    code.push(c);
    if (++n % window === 0) { send('\x01'); flush(); }
  }
  send('\x04');
  flush();
  return code;
}

let line = [];
for (let raw = false; ;) {
  const c = receive();
  if (!raw || c === 1 || c === 2) {
    if (raw && c === 1 && line.length === 2 && line[0] === 5) {
      line = [];
      execute(rawPaste(), true);
      continue;
    }
    line = [];
    python.replProcessChar(c);
    if (c === 1 || c === 2) raw = c === 1;
  } else if (c === 3) {
    line = [];
  } else if (c === 4) {
    execute(line, false);
    line = [];
  } else {
    line.push(c);
  }
}
