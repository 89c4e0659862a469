package tile

import (
	"io/fs"

	"utfbench/golden"
)

// VectorSource is a tile with vectors and a dialect of its own.
type VectorSource interface {
	Dialect() golden.Dialect

	// Vectors returns a folder of vector files.
	Vectors() fs.FS
}

// Dialect returns the tile's dialect, or golden.PlainDialect.
func Dialect(t Tile) golden.Dialect {
	if v, ok := t.(VectorSource); ok {
		return v.Dialect()
	}
	return golden.PlainDialect{Reset: ResetStep(t), RevisionNames: Revisions(t)}
}

// Suites returns a tile's vectors, if any. The caller must not modify them, since a later call may return them.
func Suites(t Tile) ([]*golden.Suite, error) {
	if p, ok := t.(interface {
		Suites() ([]*golden.Suite, error)
	}); ok {
		return p.Suites()
	}
	v, ok := t.(VectorSource)
	if !ok {
		return nil, nil
	}
	return golden.Load(v.Vectors(), v.Dialect())
}
