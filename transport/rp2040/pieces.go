package rp2040

import (
	"context"
	"strings"

	"utfbench/internal/printable"
)

// constant matches a constant that exists only during compilation of a piece and takes no memory afterwards.
var constant = printable.LazyRegexp(`^(_[A-Z0-9_]+) = const\(.*\)`)

// inUse matches the names in a piece that may be constants.
var inUse = printable.LazyRegexp(`\b_[A-Z0-9_]+\b`)

// pieces splits a program at its top-level definitions, so that a board with little and fragmented memory can load it
// function by function. Each piece contains the constants that it uses. Comments and blank lines are omitted, and
// indentation is reduced.
func pieces(program []byte) (all []string) {
	constants := map[string]string{}
	var piece []string
	flush := func() {
		if len(piece) > 0 {
			all = append(all, strings.Join(piece, "\n")+"\n")
			piece = nil
		}
	}
	decorated := false
	for line := range strings.Lines(string(program)) {
		line = compact(line)
		name := constant().FindStringSubmatch(line)
		switch {
		case line == "":
			continue
		case name != nil:
			constants[name[1]] = name[0]
			continue
		case begins(line):
			if !decorated {
				flush()
			}
			decorated = line[0] == '@'
		}
		piece = append(piece, line)
	}
	flush()
	for i := range all {
		all[i] = used(constants, all[i]) + all[i]
	}
	return all
}

// begins reports whether a line begins a top-level definition or its decorators.
func begins(line string) bool {
	word, _, _ := strings.Cut(line, " ")
	return word == "def" || word == "class" || line[0] == '@'
}

// compact removes the comment and the line end, and indents by one space instead of four.
func compact(line string) string {
	line = strings.TrimRight(line, " \n")
	bare := strings.TrimLeft(line, " ")
	if strings.HasPrefix(bare, "#") {
		return ""
	}
	if code, comment, ok := strings.Cut(bare, "  # "); ok && !strings.ContainsAny(comment, `"'`) {
		bare = code
	}
	return strings.Repeat(" ", (len(line)-len(strings.TrimLeft(line, " ")))/4) + bare
}

func used(constants map[string]string, piece string) (lines string) {
	seen := map[string]bool{}
	for _, name := range inUse().FindAllString(piece, -1) {
		if constants[name] != "" && !seen[name] {
			seen[name] = true
			lines += constants[name] + "\n"
		}
	}
	return lines
}

// add sends another program to the board, and returns the reason if the board rejects it.
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
