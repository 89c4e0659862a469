package golden

import (
	"strings"
	"testing"
)

// CheckLimits limits the memory for vectors even if their text is small.
func TestMemory(t *testing.T) {
	v := Vector{Sequence: Sequence{Checks: make([]Check, maxMemory/24/2+1)}}
	if err := CheckLimits([]*Suite{{Vectors: []Vector{v}}}); err != nil {
		t.Error(err)
	}
	if err := CheckLimits([]*Suite{{Vectors: []Vector{v, v}}}); err == nil ||
		!strings.Contains(err.Error(), "steps and checks of") {
		t.Error(err)
	}
}
