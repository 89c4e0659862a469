// Package sweep tests a chip with all cases of a space, such as every code point in every pairing of forms. The tile's
// reference provides the expected samples.
//
// # Terms
//
//   - A case is one query to the chip, starting with a reset: bytes are written and forms are read back. Each case
//     is judged separately.
//   - A space is a list of cases in a fixed order, simplest first, so the first failing case is the simplest.
//   - A block is a group of consecutive cases: the unit of work, hashing and resuming. Its steps depend only on the
//     space and the block's number.
//   - The root is a hash over the samples of all blocks. Equal roots of one space mean equal responses, so a chip's
//     root is compared with the mock's.
//
// # Processing of a block
//
//	Space --Append--> steps --transport.Apply--> samples --compare, hash--> Block --> State, Result
//	                      \--> tile.Reference.Run --> expected samples --/
//
// A transport.Signer first signs stretches of cases; samples of cases with a correct signature are not transferred. See
// signed.go.
//
// The tile defines the spaces: see tile.SpaceLister. block.go runs a block on one chip, and runner.go runs all blocks
// on several chips. state.go keeps finished blocks for --resume, result.go holds the outcome, diff.go compares two
// outcomes, and words.go prints them.
package sweep

import (
	"strings"

	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/transport"
)

// MaxSteps is the maximum number of steps in a case, so that it fits into a transport.Series.
const MaxSteps = transport.MaxSeriesSteps

// Open opens a scope's space and returns the tile in the scope's revision. The error lists the allowed values.
func Open(t tile.Tile, s tile.Scope) (tile.Space, tile.Tile, error) {
	inRevision, ok := tile.FindRevision(t, s.Revision)
	if !ok {
		return nil, nil, failure.Usagef("revision %q: allowed are %s", s.Revision,
			strings.Join(tile.Revisions(t), ", "))
	}
	swept, ok := inRevision.(tile.SpaceLister)
	if !ok {
		return nil, nil, failure.Usagef("the tile %s cannot be swept, since it has no space, the list of all its "+
			"cases: test it with bench run", inRevision.Name())
	}
	space, err := swept.Space(s)
	return space, inRevision, err
}
