package rp2040

import (
	"context"

	"utfbench/internal/printable"
)

// add sends a further program to the board, and returns the reason if the board rejects it.
func (t *Transport) add(ctx context.Context, more []byte) (why string, err error) {
	for _, piece := range morePieces(more) {
		if why, err = t.sendCode(ctx, piece); why != "" || err != nil {
			break
		}
	}
	return why, err
}

// morePieces returns the pieces of a program that shares the constants of program.py.
func morePieces(more []byte) []string {
	own := len(pieces(program))
	return pieces(append(program[:len(program):len(program)], more...))[own:]
}

func (t *Transport) sendCode(ctx context.Context, text string) (why string, err error) {
	for text != "" && why == "" {
		part := text[:min(len(text), t.board.payload-1)]
		text = text[len(part):]
		last := byte(0)
		if text == "" {
			last = 1
		}
		f, err := t.exchange(ctx, kindCode, append([]byte{last}, part...))
		if err != nil {
			return "", err
		}
		why = printable.Text(string(f.payload))
	}
	return why, nil
}
