package main

import (
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
)

// Every entry of the archive can be read, and folders precede their contents.
func TestArchive(t *testing.T) {
	dir := t.TempDir()
	from, out := filepath.Join(dir, "from"), filepath.Join(dir, "out")
	if err := os.WriteFile(from, []byte("12345"), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := run(out, []string{"init=" + from, "lib/modules/a.ko=" + from}); err != nil {
		t.Fatal(err)
	}
	b, err := os.ReadFile(out)
	if err != nil {
		t.Fatal(err)
	}
	got := strings.Join(list(t, b), " ")
	want := "dev:40755 dev/console:20600 init:100755=12345 lib:40755 lib/modules:40755 " +
		"lib/modules/a.ko:100755=12345 TRAILER!!!:0"
	if got != want {
		t.Errorf("entries\ngot  %s\nwant %s", got, want)
	}
	if err := run(out, []string{"init"}); err == nil {
		t.Error("an argument without = was accepted")
	}
}

// list parses a cpio archive.
func list(t *testing.T, b []byte) (entries []string) {
	for at := 0; at < len(b); {
		field := func(n int) int {
			v, err := strconv.ParseUint(string(b[at+6+8*n:at+14+8*n]), 16, 32)
			if err != nil {
				t.Fatalf("at %d: %v", at, err)
			}
			return int(v)
		}
		round := func(n int) int { return (n + 3) &^ 3 }
		name := string(b[at+110 : at+110+field(11)-1])
		data := round(at + 110 + field(11))
		e := name + ":" + strconv.FormatInt(int64(field(1)), 8)
		if size := field(6); size > 0 {
			e += "=" + string(b[data:data+size])
		}
		entries = append(entries, e)
		at = round(data + field(6))
	}
	return entries
}
