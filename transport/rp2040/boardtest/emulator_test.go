//go:build unix

package boardtest

import (
	"path/filepath"
	"testing"

	"utfbench/boards"
)

// Data that firmware writes to the flash survives a power cycle.
func TestEmulatorKeepsFlash(t *testing.T) {
	b, err := boards.Open(map[string]string{"RP2040": "tt-demo-tt06",
		"RP2350": "tt-demo-rp2350"}[EmulatedMicrocontroller(t)])
	if err != nil {
		t.Fatal(err)
	}
	c := Config{}
	if c.Pins, _, err = b.PinNumbers(); err != nil {
		t.Fatal(err)
	}
	image := filepath.Join(t.TempDir(), "flash.img")
	const flash = "import rp2, vfs\nflash = rp2.Flash()\n"
	at := func(code string, options ...string) {
		e := StartEmulator(t, c, options...)
		p := e.prompt(t)
		defer p.tty.Close()
		p.raw()
		p.run(flash + code)
		e.stop()
	}
	at("vfs.VfsLfs2.mkfs(flash)\nvfs.mount(vfs.VfsLfs2(flash), '/kept')\nwith open('/kept/file', 'w') as f: "+
		"f.write('as it was')", "--save", image)
	at("vfs.mount(vfs.VfsLfs2(flash), '/kept')\nassert open('/kept/file').read() == 'as it was'", "--flash", image)
}
