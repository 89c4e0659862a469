// Initramfs writes an initial file system for a kernel, with a console and the given files. It lets a test boot a
// kernel whose only program is a test binary as init.
//
//	initramfs OUT NAME=FILE...
package main

import (
	"bytes"
	"fmt"
	"os"
	"path"
	"strings"
)

func main() {
	if len(os.Args) < 2 {
		fmt.Fprintln(os.Stderr, "usage: initramfs OUT NAME=FILE...")
		os.Exit(2)
	}
	if err := run(os.Args[1], os.Args[2:]); err != nil {
		fmt.Fprintln(os.Stderr, "initramfs:", err)
		os.Exit(1)
	}
}

func run(out string, files []string) error {
	a := newArchive()
	for _, f := range files {
		name, from, ok := strings.Cut(f, "=")
		if !ok {
			return fmt.Errorf("%q is not NAME=FILE", f)
		}
		data, err := os.ReadFile(from)
		if err != nil {
			return err
		}
		a.file(name, data)
	}
	return os.WriteFile(out, a.end(), 0o644)
}

// Modes as in stat(2).
const (
	folder    = 0o040755
	device    = 0o020600
	programme = 0o100755
)

// An archive is a cpio archive in the format "newc", specified in the kernel's documentation as "initramfs buffer
// format": a header of hexadecimal numbers, a name, and data, each padded to four bytes.
type archive struct {
	buf     bytes.Buffer
	inode   int
	folders map[string]bool
}

func newArchive() *archive {
	a := &archive{folders: map[string]bool{".": true}}
	a.parent("dev/console")
	a.entry("dev/console", device, nil, 5, 1)
	return a
}

func (a *archive) file(name string, data []byte) {
	a.parent(name)
	a.entry(name, programme, data, 0, 0)
}

// parent adds the parent folders of a name, outermost first.
func (a *archive) parent(name string) {
	dir := path.Dir(name)
	if a.folders[dir] {
		return
	}
	a.parent(dir)
	a.folders[dir] = true
	a.entry(dir, folder, nil, 0, 0)
}

func (a *archive) entry(name string, mode int, data []byte, major, minor int) {
	a.inode++
	const uid, gid, links, mtime, check = 0, 0, 1, 0, 0
	a.buf.WriteString("070701")
	for _, field := range []int{a.inode, mode, uid, gid, links, mtime, len(data), 0, 0, major, minor,
		len(name) + 1, check} {
		fmt.Fprintf(&a.buf, "%08x", field)
	}
	a.buf.WriteString(name + "\x00")
	a.pad()
	a.buf.Write(data)
	a.pad()
}

func (a *archive) pad() {
	for a.buf.Len()%4 != 0 {
		a.buf.WriteByte(0)
	}
}

func (a *archive) end() []byte {
	a.entry("TRAILER!!!", 0, nil, 0, 0)
	return a.buf.Bytes()
}
