// A board with real MicroPython, for tests: the REPL is on file descriptors 0 and 1, and the pins on 3 and 4.
//
// MicroPython's WebAssembly port lacks several features of boards, which this program adds: machine, os.uname and
// select (see machine.py), raw paste (in which the port hangs), a blocking standard input, main.py at power-up and at
// Ctrl-D, soft resets, Ctrl-C while code waits, and a limit of the memory (the port's heap grows).
//
// Messages about pins on 3: kind, offset or pin, a little-endian word. Reads of registers and levels have an answer, a
// word on 4.
//
// The argument is a Config of boardtest as JSON.
import fs from 'node:fs';
import { Worker } from 'node:worker_threads';
import { loadMicroPython } from './node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs';

const config = JSON.parse(process.argv[2]), sdk = config.sdk;

function write(fd, buffer) {
  for (let at = 0; at < buffer.length;) at += fs.writeSync(fd, buffer, at);
}

// ---- serial line
const count = new Int32Array(new SharedArrayBuffer(4));
const bytes = new Uint8Array(new SharedArrayBuffer(4096));
new Worker(new URL('./line.mjs', import.meta.url), { workerData: { count, bytes } });

// arrived waits up to ms for a byte on the line. It ends the process at the end of the line.
let next = 0, end = 0;
function arrived(ms) {
  if (next < end) return true;
  if (end) { next = end = 0; Atomics.store(count, 0, 0); Atomics.notify(count, 0); }
  if (ms) Atomics.wait(count, 0, 0, ms);
  end = Atomics.load(count, 0);
  if (end < 0) process.exit(0);
  return end > 0;
}

// wait is like arrived, but first makes sure that the test has received all messages.
const early = []; // received while code waited for something else
function wait(ms) {
  if (early.length || next < end) return true;
  if (messages.length) ask(0x4C, 0); // the answer confirms that the test has received them
  flush();
  return arrived(ms);
}

function receive() {
  wait(Infinity);
  return early.length ? early.shift() : bytes[next++];
}

// pause waits ms in a program and returns whether a Ctrl-C came. Other input is read later.
function pause(ms) {
  if (ms) flush();
  for (const until = Date.now() + ms; arrived(Math.max(0, until - Date.now()));) {
    const c = bytes[next++];
    if (c === 3) return true;
    early.push(c);
  }
  return false;
}

let output = [], skip = 0;
function flush() {
  if (output.length) write(1, Buffer.from(output));
  output = [];
}
const send = (text) => { for (const c of Buffer.from(text, 'latin1')) output.push(c); };
const print = (bytes) => { for (const b of bytes) skip ? skip-- : output.push(b); };

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
let hertz = 125_000_000; // survives a soft reset
const pins = {
  machine: () => config.machine,
  release: () => config.firmware,
  sdk: () => JSON.stringify(sdk),
  wait, pause,
  interrupted: (part) => config.interrupted === part && !(config.interrupted = ''), // once
  memory: () => memory,
  hertz: (f) => (hertz = f || hertz),
  read: (offset) => ask(0x52, offset),
  level: (pin) => ask(0x4C, pin),
  write: (offset, value) => message(0x57, offset, value),
  setup: (pin, flags) => message(0x53, pin, flags),
  pwm: (pin) => message(0x46, pin, 0),
};

// ---- interpreter, a new one after each reset
// The heap is large enough not to grow. With a growing heap (192 KiB, port 1.27.0), about 1 of 100 runs of the bench on
// a busy machine had good code rejected with "SyntaxError: invalid syntax", or no answer; with 4 MiB some still did,
// with 16 MiB none of 800.
let python, gc, memory, counted;
async function reset() {
  counted = undefined;
  python = await loadMicroPython({ heapsize: 16 << 20, linebuffer: false, stdin: receive, stdout: print, stderr: print });
  gc = python.pyimport('gc');
  python.registerJsModule('_pins', pins);
  python.FS.writeFile('/machine.py', fs.readFileSync(new URL('./machine.py', import.meta.url)));
  if (sdk) copy('ttboard');
  python.runPython('import machine');
  skip = 1 << 30;
  python.replInit();
  skip = 0;
  memory = live() + config.cleared;
}

function copy(folder) {
  const from = new URL(`./sdk/${folder}/`, import.meta.url);
  python.FS.mkdir('/' + folder);
  for (const f of fs.readdirSync(from, { withFileTypes: true })) {
    if (f.isDirectory()) { if (f.name !== '__pycache__') copy(`${folder}/${f.name}`); } else python.FS.writeFile(`/${folder}/${f.name}`, fs.readFileSync(new URL(f.name, from)));
  }
}

// live returns the bytes in use after a collection, which this port performs between two calls. It visits every block
// of the heap, which takes milliseconds, so the result is cached until code runs.
function live() {
  if (counted === undefined) {
    gc.collect();
    counted = gc.mem_alloc();
  }
  return counted;
}

// feed passes a character to the interpreter, which may run code.
function feed(c) {
  counted = undefined;
  python.replProcessChar(c);
}

// mainPy simulates a start at power-up. The SDK, its index and other data leave config.free bytes.
function mainPy() {
  if (!sdk) return;
  counted = undefined;
  try {
    python.runPython(fs.readFileSync(new URL('./sdk/main.py', import.meta.url), 'utf8'));
  } catch (e) {
    send(e.message.trim().replaceAll('\n', '\r\n') + '\r\n');
  }
  memory = live() + config.free;
  largest = config.largest;
}

// The memory that compiling a text takes temporarily: its string, grown by doubling, in one block; and in total.
let largest = Infinity;
const piece = (n) => 2 * n, whole = (n) => 6 * n;
const full = (n) => piece(n) > largest || live() + whole(n) > memory;
const memoryError = (n) => send(`\x04Traceback (most recent call last):\r\nMemoryError: memory allocation failed, allocating ${piece(n)} bytes\r\n\x04>`);

// The port answers "OK" to code in the raw REPL, which raw paste does not.
function execute(code, pasted) {
  if (full(code.length)) {
    if (!pasted) send('OK');
    return memoryError(code.length);
  }
  for (const c of code) feed(c);
  if (pasted) skip = 2;
  feed(4);
  if (live() > memory) send('the test has a program that leaves more than the memory holds\r\n');
}

// rawPaste receives code, as fast as its window permits, and runs it. A Ctrl-C ends it. If the memory is full it ends
// early, and ignores input until the host ends it too.
function rawPaste() {
  const window = 128, code = [];
  send('R\x01\x80\x00\x01');
  for (let c, n = 0; (c = receive()) !== 4;) {
    if (c === 3) return send('\x04\x04Traceback (most recent call last):\r\n  File "<stdin>", line 1\r\nKeyboardInterrupt: \r\n\x04>');
    code.push(c);
    if (++n % window !== 0) continue;
    if (full(n)) {
      send('\x04');
      for (c = 0; c !== 3 && c !== 4;) c = receive();
      return memoryError(n);
    }
    send('\x01');
    flush();
  }
  send('\x04');
  flush();
  execute(code, true);
}

// ---- REPL
const banner = `MicroPython v1.27.0; ${config.machine}\r\nType "help()" for more information.\r\n>>> `;

await reset();
feed(2); // otherwise the first line of the friendly prompt lacks the names
output = [];
const up = () => { message(0x42, 0, 0); tell(); }; // the test goes on
if (sdk?.start) up(); // and connects during main.py
if (config.tt === '') mainPy();
else if (config.tt === 'None') python.runPython('tt = None'); // as after a Ctrl-C in the start
if (sdk && config.tt !== '') largest = Infinity;
if (!sdk?.start) up();
send(banner);

let line = [], typed = 0;
for (let raw = false; ;) {
  const c = receive();
  if (raw && c === 1 && line.length === 2 && line[0] === 5) {
    line = [];
    rawPaste();
  } else if (c === 1 || c === 2) {
    line = [];
    typed = 0;
    feed(c);
    raw = c === 1;
  } else if (c === 4 && (raw ? line.length : typed) === 0) { // a soft reset
    send(raw ? 'OK\r\nMPY: soft reboot\r\n' : '\r\nMPY: soft reboot\r\n');
    flush();
    await reset();
    largest = Infinity;
    if (raw) {
      feed(1);
    } else {
      mainPy();
      send(banner);
    }
  } else if (!raw) {
    typed = c === 13 || c === 3 ? 0 : typed + 1;
    feed(c);
  } else if (c === 3) {
    line = [];
  } else if (c === 4) {
    execute(line, false);
    line = [];
  } else {
    line.push(c);
  }
}
