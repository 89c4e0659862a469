// Clocked PIO and DMA of the RP2040. rp2040js 1.4.1 runs its PIO from a timer of the host and its DMA in no time, so it
// cannot run programs that count cycles. This PIO is rp2350js 2.0.1's, with the DMA of dma.mjs.
//
// An instruction's output appears on a pin at the end of its cycle. IN takes the levels of two cycles earlier, because
// of the input synchroniser (RP2040 datasheet, 3.5.6.3). Pads have no delay.
import path from 'node:path';
import { Dma } from './dma.mjs';

const DMA = 0x50000; // its page
const IRQ_WAIT = 4; // WaitType.IRQ of rp2350js
const FLAG = 2; // cycles from an IRQ to the instruction after a WAIT for it (RP2040 datasheet, 3.4.3 and 3.4.9)
const SYNCHRONISER = 2; // cycles

// clockPIO adds clocked PIO and DMA to a chip, given their descriptions, a function that returns the pins' levels some
// cycles ago, and the share of cycles that DMA loses.
export function clockPIO(require, chip, levels, lost) {
  const { RPPIO } = require(path.join(path.dirname(require.resolve('rp2350js')), 'peripherals', 'pio.js'));
  const { mcu, mcu: { clock }, clocked: { identifier, pages, irqs, layout } } = chip;
  const surroundings = Object.create(mcu, { // the microcontroller as seen by this PIO
    identifier: { value: identifier },
    dma_setDREQ: { value() {} }, dma_clearDREQ: { value() {} }, // dma.mjs checks the FIFOs
    gpioValues: { value: (from) => levels(SYNCHRONISER, from) },
  });
  const pio = pages.map((page, i) => delayFlags(new RPPIO(surroundings, `PIO${i}`, irqs[i], i, 8 * i + 4, 8 * i), () => cycle));
  const dma = new Dma(mcu, pio, layout);
  dma.lost = lost;
  mcu.pio = pio;
  mcu.dma = dma;
  pio.forEach((p, i) => { mcu.peripherals[pages[i]] = p; });
  mcu.peripherals[DMA] = dma;

  let cycle = 0; // number of counted cycles
  let edge = null; // end of the next cycle; not counted while nothing runs
  for (const peripheral of [...pio, dma]) {
    const write = peripheral.writeUint32;
    peripheral.writeUint32 = function (offset, value) {
      edge ??= clock.nanos + chip.cycleNs;
      write.call(this, offset, value);
      if (this.checkChangedPins) this.checkChangedPins(); // by a forced instruction
    };
  }
  const tick = clock.tick.bind(clock);
  clock.tick = (ns) => {
    const end = clock.nanos + ns;
    while (edge !== null && edge <= end) {
      tick(edge - clock.nanos);
      edge += chip.cycleNs;
      cycle++;
      for (const p of pio) p.step();
      dma.step();
      if (pio.every((p) => p.stopped) && !dma.active) edge = null;
    }
    tick(end - clock.nanos);
  };
}

// delayFlags adds the cycle of a WAIT for a flag. In rp2350js the waiting machine continues in the cycle of the IRQ.
function delayFlags(pio, now) { // now counts cycles
  let flags = 0;
  const raised = new Array(8).fill(-FLAG);
  Object.defineProperty(pio, 'irq', {
    get: () => flags,
    set(value) {
      for (let bit = 0; bit < 8; bit++) if (value & ~flags & 1 << bit) raised[bit] = now();
      flags = value;
    },
  });
  pio.irqUpdated = pio.checkInterrupts;
  pio.raised = raised;
  for (const machine of pio.machines) {
    const check = machine.checkWait;
    machine.checkWait = function () {
      const forFlag = this.waiting && this.waitType === IRQ_WAIT && this.waitPolarity;
      if (!forFlag || now() >= this.waitTargetPio.raised[this.waitIndex] + FLAG) check.call(this);
    };
  }
  return pio;
}
