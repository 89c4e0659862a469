package sweep

import (
	"strings"
	"testing"

	"utfbench/tile"
)

// Shards with different vectors are rejected: their models passed different tests.
func TestShardsOfOtherVectors(t *testing.T) {
	scope := tile.Scope{Space: "values", Values: 9_000, Seed: 9}
	of := certify(t, scope, Range{}).Head.Of
	first, second := certify(t, scope, Shard(1, 2, of)), certify(t, scope, Shard(2, 2, of))
	second.Head.Vectors[0] ^= 1
	_, err := Merge([]*Certificate{first, second})
	if err == nil || !strings.Contains(err.Error(), "different vectors") {
		t.Errorf("error %v, want one about different vectors", err)
	}
}
