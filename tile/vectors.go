package tile

import (
	"io/fs"

	"utfbench/golden"
)

// Versed is a tile with vectors of its own, and with words of its own for a file of vectors.
type Versed interface {
	Dialect() golden.Dialect

	// Vectors is a folder of vector files.
	Vectors() fs.FS
}

// Smoked is a tile with a short list of vectors that find as many faults inside a chip as all. The list may include
// other revisions' vectors.
type Smoked interface {
	// Smoke is a list of names, a line each; a line that begins with # is a comment.
	Smoke() string
}

// Dialect returns the tile's, or golden.Plain.
func Dialect(t Tile) golden.Dialect {
	if v, ok := t.(Versed); ok {
		return v.Dialect()
	}
	return golden.Plain{Reset: Reset(t), Of: Revisions(t)}
}

// Suites returns the vectors that come with a tile.
func Suites(t Tile) ([]*golden.Suite, error) {
	v, ok := t.(Versed)
	if !ok {
		return nil, nil
	}
	return golden.Load(v.Vectors(), v.Dialect())
}
