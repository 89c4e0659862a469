package failure

import (
	"context"
	"errors"
	"fmt"
	"testing"

	"utfbench/transport"
)

// An unmarked error is the bench's. If an error has several marks, the outermost applies; an interrupt overrides all.
func TestKindOf(t *testing.T) {
	plain := errors.New("plain")
	for _, c := range []struct {
		err  error
		want Kind
	}{
		{plain, Bench},
		{fmt.Errorf("around: %w", plain), Bench},
		{&Error{err: plain}, Bench},
		{Usage(plain), User},
		{fmt.Errorf("around: %w", Usagef("a flag")), User},
		{New(Bench, fmt.Errorf("around: %w", Usagef("a file"))), Bench},
		{Newf(Nothing, "around: %w", New(Bench, plain)), Nothing},
		{AlreadyPrinted(Weak), Weak},
		{fmt.Errorf("around: %w", transport.ErrNoBursts), User},
		{New(Bench, context.Canceled), Interrupted},
	} {
		if got := KindOf(c.err); got != c.want {
			t.Errorf("%v: kind %d, want %d", c.err, got, c.want)
		}
	}
	if New(User, nil) != nil || Usage(nil) != nil {
		t.Error("no error is marked as one")
	}
}

// IsAlreadyPrinted holds only for errors of AlreadyPrinted, even if wrapped. They have a text nevertheless.
func TestTold(t *testing.T) {
	for err, want := range map[error]bool{AlreadyPrinted(Chip): true, fmt.Errorf("around: %w",
		AlreadyPrinted(Chip)): true,
		Usagef("a flag"): false, errors.New("plain"): false, New(Bench, errors.New("plain")): false} {
		if IsAlreadyPrinted(err) != want {
			t.Errorf("%v: told: %v", err, !want)
		}
	}
	if IsAlreadyPrinted(nil) || AlreadyPrinted(Chip).Error() == "" {
		t.Error("nil is told, or an error has no text")
	}
}
