package gpio

import (
	"os"

	"periph.io/x/host/v3/pmem"
)

// Open acquires the lines and parks the chip. [RunAsGuard] parks it again if the program is killed.
func Open(c Config) (*Transport, error) {
	h := thisHost()
	h.post = post
	return h.open(c)
}

func thisHost() host {
	if program.host.mapPage != nil {
		return program.host
	}
	return host{machine: machine{os.DirFS("/")}, kernel: linux{}, mapPage: mapPage}
}

// mapPage maps /dev/gpiomem, which contains only the GPIO block, so its address need not be known.
func mapPage() (page, error) {
	view, err := pmem.MapGPIO()
	if err != nil {
		return nil, err
	}
	return mapped(view.Uint32()), nil
}

// mapped accesses registers in memory. Its methods must not be inlined, or the compiler may omit stores.
type mapped []uint32

//go:noinline
func (m mapped) load(word int) uint32 { return m[word] }

//go:noinline
func (m mapped) store(word int, v uint32) { m[word] = v }
