// A boot ROM for the emulator with only the functions that MicroPython calls, since the RP2040's own is not in any
// package. It does not start the firmware or write to the flash, which the emulator does; floating point ends in a
// trap.
//
// Its layout follows the RP2040 datasheet, 2.8.3: a magic word at 10, the tables of functions and of data, and the
// function that looks up a code in a table, all with 16-bit addresses.
#include <stddef.h>
#include <stdint.h>

void *copy(uint8_t *to, const uint8_t *from, size_t n) {
	uint8_t *const start = to;
	if ((((uintptr_t)to ^ (uintptr_t)from) & 3) == 0) {
		for (; n && ((uintptr_t)to & 3); n--) *to++ = *from++;
		for (; n >= 16; n -= 16, to += 16, from += 16) {
			const uint32_t *f = (const uint32_t *)from;
			uint32_t a = f[0], b = f[1], c = f[2], d = f[3], *t = (uint32_t *)to;
			t[0] = a, t[1] = b, t[2] = c, t[3] = d;
		}
		for (; n >= 4; n -= 4, to += 4, from += 4) *(uint32_t *)to = *(const uint32_t *)from;
	}
	while (n--) *to++ = *from++;
	return start;
}

void *set(uint8_t *to, int value, size_t n) {
	uint8_t *const start = to;
	const uint32_t word = (uint8_t)value * 0x01010101u;
	for (; n && ((uintptr_t)to & 3); n--) *to++ = value;
	for (; n >= 4; n -= 4, to += 4) *(uint32_t *)to = word;
	while (n--) *to++ = value;
	return start;
}

uint32_t ones(uint32_t v) {
	uint32_t n = 0;
	for (; v; v &= v - 1) n++;
	return n;
}

uint32_t leading(uint32_t v) {
	uint32_t n = 32;
	for (int half = 16; half; half >>= 1)
		if (v >> half) v >>= half, n -= half;
	return n - v;
}

uint32_t trailing(uint32_t v) { return v ? 31 - leading(v & -v) : 32; }

uint32_t mirror(uint32_t v) {
	uint32_t r = 0;
	for (int i = 0; i < 32; i++, v >>= 1) r = r << 1 | (v & 1);
	return r;
}

void nothing(void) {}

// Traps that the emulator catches: it performs their work with the arguments (flash.mjs).
void erase(void) { __asm__ volatile("bkpt 1"); }
void program(void) { __asm__ volatile("bkpt 2"); }

void trap(void) {
	for (;;) __asm__ volatile("bkpt 0");
}

// look finds a code in a table of codes and addresses.
void *look(const uint16_t *table, uint32_t code) {
	for (; table[0]; table += 2)
		if (table[0] == code) return (void *)(uintptr_t)table[1];
	return NULL;
}

// Only the assembler can make 16-bit addresses. Those of functions have the lowest bit set, for Thumb code.
__asm__(
	".section .vectors, \"a\"\n"
	".word 0x20042000, trap + 1, trap + 1, trap + 1\n"
	".byte 'M', 'u', 1, 3\n"
	".hword functions, data, look + 1\n"
	".balign 4\n"
	"functions:\n"
	".ascii \"MC\"; .hword copy + 1; .ascii \"C4\"; .hword copy + 1\n"
	".ascii \"MS\"; .hword set + 1; .ascii \"S4\"; .hword set + 1\n"
	".ascii \"P3\"; .hword ones + 1; .ascii \"R3\"; .hword mirror + 1\n"
	".ascii \"L3\"; .hword leading + 1; .ascii \"T3\"; .hword trailing + 1\n"
	".ascii \"IF\"; .hword nothing + 1; .ascii \"EX\"; .hword nothing + 1\n"
	".ascii \"RE\"; .hword erase + 1; .ascii \"RP\"; .hword program + 1\n"
	".ascii \"FC\"; .hword nothing + 1; .ascii \"CX\"; .hword nothing + 1\n"
	".word 0\n"
	"data:\n"
	".ascii \"SF\"; .hword floats; .ascii \"SD\"; .hword floats\n"
	".word 0\n"
	"floats:\n"
	".rept 32; .word trap + 1; .endr\n");
