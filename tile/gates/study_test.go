package gates

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"
)

func TestStudy(t *testing.T) {
	dir := os.Getenv("UTFBENCH_NETLISTS")
	if dir == "" {
		t.Skip("set UTFBENCH_NETLISTS")
	}
	files, _ := filepath.Glob(filepath.Join(dir, "*", "tt_um*.v"))
	var total time.Duration
	n, comb := 0, 0
	for _, f := range files {
		b, err := os.ReadFile(f)
		if err != nil {
			t.Fatal(err)
		}
		start := time.Now()
		c, macros, err := ReadNetlist(Source{File: f, Text: string(b)}, nil)
		if err != nil {
			fmt.Println(err)
			continue
		}
		read := time.Since(start)
		d, err := Compile(c)
		if err != nil {
			fmt.Println(f, err)
			continue
		}
		total += time.Since(start)
		n++
		if len(macros) > 0 {
			fmt.Println(filepath.Base(f), macros)
		}
		if d.Combinational() {
			comb++
		}
		if time.Since(start) > 30*time.Millisecond {
			fmt.Println(filepath.Base(f), read, time.Since(start), d.prog.Ops(), d.prog.Flops(), d.prog.Loops(), d.prog.Floating())
		}
	}
	fmt.Println(n, comb, total)
}
