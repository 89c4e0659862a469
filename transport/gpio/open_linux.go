package gpio

import (
	"os"

	periph "periph.io/x/host/v3"
	"periph.io/x/host/v3/pmem"
)

// Open takes the lines and parks the chip. See [Guard] for what becomes of it when the program is killed.
func Open(c Config) (*Transport, error) {
	h := thisHost()
	h.post = post
	return h.open(c)
}

// thisHost returns the machine that the program runs on.
func thisHost() host {
	if program.host.mapPage != nil {
		return program.host
	}
	return host{machine: machine{os.DirFS("/")}, kernel: linux{}, mapPage: mapPage, drivers: drivers}
}

// drivers registers periph's pins. A failing driver is no error: its pins are missing.
func drivers() error {
	_, err := periph.Init()
	return err
}

// mapPage maps the block by /dev/gpiomem, which shows the GPIO block and nothing else, so that no address has to be
// known.
func mapPage() (page, error) {
	view, err := pmem.MapGPIO()
	if err != nil {
		return nil, err
	}
	return mapped(view.Uint32()), nil
}

// mapped is registers in memory. The accesses must not be inlined: a compiler may leave out stores that it takes for
// memory's.
type mapped []uint32

//go:noinline
func (m mapped) load(word int) uint32 { return m[word] }

//go:noinline
func (m mapped) store(word int, v uint32) { m[word] = v }
