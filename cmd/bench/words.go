package main

import (
	_ "embed"

	"utfbench/cause/diagnose"
	"utfbench/cause/wiring"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/glossary"
	"utfbench/runs/compare"
	"utfbench/tile"
	"utfbench/transport/lab"
)

//go:embed exits.txt
var exitWords string

//go:embed terms.txt
var termWords string

// wordBook returns all words, a tile's included.
func wordBook(t tile.Tile) glossary.Book { return append(benchWords(), tile.Words(t)...) }

// benchWords returns the words that mean the same for every tile.
func benchWords() glossary.Book {
	exits := glossary.Parse("Exit codes", "an exit code", exitWords)
	terms := glossary.Parse("Terms", "a term", termWords)
	return glossary.Book{driver.Words(), exits, wiring.Words(), diagnose.Words(), fault.Words(), lab.Words(),
		compare.Words(), terms}
}
