//go:build unix

package main

import (
	"bytes"
	"io"
	"strings"
	"testing"

	"github.com/creack/pty"
)

// On a terminal the progress line of bench minimise is wiped before anything else is said.
func TestMinimiseProgressIsWiped(t *testing.T) {
	for _, c := range []struct {
		after, ends string
	}{
		{"", "\r\x1b[K"},
		{"760 fails", "\r\x1b[Kbench: no answer: was the cable pulled? (the shortest so far was written, and may " +
			"not be minimal)\r\n"},
	} {
		terminal, tty, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		cmd := benchProcess(t, "minimise", "chip/bmp/000000A0/utf8-be-nochk", "--fault", "v7=stuck0")
		var out, said bytes.Buffer
		cmd.Stdout, cmd.Stderr, cmd.Env = &out, tty, append(cmd.Environ(), "MOCK_AFTER="+c.after)
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		tty.Close()
		io.Copy(&said, terminal) // until the last who has the tty open is gone, which some systems call an error
		cmd.Wait()
		terminal.Close()
		if s := said.String(); !strings.Contains(s, " of 33 steps left; ") || !strings.HasSuffix(s, c.ends) ||
			strings.Count(s, "\n") != strings.Count(c.ends, "\n") {
			t.Errorf("%q: the terminal shows %q", c.after, s)
		}
		if !strings.Contains(out.String(), "suite minimised") {
			t.Errorf("%q: no vector in %q", c.after, &out)
		}
	}
}
