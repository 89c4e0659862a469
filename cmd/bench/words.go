package main

import (
	_ "embed"

	"utfbench/cause/diagnose"
	"utfbench/cause/wiring"
	"utfbench/driver"
	"utfbench/fault"
	"utfbench/internal/cli"
	"utfbench/runs/compare"
	"utfbench/tile"
	"utfbench/transport/lab"
)

//go:embed exits.txt
var exitWords string

//go:embed terms.txt
var termWords string

// wordBook returns all words, a tile's included.
func wordBook(t tile.Tile) cli.Book { return append(benchWords(), cli.NewBook(tile.Words(t)...)...) }

// benchWords returns the words that mean the same for every tile.
func benchWords() cli.Book {
	return cli.NewBook(driver.Words, exitWords, wiring.Words, diagnose.Words, fault.Words, lab.Words, compare.Words,
		termWords)
}
