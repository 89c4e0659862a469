package export

import (
	"database/sql"
	_ "embed"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"time"

	_ "modernc.org/sqlite" // the driver

	"utfbench/runs/report"
	"utfbench/transport"
)

//go:embed schema.sql
var schema string

// SQLite is a database of runs: which they were, what became of each execution, which lines were wrong at which steps.
// It is made in a file of its own, and written when it is whole.
type SQLite struct {
	to     io.Writer
	folder string
	db     *sql.DB
	tx     *sql.Tx

	execution, wrong *sql.Stmt

	run          int
	known, wrote [16]int // of the lines of a sample, in this run: steps at which one is known, and is wrong
}

var _ Collection = (*SQLite)(nil)

// NewSQLite begins a database; Close frees its temporary resources.
func NewSQLite(w io.Writer) (*SQLite, error) {
	folder, err := os.MkdirTemp("", "bench-export")
	if err != nil {
		return nil, err
	}
	s := &SQLite{to: w, folder: folder}
	if err := s.begin(); err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *SQLite) path() string { return filepath.Join(s.folder, "runs.db") }

func (s *SQLite) begin() (err error) {
	// nobody reads it before it is whole, and a crash leaves nothing that is wanted
	s.db, err = sql.Open("sqlite", "file:"+s.path()+"?_pragma=journal_mode(OFF)&_pragma=synchronous(OFF)")
	if err != nil {
		return err
	}
	if s.tx, err = s.db.Begin(); err != nil {
		return err
	}
	if _, err = s.tx.Exec(schema); err != nil {
		return err
	}
	if s.execution, err = s.tx.Prepare("INSERT INTO executions VALUES (?, ?, ?, ?, ?, ?, ?, ?)"); err != nil {
		return err
	}
	s.wrong, err = s.tx.Prepare("INSERT INTO wrong VALUES (?, ?, ?, ?, ?, ?, ?)")
	return err
}

// Run implements Collection.
func (s *SQLite) Run(name string, of *report.Start) error {
	if err := s.endRun(); err != nil {
		return err
	}
	s.run++
	var period, sample, lead any
	if at := of.Speed; at != nil {
		period, sample, lead = at.Period.Nanoseconds(), at.Sample.Nanoseconds(), at.Lead.Nanoseconds()
	}
	_, err := s.tx.Exec("INSERT INTO runs VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)", s.run, name,
		of.Time.UTC().Format(time.RFC3339), of.Bench, of.Transport, of.Kind, of.Board, of.Device, of.Tile, of.Revision,
		of.Faults, period, sample, lead)
	for key, value := range of.Tags {
		if err == nil {
			_, err = s.tx.Exec("INSERT INTO tags VALUES (?, ?, ?)", s.run, key, value)
		}
	}
	return err
}

// Vector implements Format.
func (s *SQLite) Vector(v *Vector) error {
	suite, _, _ := strings.Cut(v.Name, "/")
	var first any // nil if no step is wrong
	for i, got := range v.Got {
		want := v.Want[i]
		differs := got.Differ(want)
		for line := range s.known {
			bit := transport.Outputs(1) << line
			if want.Unknown()&bit != 0 {
				continue
			}
			s.known[line]++
			if differs&bit == 0 {
				continue
			}
			s.wrote[line]++
			if first == nil {
				first = i + 1
			}
			if err := s.add(v, i, line, want, got); err != nil {
				return err
			}
		}
	}
	_, err := s.execution.Exec(s.run, v.Name, suite, v.Iteration, v.Verdict, len(v.Steps), len(v.Got), first)
	return err
}

// add adds a line that is wrong at a step; a level that is not known is NULL.
func (s *SQLite) add(v *Vector, i, line int, want, got transport.Sample) error {
	level := func(of transport.Sample) any {
		all, unknown := uint16(of.IO)<<8|uint16(of.Out), uint16(of.Unknown())
		if unknown>>line&1 != 0 {
			return nil
		}
		return int(all >> line & 1)
	}
	_, err := s.wrong.Exec(s.run, v.Name, v.Iteration, i+1, transport.Lines[transport.UO+line], level(want), level(got))
	return err
}

// endRun summarises the lines of the current run, if any.
func (s *SQLite) endRun() error {
	for line, known := range s.known {
		if s.run == 0 {
			break
		}
		var rate any // NULL where nothing is known
		if known > 0 {
			rate = float64(s.wrote[line]) / float64(known)
		}
		if _, err := s.tx.Exec("INSERT INTO lines VALUES (?, ?, ?, ?, ?)", s.run,
			transport.Lines[transport.UO+line], known, s.wrote[line], rate); err != nil {
			return err
		}
	}
	s.known, s.wrote = [16]int{}, [16]int{}
	return nil
}

// End implements Format.
func (s *SQLite) End() error {
	if err := s.endRun(); err != nil {
		return err
	}
	if _, err := s.tx.Exec("CREATE INDEX wrong_at ON wrong (run, line, vector, step)"); err != nil {
		return err
	}
	if err := s.tx.Commit(); err != nil {
		return err
	}
	if err := s.db.Close(); err != nil {
		return err
	}
	f, err := os.Open(s.path())
	if err != nil {
		return err
	}
	defer f.Close()
	_, err = io.Copy(s.to, f)
	return err
}

// Close frees the rest, also after End.
func (s *SQLite) Close() error {
	if s.db != nil {
		s.db.Close()
	}
	return os.RemoveAll(s.folder)
}
