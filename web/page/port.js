// A Board is the serial port that the user chose. The bench in the worker asks for it to be opened, written and closed.
"use strict";

// Boards with MicroPython on a microcontroller of Raspberry Pi's.
const FILTERS = [{ usbVendorId: 0x2e8a }];

// The step program on a board stops at anything that is no frame, and parks the chip. At a prompt these are empty lines;
// a Ctrl-C could break the start of the board's own software.
const NO_FRAME = new Uint8Array(32).fill(0x0d);

// Returns why this browser cannot reach a serial port, and what to do; "" if it can.
const withoutSerial = () => {
  if (!window.isSecureContext) return "A browser gives serial ports to secure pages only: open this page by https, or by bench web at localhost.";
  if ("serial" in navigator) return "";
  const agent = navigator.userAgent;
  if (/Firefox/.test(agent)) return "This Firefox has no Web Serial. Open the page in Chrome or Edge on a desktop, or run: bench run -t rp2040";
  if (/Safari/.test(agent) && !/Chrom/.test(agent)) return "Safari has no Web Serial. Open the page in Chrome or Edge on a desktop, or run: bench run -t rp2040";
  if (/Android|Mobile/.test(agent)) return "Mobile browsers reach no USB serial port. Open the page in Chrome or Edge on a desktop.";
  return "This browser has no Web Serial. Open the page in Chrome or Edge on a desktop, or run: bench run -t rp2040";
};

class Board {
  constructor(post) {
    this.post = post; // sends a message to the worker
    this.port = null;
  }

  // Lets the user choose a port.
  async choose() {
    this.port = await navigator.serial.requestPort({ filters: FILTERS });
  }

  // Answers a request of the worker.
  async serve(request) {
    let error = null;
    try {
      await this[request.act](request.bytes);
    } catch (e) {
      error = String(e.message || e);
    }
    this.post({ do: "answer", id: request.id, error });
  }

  async open() {
    if (!this.port) throw new Error("no board is connected: connect one first");
    try {
      await this.port.open({ baudRate: 115200, bufferSize: 65536 });
    } catch (e) {
      throw new Error(`the port cannot be opened (${e.message}): another tab or program uses it, such as Commander, Thonny or mpremote; disconnect there first`);
    }
    this.writer = this.port.writable.getWriter();
    this.reader = this.port.readable.getReader();
    this.pumping = this.pump(this.reader);
  }

  async pump(reader) {
    try {
      for (;;) {
        const { value, done } = await reader.read();
        if (done) break;
        this.post({ do: "bytes", bytes: value });
      }
      this.post({ do: "gone", error: "the port has ended" });
    } catch (e) {
      this.post({ do: "gone", error: String(e.message || e) });
    }
  }

  async write(bytes) {
    if (!this.writer) throw new Error("the port is closed");
    await this.writer.write(bytes);
  }

  async close() {
    const { reader, writer } = this;
    this.reader = this.writer = null;
    if (!writer) return;
    await reader.cancel().catch(() => {}); // a port that was pulled has failed already
    await this.pumping;
    reader.releaseLock();
    await writer.close().catch(() => {});
    writer.releaseLock();
    await this.port.close();
  }

  // Has the board park the chip without the bench, which may be gone.
  park() {
    this.writer?.write(NO_FRAME).catch(() => {});
  }
}
