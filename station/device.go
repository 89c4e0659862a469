package station

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"utfbench/cause/diagnose"
	"utfbench/internal/failure"
	"utfbench/transport/rp2040/demoboard"
)

// DeviceName names the device that an open target occupies, whichever of its names the user gave, as far as known
// without opening it; "" if it can be shared.
func (t *Target) DeviceName() (string, error) {
	k, where, err := t.FindKind()
	switch {
	case err != nil:
		return "", err
	case k.DeviceName != nil:
		return k.DeviceName(t, where), nil
	case k.HasWires && !k.Reopenable:
		return k.Name, nil
	}
	return "", nil
}

// device returns the file of a port, with links resolved where possible.
func device(port string) string {
	if list, err := demoboard.Ports(); err == nil {
		if found, err := demoboard.FindPort(list, port); err == nil {
			port = found.Name
		}
	}
	if file, err := filepath.EvalSymlinks(port); err == nil && port != "" {
		return file
	}
	return port
}

// AbsenceReason returns why the target is missing, as far as known without opening it; nil if it may be present.
func (t *Target) AbsenceReason() error {
	k, where, err := t.FindKind()
	if err != nil || k.AbsenceReason == nil {
		return err
	}
	return k.AbsenceReason(t, where)
}

// CommonObstacle is called after a design could not be opened, with the error. It returns why no other design can be
// opened either: the factory test cannot, or the wires are bad. It returns nil if the error may be the design's.
func (t *Target) CommonObstacle(ctx context.Context, err error) error {
	if k, where, unknown := t.FindKind(); unknown == nil && k.HasFactoryTest == nil {
		c, why := t.asFactory().reach(ctx, &k, where)
		switch {
		case why == nil:
			_ = c.Close() // a remaining fault shows when the target is opened again
		case why.Error() == err.Error(): // independent of the design
			return err
		}
		return nil
	}
	r, c, why := t.factory(ctx)
	switch {
	case ctx.Err() != nil:
		return ctx.Err()
	case why != nil:
		return err
	case r.Verdict == diagnose.BadWires:
		c.hedge(r)
		return failure.Newf(failure.Wire, "the wiring is at fault: %s", r.Sentence(c.Board, " "))
	}
	return nil
}

func absentPort(t *Target, where string) error {
	port := where
	if strings.Contains(port, "/") {
		_, err := os.Stat(port)
		return err
	}
	list, err := demoboard.Ports()
	if err == nil {
		_, err = demoboard.FindPort(list, port)
	}
	return err
}
