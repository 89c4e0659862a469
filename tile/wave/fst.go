package wave

import (
	"bytes"
	"context"
	"os/exec"
	"strings"

	"utfbench/internal/failure"
)

// fstMagic begins an FST: a header block, of type 0 and 329 bytes long (GTKWave's manual, appendix "FST file format").
var fstMagic = []byte{0, 0, 0, 0, 0, 0, 0, 1, 73}

// isFST reports whether a file with these first bytes is an FST.
func isFST(begin []byte) bool { return bytes.HasPrefix(begin, fstMagic) }

// readFST cuts an FST into steps. It converts it with fst2vcd, which comes with GTKWave.
func readFST(ctx context.Context, path string, o Options) (*Wave, error) {
	tool, err := exec.LookPath("fst2vcd")
	if err != nil {
		return nil, failure.Usagef("an FST is read by fst2vcd, which is not installed: it is in the Debian package " +
			"gtkwave; a VCD needs no tool")
	}
	cmd := exec.CommandContext(ctx, tool, "--", path)
	var messages bytes.Buffer
	cmd.Stderr = &messages
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		return nil, err
	}
	w, err := Read(out, o)
	if err != nil {
		cmd.Process.Kill()
		cmd.Wait()
		return nil, err
	}
	if err := cmd.Wait(); err != nil && !enough(w, o) {
		return nil, failure.Usagef("fst2vcd: %w: %s", err, strings.TrimSpace(messages.String()))
	}
	return w, nil
}

// enough reports whether reading may stop.
func enough(w *Wave, o Options) bool { return o.MostClocks > 0 && w.Clocks > o.MostClocks }
