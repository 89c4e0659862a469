// Package lab connects a user's bench with the machines that have boards, and defines the messages between them.
//
// # Terms
//
//   - A lab is a server, the hosts that joined it, and their boards.
//   - A host is a machine that offers boards. Only it accesses them and decides who holds them, so that no other lock
//     can outlive its holder.
//   - A board's name is unique at its host. Its full name HOST/NAME is required if two hosts have a board NAME.
//   - An invitation is a file that admits a machine. The name of its key is the name of the host and of the user.
//   - A lease is the exclusive right to use a board. It ends with its holder: after [Silence] without a message from
//     the holder, the host parks the chip and frees the board.
//   - A ticket is a place in the queue for a board.
//   - The lab's history is kept by its server. To hand in a run is to upload it to that history.
//
// # Subjects
//
// All messages pass the lab's server, which is NATS. KEY is the sender's key. The server lets clients use no key but
// their own, so receivers can trust it.
//
//	use.KEY.HOST.BOARD.take          Wish -> Grant
//	use.KEY.HOST.BOARD.open.LEASE    request for the host's bench -> its description; the callers define both
//	use.KEY.HOST.BOARD.ask.LEASE     messages of transport/remote
//	use.KEY.HOST.BOARD.alive.LEASE   Run or nothing -> nothing, each [Beat]
//	use.KEY.HOST.BOARD.leave.LEASE   nothing -> nothing, after the chip is parked
//	is.HOST                          Report, each [Beat] -> Welcome, if it is a request
//	lab.KEY.boards                   nothing -> List
//	lab.KEY.hosts                    nothing -> [Host, ...]
//	lab.KEY.page                     nothing -> Page
//	lab.KEY.run.offer                Offer -> Receipt
//	lab.KEY.run.part.ID.AT           bytes of an offered upload from AT on -> Receipt
//	lab.KEY.run.list                 RunQuery -> RunList
//	lab.KEY.run.vectors              VectorQuery -> VectorList
//	lab.KEY.run.find                 RunQuery for one run -> Recorded
//	lab.KEY.run.read.NUMBER.AT       nothing -> bytes of the run's recording from AT on
//	do.HOST.BOARD.stop               Order -> nothing, after the chip is parked; only from the server
//	do.HOST.BOARD.park               Order -> the board's resulting state; only from the server
//	do.HOST.BOARD.around             nothing -> Run.Around; only from the server
//	_INBOX.KEY.PARTY.>               answers of PARTY, which is a host or [Server]; see [Mailbox]
//
// An answer with a [Refuse] header has the reason for a refusal. Clients repeat unanswered requests, so responders have
// to accept duplicates.
package lab

import (
	"fmt"
	"strings"
	"time"

	"utfbench/internal/failure"
	"utfbench/internal/printable"
)

// Protocol is the version of these messages. It increases when older benches would misunderstand newer ones.
const Protocol = 1

const (
	// Beat is the interval of hosts' reports about their boards, and of the heartbeats of a user's bench.
	Beat = time.Second
	// Silence is the time without messages after which a host or user is considered gone. A server restarts faster.
	Silence = 10 * time.Second
	// Patience is the timeout of requests that involve no board.
	Patience = 5 * time.Second
)

var name = printable.Regexp(`^[A-Za-z0-9_-]{1,40}$`)

// CheckName checks the name of a host or board, as what says.
func CheckName(what, n string) error {
	if !name().MatchString(n) {
		return failure.Usagef("%s %q: a name is 1 to 40 of A-Z, a-z, 0-9, _ and -", what, n)
	}
	return nil
}

// A State describes whether a board can be used.
type State string

// States.
const (
	Free  State = "free"
	Taken State = "taken"
	Gone  State = "gone" // unreachable; Board.Reason has the cause
)

// A Board is a host's description of one of its boards.
type Board struct {
	Host   string  `json:"host"`
	Name   string  `json:"board"`
	Kind   string  `json:"kind"`           // transport at its host, as in "rp2040"
	What   string  `json:"what"`           // description
	Note   string  `json:"note,omitempty"` // from the user who offers it, such as its location
	State  State   `json:"state"`
	Reason string  `json:"reason,omitempty"` // why it is gone or was faulty, from the failing layer
	Holder *Holder `json:"holder,omitempty"` // present user
	Queue  int     `json:"queue"`            // length of the queue

	Progress *Progress `json:"progress,omitempty"` // the holder's; nil without a report from the host
	Last     *Last     `json:"last,omitempty"`     // only in the server's List
}

// String returns the board's full name.
func (b *Board) String() string { return b.Host + "/" + b.Name }

// A Last is the end of a board's latest run in the lab's history.
type Last struct {
	Verdict string    `json:"verdict"`
	Run     int       `json:"run"`
	By      string    `json:"by,omitempty"` // the key that handed it in and vouches for the board
	Ended   time.Time `json:"ended"`
	Cause   string    `json:"cause,omitempty"` // the first mismatch, or another fault
}

// Words returns the run, its user and its age.
func (l *Last) Words(now time.Time) string {
	by := ""
	if l.By != "" {
		by = " by " + l.By
	}
	return fmt.Sprintf("run %d%s, %s", l.Run, by, ago(now.Sub(l.Ended)))
}

// ago formats an age in steps longer than a second.
func ago(d time.Duration) string {
	switch {
	case d < time.Minute:
		return "just now"
	case d < time.Hour:
		return fmt.Sprintf("%d min ago", int(d.Minutes()))
	case d < 48*time.Hour:
		return fmt.Sprintf("%d h ago", int(d.Hours()))
	}
	return fmt.Sprintf("%d days ago", int(d.Hours()/24))
}

// A Holder is a board's user.
type Holder struct {
	Key   string    `json:"key"` // name of the invitation's key
	Who   string    `json:"who"` // user and machine, self-reported
	Does  string    `json:"does"`
	Since time.Time `json:"since"` // by the clock of the board's host
}

// String describes the holder.
func (h *Holder) String() string {
	return fmt.Sprintf("%s has it since %s (%s)", h.Who, h.Since.Local().Format("15:04:05"), h.Does)
}

// A Report is a host's description of itself.
type Report struct {
	Protocol int     `json:"protocol"`
	Bench    string  `json:"bench"` // its version
	Host     string  `json:"host"`
	Machine  string  `json:"machine"`  // self-reported
	Instance string  `json:"instance"` // changes at every start of the host
	Boards   []Board `json:"boards"`
	Left     bool    `json:"left,omitempty"` // it no longer offers boards
}

// A Welcome is the server's answer to a host that joins.
type Welcome struct {
	Lab string `json:"lab"` // its name
}

// A Page is the address of the lab's page.
type Page struct {
	URL string `json:"url"` // with a token that admits one browser; a secret
}

// A Host is a machine known to the server.
type Host struct {
	Name    string    `json:"host"` // of its key
	Machine string    `json:"machine"`
	Bench   string    `json:"bench"` // its version
	Boards  int       `json:"boards"`
	Heard   time.Time `json:"heard"`             // time of its last message
	Here    bool      `json:"here"`              // it still reports its boards
	Revoked bool      `json:"revoked,omitempty"` // its key was, since the server started
}

// A List is the boards of a lab, sorted by their full names.
type List struct {
	Boards []Board `json:"boards"`
}

// An AmbiguousError reports that several hosts have a board of the given name.
type AmbiguousError struct{ text string }

func (e *AmbiguousError) Error() string { return e.text }

// Find returns the board that a user names by NAME or HOST/NAME.
func (l *List) Find(asked string) (*Board, error) {
	var found []*Board
	for i := range l.Boards {
		if b := &l.Boards[i]; asked == b.Name || asked == b.String() {
			found = append(found, b)
		}
	}
	switch len(found) {
	case 1:
		return found[0], nil
	case 0:
		return nil, fmt.Errorf("the lab has no board %q%s: there are %s", asked, l.hint(asked), l.names(l.all()))
	}
	return nil, failure.Usage(&AmbiguousError{fmt.Sprintf("several hosts have a board %q: say which, %s", asked,
		l.names(found))})
}

func (l *List) all() (all []*Board) {
	for i := range l.Boards {
		all = append(all, &l.Boards[i])
	}
	return all
}

// hint suggests boards for an unknown name: all of a host, or the most similar ones.
func (l *List) hint(asked string) string {
	var names []string
	for i := range l.Boards {
		if b := &l.Boards[i]; b.Host == asked {
			return fmt.Sprintf(" (it is a host; did you mean %s?)", b)
		}
		names = append(names, l.Boards[i].String(), l.Boards[i].Name)
	}
	return failure.Hint(asked, names)
}

// mostNamed is the maximum number of boards in a message.
const mostNamed = 8

func (l *List) names(of []*Board) string {
	if len(of) == 0 {
		return "none: a machine offers its own by bench lab join INVITE"
	}
	if len(of) > mostNamed {
		return fmt.Sprintf("%d, which bench lab boards lists", len(of))
	}
	var names []string
	for _, b := range of {
		names = append(names, b.String())
	}
	return strings.Join(names, ", ")
}

// A Wish is a request for a board.
type Wish struct {
	Protocol int    `json:"protocol"`
	Bench    string `json:"bench"`
	Who      string `json:"who"`
	Does     string `json:"does"`   // the command, shown to waiting users
	Ticket   string `json:"ticket"` // the same in every repetition
	Wait     bool   `json:"wait"`   // join the queue; the request is repeated each Beat
}

// A Grant answers a Wish, with a lease or the present holder.
type Grant struct {
	Lease  string  `json:"lease,omitempty"` // a secret of the holder
	Holder *Holder `json:"holder,omitempty"`
	Place  int     `json:"place"` // in the queue; 1 is next
}

// CheckProtocol returns an error for another version of the messages; whose names the sender.
func CheckProtocol(whose string, protocol int, bench string) error {
	if protocol == Protocol {
		return nil
	}
	older := whose
	if protocol > Protocol {
		older = "this one"
	}
	return fmt.Errorf("%s (bench %s) speaks version %d of the lab's messages, and this one version %d: update %s",
		whose, bench, protocol, Protocol, older)
}
