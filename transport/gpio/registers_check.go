package gpio

import (
	"fmt"
	"time"

	"utfbench/transport"
)

// functions names the values of a line's bits in GPFSEL ("BCM2835 ARM Peripherals", chapter 6, table 6-2).
var functions = [8]string{"input", "output", "ALT5", "ALT4", "ALT0", "ALT1", "ALT2", "ALT3"}

func (r *registers) function(line int) uint32 {
	n := int(r.gpio[line])
	return r.page.load(wordSelect+n/10) >> (n % 10 * 3) & 7
}

// checkFunctions rejects lines that another part of the machine uses: to drive one may break it or cause contention.
func (r *registers) checkFunctions() error {
	for i := range transport.Lines {
		if f := r.function(i); f > 1 {
			return fmt.Errorf("GPIO%d (%s) has the function %s, so another part of the machine uses it: "+
				"switch that off (%s)", r.gpio[i], transport.Lines[i], functions[f], advice(r.gpio[i]))
		}
	}
	return nil
}

// checkPage tests whether the page is a GPIO block. Other memory retains writes and shows no levels, so a line's
// function must read back, and its level must follow the set and clear registers. The test uses a line of ui, which is
// harmless without a clock.
func (r *registers) checkPage() error {
	const (
		line    = 0
		settles = 200 * time.Nanosecond
	)
	bit := r.bits(1 << line)
	follows := r.function(line) == 1
	for range 2 {
		r.page.store(wordSet, bit)
		wait(settles)
		follows = follows && r.page.load(wordLevel)&bit != 0
		r.page.store(wordClear, bit)
		wait(settles)
		follows = follows && r.page.load(wordLevel)&bit == 0
	}
	if !follows {
		return fmt.Errorf("GPIO%d (%s) does not follow the registers: is it shorted, or is another program using it? "+
			"-t gpio:lines goes by the kernel", r.gpio[line], transport.Lines[line])
	}
	return nil
}
