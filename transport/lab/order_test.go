package lab

import (
	"testing"
	"time"
)

// An order applies only to the holder that it names, whose time the server has truncated to milliseconds.
func TestOrderIs(t *testing.T) {
	now := time.Now()
	named := Order{By: "first", Holder: Holder{Key: "pi1", Since: now.UTC().Truncate(time.Millisecond)}}
	for what, c := range map[string]struct {
		holder *Holder
		is     bool
	}{
		"the same":    {&Holder{Key: "pi1", Since: now}, true},
		"another key": {&Holder{Key: "pi2", Since: now}, false},
		"a later one": {&Holder{Key: "pi1", Since: now.Add(2 * time.Millisecond)}, false},
		"one before":  {&Holder{Key: "pi1", Since: now.Add(-3 * time.Millisecond)}, false},
		"nobody":      {nil, false},
	} {
		if got := named.Is(c.holder); got != c.is {
			t.Errorf("%s: %v", what, got)
		}
	}
}
