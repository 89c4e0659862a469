// Writes to the emulated flash: the boot ROM's two routines for them are traps, which the emulator catches.
export const ERASE = 1, PROGRAM = 2; // numbers of the traps

// trap replaces the routine at an address of the boot ROM by BKPT and a return.
export function trap(rom, address, number) {
  const code = new DataView(rom.buffer);
  code.setUint16(address & ~1, 0xbe00 | number, true);
  code.setUint16((address & ~1) + 2, 0x4770, true); // BX LR
}

// flashTrap performs the routines' work with the call's registers: flash_range_erase(at, count, ..) and
// flash_range_program(at, data, count). It returns false for other traps.
export function flashTrap(mcu, number, [at, second, third]) {
  if (number === ERASE) {
    mcu.flash.fill(0xff, at, at + second);
    return true;
  }
  if (number !== PROGRAM) return false;
  for (let i = 0; i < third; i++) mcu.flash[at + i] &= mcu.readUint8(second + i); // programming clears bits
  return true;
}
