// Package lab reaches the boards of a lab: it connects a user's bench with the machines that have boards, and is what
// both ends of that say to each other.
//
// # Words
//
//   - A lab is a server, the hosts that joined it, and their boards.
//   - A host is a machine that offers boards. It alone touches them, and it alone decides who has one: so there is no
//     lock anywhere else that could outlive its holder.
//   - A board of a lab has a name at its host. It is called NAME, or HOST/NAME where two hosts have one of that name.
//   - An invitation is a file that lets a machine in. The name of its key is the name of the host, and of the user.
//   - A lease is the right to use a board alone. It ends with its holder: when the host has heard nothing of it for
//     [Silence], the chip is parked and the board is free.
//   - A ticket is a place in the queue for a board.
//   - The lab's history is that of its server. To hand in a run is to copy it to that history.
//
// # Subjects
//
// All go by way of the lab's server, which is NATS. KEY is the key of who speaks; the server lets it use no other, so
// whoever hears KEY knows that it is true.
//
//	use.KEY.HOST.BOARD.take          Wish -> Grant
//	use.KEY.HOST.BOARD.open.LEASE    what the host's bench is to open -> what it opened; both are the callers'
//	use.KEY.HOST.BOARD.ask.LEASE     messages of transport/remote
//	use.KEY.HOST.BOARD.alive.LEASE   Run or nothing -> nothing, each [Beat]
//	use.KEY.HOST.BOARD.leave.LEASE   nothing -> nothing, once the chip is parked
//	is.HOST                          Report, each [Beat] -> Welcome, if it is a request
//	lab.KEY.boards                   nothing -> List
//	lab.KEY.hosts                    nothing -> [Host, ...]
//	lab.KEY.join                     Report -> Welcome
//	lab.KEY.page                     nothing -> Page
//	lab.KEY.run.offer                Offer -> Receipt
//	lab.KEY.run.part.ID.AT           bytes of what is offered, from AT on -> Receipt
//	lab.KEY.run.list                 RunQuery -> RunList
//	lab.KEY.run.vectors              VectorQuery -> VectorList
//	lab.KEY.run.find                 RunQuery of one -> Recorded
//	lab.KEY.run.read.NUMBER.AT       nothing -> bytes of its recording, from AT on
//	do.HOST.BOARD.stop               Order -> nothing, once the chip is parked; the server's alone
//	do.HOST.BOARD.park               Order -> the state it is left in; the server's alone
//	do.HOST.BOARD.around             nothing -> Run.Around; the server's alone
//	_INBOX.KEY.PARTY.>               answers of PARTY, which is a host or [Server]; see [Mailbox]
//
// An answer with a [Refuse] header says why a request was not done. A request is asked again when no answer came for a
// while, so whoever answers has to take one twice.
package lab

import (
	"fmt"
	"regexp"
	"strings"
	"time"

	"utfbench/internal/failure"
)

// Protocol is the version of these messages. It rises when an older bench would misunderstand a newer one.
const Protocol = 1

const (
	// Beat is how often a host says what its boards are, and a user's bench that it is still there.
	Beat = time.Second
	// Silence is how long nothing may be heard of either before it is gone. A restart of the server is shorter.
	Silence = 10 * time.Second
	// Patience is how long an answer is waited for that needs no board.
	Patience = 5 * time.Second
)

var name = regexp.MustCompile(`^[A-Za-z0-9_-]{1,40}$`)

// CheckName checks the name of a host or board; what says which.
func CheckName(what, n string) error {
	if !name.MatchString(n) {
		return failure.Usagef("%s %q: a name is 1 to 40 of A-Z, a-z, 0-9, _ and -", what, n)
	}
	return nil
}

// A State is whether a board can be used.
type State string

// States.
const (
	Free  State = "free"
	Taken State = "taken"
	Gone  State = "gone" // it cannot be reached; Board.Reason says why
)

// A Board is a host's description of one of its boards.
type Board struct {
	Host   string  `json:"host"`
	Name   string  `json:"board"`
	Kind   string  `json:"kind"`           // of the transport at its host, as in "rp2040"
	What   string  `json:"what"`           // in words
	Note   string  `json:"note,omitempty"` // of whoever offers it, such as where it is
	State  State   `json:"state"`
	Reason string  `json:"reason,omitempty"` // why it is gone, or what was wrong, as its own layer said
	Holder *Holder `json:"holder,omitempty"` // who has it
	Queue  int     `json:"queue"`            // so many wait for it

	Progress *Progress `json:"progress,omitempty"` // of who has it; nil where the host says nothing of it
}

// String returns the board's full name.
func (b *Board) String() string { return b.Host + "/" + b.Name }

// A Holder is a board's user.
type Holder struct {
	Key   string    `json:"key"` // of the invitation
	Who   string    `json:"who"` // user and machine, as they call themselves
	Does  string    `json:"does"`
	Since time.Time `json:"since"` // by the clock of the board's host
}

// String says it in words.
func (h *Holder) String() string {
	return fmt.Sprintf("%s has it since %s (%s)", h.Who, h.Since.Local().Format("15:04:05"), h.Does)
}

// A Report is a host's description of itself.
type Report struct {
	Protocol int     `json:"protocol"`
	Bench    string  `json:"bench"` // its version
	Host     string  `json:"host"`
	Machine  string  `json:"machine"`  // as it calls itself
	Instance string  `json:"instance"` // another whenever the host starts
	Boards   []Board `json:"boards"`
	Left     bool    `json:"left,omitempty"` // it offers no boards any more
}

// A Welcome is the server's answer to a host that joins.
type Welcome struct {
	Lab string `json:"lab"` // the name of the lab
}

// A Page is where the lab can be looked at.
type Page struct {
	URL string `json:"url"` // with a token, which lets one browser in; a secret
}

// A Host is a machine that the server heard.
type Host struct {
	Name    string    `json:"host"` // that of its key
	Machine string    `json:"machine"`
	Bench   string    `json:"bench"` // its version
	Boards  int       `json:"boards"`
	Heard   time.Time `json:"heard"` // last
	Here    bool      `json:"here"`  // it still says what its boards are
}

// A List is the boards of a lab, in the order of their names.
type List struct {
	Boards []Board `json:"boards"`
}

// A MissingError is that a lab has no board of a name, now.
type MissingError struct{ text string }

func (e *MissingError) Error() string { return e.text }

// An AmbiguousError is that several hosts have a board of a name.
type AmbiguousError struct{ text string }

func (e *AmbiguousError) Error() string { return e.text }

// Find gives the board that a user means by NAME or HOST/NAME.
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
		return nil, &MissingError{fmt.Sprintf("the lab has no board %q: there are %s", asked, l.names(l.all()))}
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

func (l *List) names(of []*Board) string {
	if len(of) == 0 {
		return "none"
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
	Does     string `json:"does"`   // the command, for those who wait
	Ticket   string `json:"ticket"` // the same each time that it is asked for again
	Wait     bool   `json:"wait"`   // in the queue; asked for again each Beat
}

// A Grant answers a Wish, with a lease or the present holder.
type Grant struct {
	Lease  string  `json:"lease,omitempty"` // a secret of its holder
	Holder *Holder `json:"holder,omitempty"`
	Place  int     `json:"place"` // in the queue; 1 is next
}

// CheckProtocol refuses another version of the messages; whose names the sender.
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
