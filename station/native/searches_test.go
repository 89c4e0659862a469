package native

import (
	"context"
	"reflect"
	"testing"
	"time"

	"utfbench/internal/testkit"
	"utfbench/tile/gates"
	"utfbench/tile/project"
)

// The result of a search is cached for this build of the program and not computed again.
func TestSearches(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	x := testkit.Must(gates.Open(testkit.Must(project.Open("../../tile/gates/testdata/turn.v"))(t)))(t)
	ctx, cancel := context.WithCancel(t.Context())
	first := testkit.Must(CachedSearch(ctx, 10*time.Millisecond)(x))(t)
	cancel()
	if again, err := CachedSearch(ctx, 10*time.Millisecond)(x); err != nil || !reflect.DeepEqual(again, first) {
		t.Errorf("again: %+v, %v; want %+v", again, err, first)
	}
	if _, err := CachedSearch(ctx, 20*time.Millisecond)(x); err == nil {
		t.Error("a search with another budget was not made")
	}
}
