package report

import (
	"encoding/json"
	"fmt"

	"utfbench/internal/files"
)

// Prune copies the start and the end of a recording, marked as pruned, without the blocks between them.
func Prune(from, to string) error {
	rec, err := OpenBrief(from)
	if err != nil {
		return err
	}
	defer rec.Close()
	return writePruned(to, &rec.Start, rec.End, rec.total)
}

// WritePruned writes a recording of a run without its executions.
func WritePruned(to string, run Run, o Outcome) error {
	start, end, executions := NewStart(run), shortened(NewEnd(&run, o)), 0
	for _, n := range o.Tally.Verdicts {
		executions += n
	}
	return writePruned(to, &start, &end, executions)
}

func writePruned(to string, start *Start, end *End, executions int) error {
	text, err := json.Marshal(start)
	if err != nil {
		return fmt.Errorf("%s: %w", to, err)
	}
	file := appendBlock(append([]byte(magic), version), kindStart, text)
	if end != nil {
		if text, err = json.Marshal(seal{Executions: executions, Pruned: true, End: *end}); err != nil {
			return fmt.Errorf("%s: %w", to, err)
		}
		file = appendBlock(file, kindEnd, text)
	}
	return files.Write(to, file, 0)
}
