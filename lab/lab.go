// Package lab defines a lab: boards of several machines that run jobs, which NATS JetStream distributes. A host judges
// its own boards; the lab transfers jobs and results, but no steps.
//
// # Words
//
//   - A host is a machine that offers boards. A user is a machine that uses them. Each has its own key, with the
//     permissions of its role.
//   - A [Board] is announced by its host every [BeatInterval] and forgotten [BeatTimeout] after its last announcement.
//   - A [Job] describes a run on one board. It contains only data, such as vectors and a netlist; a host executes none
//     of these, and a job names no file of a host.
//   - A [Result] is the outcome of a job. Its recording is an object named by its SHA-256.
//   - A [Block] is a part of a sweep, which any board computes; an [Answer] is its result.
//
// # The walk of a job
//
//	user --inputs, job--> JOBS --the board's consumer--> host: station.Run --> recording, result, ack --> user
//
// Because of this order, a job whose host dies is repeated, never lost. If the job has a result already, a repetition
// does nothing. A job runs at most twice: attempts are kept with the result, and the second failure makes it an ERROR
// with both reasons.
//
// # The walk of a block
//
//	user --block--> BLOCKS --any host--> samples' hash --> sweeps --> user: compares it with the model's
//
// A block that differs from the model's is published again for another board before it counts.
package lab

import (
	"context"
	"fmt"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
	"utfbench/sweep"
	"utfbench/tile"
)

// Names in JetStream.
const (
	JobsStream, BlocksStream                  = "JOBS", "BLOCKS"
	BoardsBucket, ResultsBucket, SweepsBucket = "boards", "results", "sweeps"
	InputsBucket, RecordingsBucket            = "inputs", "recordings"

	// BlocksConsumer is the consumer of all blocks, which all hosts share.
	BlocksConsumer = "blocks"
)

// Times and limits.
const (
	BeatInterval = 3 * time.Second  // interval of a board's announcements
	BeatTimeout  = 10 * time.Second // lifetime of an announcement
	AckWait      = 30 * time.Second // delay after which a job or block of a dead host is delivered again

	MaxBoards         = 32       // boards of a host, since each needs its own permissions
	MaxJobBytes       = 64 << 10 // bytes of a job
	MaxInputBytes     = 32 << 20 // bytes
	MaxRecordingBytes = 64 << 20 // bytes
	MaxWaitingJobs    = 200      // waiting jobs of a user for a board
	MaxJobRuns        = 2        // attempts at a job
	MaxCount          = 1000     // iterations of a job
)

// A Board is the announcement of a host's board.
type Board struct {
	Host   string    `json:"host"`
	Name   string    `json:"name"`
	Kind   string    `json:"kind"`  // kind of transport, such as rp2040
	State  string    `json:"state"` // StateFree, StateBusy or StateFaulty
	Reason string    `json:"why,omitempty"`
	Job    string    `json:"job,omitempty"`  // ID of the running job
	Since  time.Time `json:"since"`          // of the state
	Done   int       `json:"done,omitempty"` // finished vectors of the job
	Total  int       `json:"of,omitempty"`
}

// States of a board. A board without an announcement is gone.
const (
	StateFree, StateBusy, StateFaulty = "free", "busy", "trouble"
)

// String returns HOST.BOARD.
func (b *Board) String() string { return b.Host + "." + b.Name }

// An Input is an object that a user has stored, named by its SHA-256.
type Input struct {
	Name   string `json:"name"` // for messages
	SHA256 string `json:"sha256"`
}

// A Job describes a run on one board.
type Job struct {
	ID          string        `json:"id"`              // RUN.N
	Tile        string        `json:"tile,omitempty"`  // a built-in tile, or the top module of Gates
	Gates       *Gates        `json:"gates,omitempty"` // gates of a tile that is not built in
	Revision    string        `json:"revision,omitempty"`
	Design      string        `json:"design,omitempty"` // to select on the shuttle
	Suites      []string      `json:"suites,omitempty"`
	Match       string        `json:"match,omitempty"`
	Files       []Input       `json:"files,omitempty"` // files of vectors, instead of the built-in ones
	RandomSteps int           `json:"random,omitempty"`
	Seed        uint64        `json:"seed,omitempty"`
	Count       int           `json:"count"`
	NoWiring    bool          `json:"no_wiring,omitempty"`
	At          string        `json:"at,omitempty"` // the clock of a run at speed
	Timeout     time.Duration `json:"timeout_ns"`
}

// Gates describes a tile by its author's description and its netlist.
type Gates struct {
	Info    Input `json:"info"`
	Netlist Input `json:"netlist"`
}

// Check returns an error if a host must not run the job.
func (j *Job) Check() error {
	switch {
	case !idForm().MatchString(j.ID):
		return failure.Usagef("the job's id %q: it has to be RUN.N", j.ID)
	case j.Count < 1 || j.Count > MaxCount:
		return failure.Usagef("--count %d: allowed are 1 to %d in a lab", j.Count, MaxCount)
	case j.Timeout <= 0 || j.Timeout > time.Hour:
		return failure.Usagef("--timeout %s: allowed is more than 0 and at most 1h in a lab", j.Timeout)
	case j.Gates != nil && len(j.Files) == 0 && j.RandomSteps == 0 && j.Tile == "":
		return failure.Usagef("a tile by its gates needs a name")
	}
	return nil
}

// A Result is the outcome of a job. Before the end it holds only the attempts.
type Result struct {
	Job       string         `json:"job"`
	By        string         `json:"by,omitempty"` // the user's key
	Host      string         `json:"host"`
	Board     string         `json:"board"`
	Verdict   string         `json:"verdict,omitempty"` // "" before the end
	Text      string         `json:"text,omitempty"`    // the verdict in a sentence
	Hint      string         `json:"hint,omitempty"`    // where to look for the cause
	Counts    map[string]int `json:"counts,omitempty"`  // number of executions, by verdict
	Steps     int            `json:"steps,omitempty"`
	Seconds   float64        `json:"seconds,omitempty"`
	Recording string         `json:"recording,omitempty"` // SHA-256
	Ended     time.Time      `json:"ended,omitzero"`
	Attempts  []Attempt      `json:"attempts,omitempty"`
}

// An Attempt is one run of a job.
type Attempt struct {
	Began time.Time `json:"began"`
	Error string    `json:"error,omitempty"` // "" if the run succeeded or the host died
}

// String describes a failed attempt.
func (a Attempt) String() string {
	if a.Error == "" {
		return "the run of " + a.Began.UTC().Format(time.RFC3339) + " did not end: the host died, or lost the lab"
	}
	return a.Error
}

// A Block is one block of a sweep, to be computed by a board.
type Block struct {
	Sweep          string     `json:"sweep"`
	Tile           string     `json:"tile"`
	Scope          tile.Scope `json:"scope"`
	Number         int        `json:"number"`
	ExcludedBoards []string   `json:"not,omitempty"` // boards that have computed it
}

// An Answer is a board's result for a block.
type Answer struct {
	Board string      `json:"board"` // HOST.BOARD
	Kind  string      `json:"kind"`  // of its transport
	Block sweep.Block `json:"block"`
}

var (
	idForm   = printable.LazyRegexp(`^[A-Za-z0-9]{4,32}\.[0-9]{1,6}$`)
	nameForm = printable.LazyRegexp(`^[a-z0-9][a-z0-9-]{0,31}$`)
	sumForm  = printable.LazyRegexp(`^[0-9a-f]{64}$`)
)

// CheckName returns an error if the name of a key or board cannot be part of a subject.
func CheckName(what, name string) error {
	if !nameForm().MatchString(name) {
		return failure.Usagef("%s %q: allowed are 1 to 32 of a to z, 0 to 9 and -, beginning with no -", what, name)
	}
	return nil
}

// JobSubject returns the subject of a user's jobs for a board.
func JobSubject(host, board, by string) string { return "job." + host + "." + board + "." + by }

// ResultKey returns the key of a job's result.
func ResultKey(host, job string) string { return host + "." + job }

// StopSubject returns the subject of requests to stop a board's run.
func StopSubject(host, board string) string { return "stop." + host + "." + board }

// AnswerKey returns the key of a board's answer.
func AnswerKey(host, board string, b *Block) string {
	return fmt.Sprintf("%s.%s.%d.%s", host, b.Sweep, b.Number, board)
}

// ConsumerName returns the name of the consumer of a host's nth board.
func ConsumerName(host string, nth int) string { return fmt.Sprintf("%s_%d", host, nth) }

// Sleep waits for d or the end of ctx, and reports whether ctx is still alive.
func Sleep(ctx context.Context, d time.Duration) bool {
	select {
	case <-ctx.Done():
	case <-time.After(d):
	}
	return ctx.Err() == nil
}
