// Package sweep tests a chip over a whole space of cases, such as every code point in every pairing of forms. It reads
// no documents; the tile's reference provides the expected samples.
//
// # Terms
//
//   - A case is one query to the chip, starting with a reset: bytes written, forms read back. It is judged separately.
//   - A space is cases in a fixed order, simplest first, so the first failing case is the simplest.
//   - A block is consecutive cases: the unit of work, of hashing and of resuming. Its steps depend only on the space
//     and the block's number.
//   - A certificate lists the covered blocks with a hash of each block's samples; see [Certificate].
//
// # Processing of a block
//
//	Space --Append--> steps --transport.Apply--> samples --compare, hash--> Block --> journal, certificate
//	                      \--> tile.Reference.Run --> expected samples --/
//
// A transport.Signer first signs stretches of cases; correctly signed cases are not carried. See signed.go.
//
// The tile defines the spaces: see tile.Swept. block.go runs a block on one chip, runner.go all blocks on several.
// journal.go stores finished blocks until certificate.go writes them out. session.go combines these, and words.go
// prints the results.
package sweep

import (
	"context"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"utfbench/driver"
	"utfbench/internal/document"
	"utfbench/internal/failure"
	"utfbench/tile"
	"utfbench/transport"
)

// MaxSteps is the maximum number of steps in a case, so that it fits into a transport.Series.
const MaxSteps = transport.MaxSeriesSteps

// Open opens a scope's space and returns the tile in the scope's revision. The error lists the allowed values.
func Open(t tile.Tile, s tile.Scope) (tile.Space, tile.Tile, error) {
	inRevision, ok := tile.ByRevision(t, s.Revision)
	if !ok {
		return nil, nil, failure.Usagef("revision %q: allowed are "+
			"%s", s.Revision, strings.Join(tile.Revisions(t), ", "))
	}
	swept, ok := inRevision.(tile.Swept)
	if !ok {
		return nil, nil, failure.Usagef("the tile %s cannot be swept, since it has no space, the list of all its "+
			"cases: test it with bench run", inRevision.Name())
	}
	space, err := swept.Space(s)
	return space, inRevision, err
}

// A Verification recomputes a certificate.
type Verification struct {
	Tile    tile.Tile
	Vectors fs.FS // of this bench
	Jobs    int   // goroutines
	Head    document.Head
	JSON    bool

	Begun func(blocks int) // called before the first block
	Done  func(Answer)     // called after each block
	Over  func()           // called after the last block
}

// File verifies the certificate in a file, and writes the result.
func (v *Verification) File(ctx context.Context, w io.Writer, path string) (driver.Verdict, error) {
	c, err := ReadFile(path)
	if err != nil {
		return driver.Error, err
	}
	vectors, err := HashFiles(v.Vectors)
	if err != nil {
		return driver.Error, failure.New(failure.Bench, err)
	}
	if !v.JSON {
		c.WriteHead(w, vectors)
	}
	v.Begun(len(c.Blocks))
	doubts, err := Verify(ctx, c, v.Tile, v.Jobs, func(a Answer) error { v.Done(a); return nil })
	v.Over()
	verdict := driver.Error
	switch {
	case ctx.Err() != nil:
		return verdict, ctx.Err()
	case err == nil && v.JSON:
		verdict, err = c.DoubtsJSON(w, v.Head, doubts)
	case err == nil:
		verdict, err = c.WriteDoubts(w, v.Tile, doubts)
	}
	if err != nil {
		err = fmt.Errorf("%s does not verify: %w", path, err)
	}
	return verdict, err
}
