package main

import (
	"encoding/binary"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing/fstest"

	"golang.org/x/sys/unix"

	"utfbench/boards"
	"utfbench/tile/utf"
	"utfbench/transport"
	"utfbench/transport/gpio"
	"utfbench/transport/mock"
)

// words of a BCM2711's GPIO block according to its data sheet, and one for the latches, which no program can read
const (
	fselWords = 3
	gpset     = 7
	gpclr     = 10
	gplev     = 13
	latches   = 32
)

// A pi is the GPIO block of a Raspberry Pi, with a chip at the header. It is a file that outlives the processes that
// map it. FAKE_PI names the file. A file with .log appended to that name logs all stores, each after its process ID.
type pi struct {
	words []byte
	log   *os.File
	line  [32]int // index in transport.Lines of the line at each GPIO, or -1
	chip  *mock.Transport
}

// fakePi makes the transport gpio find the pi that FAKE_PI names.
func fakePi() {
	path := os.Getenv("FAKE_PI")
	if path == "" {
		return
	}
	p, err := openPi(path)
	if err != nil {
		panic(err)
	}
	p.plug()
}

// plug makes the transport gpio of this process find the pi.
func (p *pi) plug() (unplug func()) {
	root := fstest.MapFS{"proc/device-tree/compatible": {Data: []byte("raspberrypi,4-model-b\x00brcm,bcm2711\x00")}}
	return gpio.UseFakeMachine(root, p.load, p.store)
}

func openPi(path string) (*pi, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	p := &pi{chip: mock.Open(mock.Config{Tile: utf.TT09})}
	if p.words, err = unix.Mmap(int(f.Fd()), 0, 4096, unix.PROT_READ|unix.PROT_WRITE, unix.MAP_SHARED); err != nil {
		return nil, fmt.Errorf("mapping %s: %w", path, err)
	}
	if p.log, err = os.OpenFile(path+".log", os.O_CREATE|os.O_APPEND|os.O_WRONLY, 0o600); err != nil {
		return nil, err
	}
	p.line, err = headerLines()
	return p, err
}

func headerLines() (line [32]int, err error) {
	b, err := boards.Open("rpi")
	if err != nil {
		return line, err
	}
	for n := range line {
		line[n] = -1
	}
	for i, s := range transport.Lines {
		n, err := strconv.Atoi(b.PinNames()[s])
		if err != nil {
			return line, err
		}
		line[n] = i
	}
	return line, nil
}

func (p *pi) get(word int) uint32    { return binary.NativeEndian.Uint32(p.words[4*word:]) }
func (p *pi) put(word int, v uint32) { binary.NativeEndian.PutUint32(p.words[4*word:], v) }

func (p *pi) store(word int, v uint32) {
	if p.log != nil {
		store := fmt.Sprintf("%d %d %08x", os.Getpid(), word, v)
		fmt.Fprintf(p.log, "%-31s\n", store) // fixed size, within one page: a kill may cut a write between pages
	}
	switch {
	case word < fselWords:
		p.put(word, v)
	case word == gpset:
		p.put(latches, p.get(latches)|v)
	case word == gpclr:
		p.put(latches, p.get(latches)&^v)
	}
	p.show()
}

func (p *pi) load(word int) uint32 {
	if word != gplev {
		return p.get(word)
	}
	return p.show()
}

// driven returns the lines that the header drives and the levels of all lines, as bits in the order of transport.Lines.
func (p *pi) driven() (drive, levels uint32) {
	for n, i := range p.line {
		if i < 0 {
			continue
		}
		if p.get(n/10)>>(n%10*3)&7 == 1 {
			drive |= 1 << i
		}
		levels |= p.get(latches) >> n & 1 << i
	}
	return drive, levels
}

// show applies the lines to the chip, and returns the register of levels.
func (p *pi) show() (register uint32) {
	drive, levels := p.driven()
	seen, _ := p.chip.DrivePins(levels&drive, drive)
	for n, i := range p.line {
		if i >= 0 {
			register |= seen >> i & 1 << n
		}
	}
	return register
}

func (p *pi) stores(path string) (by map[int][]string, err error) {
	text, err := os.ReadFile(path + ".log")
	by = map[int][]string{}
	for line := range strings.Lines(string(text)) {
		process, store, _ := strings.Cut(strings.TrimSpace(line), " ")
		pid, err := strconv.Atoi(process)
		if err != nil {
			return nil, err
		}
		by[pid] = append(by[pid], store)
	}
	return by, err
}
