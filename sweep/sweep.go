// Package sweep proves a chip over a whole space of cases, such as every code point in every pairing of forms. It knows
// no documents; the tile's reference says what each step has to show.
//
// # Words
//
//   - A case is one question to the chip, from a reset on: bytes written, forms read back. It is judged alone.
//   - A space is cases in a fixed order; the first case that differs is the simplest one that does.
//   - A block is consecutive cases: the unit of work, of hashing and of resuming. Its steps follow from the space and
//     the block's number alone.
//   - A certificate says what was covered and holds a hash of the samples of each block; see [Certificate].
//
// # The walk of a block
//
//	Space --Append--> steps --transport.Apply--> samples --compare, hash--> Block --> journal, certificate
//	                      \--> tile.Reference.Run --> expected samples --/
//
// A chip that is a transport.Signer is asked first, in stretches of cases; the cases that it signs right are not
// carried. See signed.go.
//
// The spaces are the tile's: see tile.Swept. block.go runs one block on one chip, runner.go all of them on several.
// journal.go keeps what is done until certificate.go writes it out; session.go does all of this in turn, words.go tells
// of it.
package sweep

import (
	"strings"

	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/transport"
)

// MaxSteps is how many steps a case may have, so that each fits into a transport.Series.
const MaxSteps = transport.MaxSeriesSteps

// Open opens a scope's space, and returns the tile in the scope's revision; the error lists what is allowed.
func Open(t tile.Tile, s tile.Scope) (tile.Space, tile.Tile, error) {
	inRevision, ok := tile.ByRevision(t, s.Revision)
	if !ok {
		return nil, nil, failure.Usagef("revision %q: allowed are "+
			"%s", s.Revision, strings.Join(tile.Revisions(t), ", "))
	}
	swept, ok := inRevision.(tile.Swept)
	if !ok {
		return nil, nil, failure.Usagef("the tile %s has no space to sweep, which is a list of all cases to ask",
			inRevision.Name())
	}
	space, err := swept.Space(s)
	return space, inRevision, err
}
