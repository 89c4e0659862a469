package user

import (
	"context"

	"utfbench/internal/failure"
	"utfbench/internal/files"
	"utfbench/lab"
)

// Fetch writes the recording of a result to a file.
func Fetch(ctx context.Context, s *lab.Store, r *lab.Result, path string) error {
	if r.Recording == "" {
		return failure.Usagef("the job %s on %s.%s has no recording", r.Job, r.Host, r.Board)
	}
	text, err := lab.Get(ctx, s.Recordings, "the recording of "+r.Job, r.Recording, lab.MostRecording)
	if err != nil {
		return err
	}
	return files.Write(path, text, 0)
}
