// PIO and DMA of the RP2040 that run by the system clock. rp2040js 1.4.1 runs its PIO from a timer of the host and its DMA in no
// time, so programs that count cycles cannot be shown on it. The PIO here is that of rp2350js 2.0.1; its DMA moves a word for each
// channel at a time, where the microcontroller has one transfer a cycle for all of them (dma.mjs).
//
// What an instruction writes to a pin is there at the end of its cycle. IN takes the levels of two cycles before, which is the input
// synchroniser (RP2040 datasheet, 3.5.6.3). Pads take no time.
import path from 'node:path';
import { Dma } from './dma.mjs';

const PIO = [0x50200, 0x50300], DMA = 0x50000; // pages of the peripherals
const PIO_IRQ = [7, 9], DREQ = { rx: [4, 12], tx: [0, 8] };
const SYNCHRONISER = 2; // cycles

// clockPIO takes a chip and what gives the levels of its pins some cycles ago, and the share of
// cycles that DMA loses.
export function clockPIO(require, chip, levels, lost) {
  const { RPPIO } = require(path.join(path.dirname(require.resolve('rp2350js')), 'peripherals', 'pio.js'));
  const { mcu, mcu: { clock }, cycleNs } = chip;
  const surroundings = Object.create(mcu, { // what this PIO asks of its microcontroller
    identifier: { value: 'rp2040' },
    dma_setDREQ: { value() {} }, dma_clearDREQ: { value() {} }, // dma.mjs looks at the FIFOs
    gpioValues: { value: () => levels(SYNCHRONISER) },
  });
  const pio = PIO.map((page, i) => new RPPIO(surroundings, `PIO${i}`, PIO_IRQ[i], i, DREQ.rx[i], DREQ.tx[i]));
  const dma = new Dma(mcu, pio);
  dma.lost = lost;
  mcu.pio = pio;
  mcu.dma = dma;
  pio.forEach((p, i) => { mcu.peripherals[PIO[i]] = p; });
  mcu.peripherals[DMA] = dma;

  let edge = null; // when the next cycle ends; nobody counts while nothing runs
  for (const peripheral of [...pio, dma]) {
    const write = peripheral.writeUint32;
    peripheral.writeUint32 = function (offset, value) {
      edge ??= clock.nanos + cycleNs;
      write.call(this, offset, value);
      if (this.checkChangedPins) this.checkChangedPins(); // an instruction that was forced
    };
  }
  const tick = clock.tick.bind(clock);
  clock.tick = (ns) => {
    const end = clock.nanos + ns;
    while (edge !== null && edge <= end) {
      tick(edge - clock.nanos);
      edge += cycleNs;
      for (const p of pio) p.step();
      dma.step();
      if (pio.every((p) => p.stopped) && !dma.active) edge = null;
    }
    tick(end - clock.nanos);
  };
}
