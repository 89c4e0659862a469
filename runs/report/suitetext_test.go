package report

import (
	"strings"
	"testing"

	"utfbench/golden"
)

// The texts of all open recordings share the limit for files; closing a recording frees its share.
func TestTextTogether(t *testing.T) {
	a, b := new(Recording), new(Recording)
	held := int(heldText.Load()) // by recordings that other tests left open
	if err := a.hold(golden.MostText - held - 10); err != nil {
		t.Fatal(err)
	}
	if err := b.hold(11); err == nil || !strings.Contains(err.Error(), "recordings that are open with it") {
		t.Error(err)
	}
	a.release()
	if err := b.hold(11); err != nil {
		t.Error(err)
	}
	b.release()
}
