// A Board is the serial port that the user selected. The bench in the worker requests opening, writing and closing.
"use strict";

// Boards with MicroPython on a Raspberry Pi microcontroller.
const FILTERS = [{ usbVendorId: 0x2e8a }];

// The step program on a board stops and parks the chip when it receives anything but a frame. At a prompt these bytes
// are empty lines; a Ctrl-C could interrupt the start of the board's own software.
const NO_FRAME = new Uint8Array(32).fill(0x0d);

// Returns why this browser has no serial ports, with a remedy, or "" if it has them.
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

  // Lets the user select a port.
  async choose() {
    this.port = await navigator.serial.requestPort({ filters: FILTERS });
  }

  // Executes a request of the worker.
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
    await reader.cancel().catch(() => {}); // an unplugged port has already failed
    await this.pumping;
    reader.releaseLock();
    await writer.close().catch(() => {});
    writer.releaseLock();
    await this.port.close();
  }

  // Makes the board park the chip without the bench, which may have ended.
  park() {
    this.writer?.write(NO_FRAME).catch(() => {});
  }
}
