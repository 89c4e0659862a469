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

// DeviceName names the device that the target occupies while it is open, as far as it is known without opening it. The
// name does not depend on the user's name for the device. It is "" if the device can be shared.
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

// device returns the file of a port, with links resolved if possible.
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

// AbsenceReason returns why the target is missing, as far as is known without opening it, or nil if it may be there.
func (t *Target) AbsenceReason() error {
	k, where, err := t.FindKind()
	if err != nil || k.AbsenceReason == nil {
		return err
	}
	return k.AbsenceReason(t, where)
}

// CommonObstacle returns, after opening a design failed with err, the reason why no other design can be opened either:
// the factory test fails to open, or the wires are bad. It returns nil if the design may be the reason.
func (t *Target) CommonObstacle(ctx context.Context, err error) error {
	if k, where, unknown := t.FindKind(); unknown == nil && k.HasFactoryTest == nil {
		c, why := t.asFactory().reach(ctx, &k, where)
		switch {
		case why == nil:
			_ = c.Close() // a remaining fault shows when the target is opened again
		case why.Error() == err.Error(): // the reason does not depend on the design
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
