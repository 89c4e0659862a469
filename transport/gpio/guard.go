package gpio

import (
	"io"
	"os/exec"
)

// A sentry is the process that parks the chip if the bench dies before doing so.
type sentry struct {
	process *exec.Cmd
	link    io.Closer // held only by the bench; breaks when the bench dies
}

// end ends the sentry, which may be nil. If the chip was not parked, the sentry tries once more first.
func (s *sentry) end(parked bool) {
	if s == nil {
		return
	}
	if parked {
		_ = s.process.Process.Kill() // fails if it has ended, as Wait reports
	}
	s.link.Close()
	_ = s.process.Wait() // it has printed its error
}
