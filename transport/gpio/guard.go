package gpio

import (
	"io"
	"os/exec"
)

// A sentry is the process that parks the chip should the bench die before it has done so.
type sentry struct {
	process *exec.Cmd
	link    io.Closer // held by the bench alone: it breaks when the bench dies
}

// end ends the sentry. If the chip was not parked, the sentry tries once more. It may be nil.
func (s *sentry) end(parked bool) {
	if s == nil {
		return
	}
	if parked {
		_ = s.process.Process.Kill() // fails if it has ended, which Wait sees
	}
	s.link.Close()
	_ = s.process.Wait() // it has said what was wrong
}
