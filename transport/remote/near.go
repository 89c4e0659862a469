package remote

import (
	"cmp"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"math/rand/v2"
	"sync"
	"time"

	"utfbench/internal/printable"
	"utfbench/transport"
)

// A Near presents the chip at the far end of a link as a transport with all abilities. Those that the far end lacks
// return errors; without a Tuner there it has no knobs.
type Near struct {
	name     string
	link     Link
	about    about
	limit    int           // bytes of a message
	room     int           // bytes of a part of a batch
	patience time.Duration // for the answer to a stop or a close
	requests [window][]byte

	mu             sync.Mutex // Close and stops may come from other goroutines
	number         uint64     // of the last request
	sent, received int
	grid           *transport.Grid
	dead           error
	closed         bool
}

var (
	_ transport.Transport  = (*Near)(nil)
	_ transport.Tuner      = (*Near)(nil)
	_ transport.Puller     = (*Near)(nil)
	_ transport.Meter      = (*Near)(nil)
	_ transport.Signer     = (*Near)(nil)
	_ transport.Trigger    = (*Near)(nil)
	_ transport.Guarder    = (*Near)(nil)
	_ transport.FreeRunner = (*Near)(nil)
	_ transport.FourStater = (*Near)(nil)
)

// partBytes is the maximum size of a part: 13,000 steps, more than a batch of the driver has, and short enough for a
// quick stop on chips that check for one only between batches.
const partBytes = 64 << 10

// Open queries the abilities of the far end and returns a Near with the given name. The Near closes the link; so does
// Open on failure. The error distinguishes a silent link from a different version.
func Open(ctx context.Context, link Link, name string) (*Near, error) {
	limit := min(link.Limit(), mostMessage)
	n := &Near{name: name, link: link, limit: limit, room: min(limit, partBytes) - answerHead - mostTrouble,
		patience: 10 * time.Second, number: rand.Uint64() >> 1}
	err := n.hello(ctx)
	if err != nil {
		link.Close()
		return nil, err
	}
	return n, nil
}

func (n *Near) hello(ctx context.Context) error {
	if n.limit < LeastLimit {
		return fmt.Errorf("%s: the link's limit of %d bytes is below the minimum of %d", n.name, n.limit, LeastLimit)
	}
	body := binary.LittleEndian.AppendUint16(nil, version)
	said, err := n.ask(ctx, kindHello, binary.LittleEndian.AppendUint32(body, uint32(n.limit)))
	if err != nil {
		return err
	}
	r := reader{rest: said}
	theirs := r.uint16()
	switch {
	case r.short:
		return n.bury(errCut)
	case theirs > version:
		return fmt.Errorf("%s: the far end speaks version %d, and this bench version %d: update this bench", n.name,
			theirs, version)
	case theirs < version:
		return fmt.Errorf("%s: the far end speaks version %d, and this bench version %d: update the bench at the far "+
			"end", n.name, theirs, version)
	}
	if err := printable.Decode(r.rest, &n.about); err != nil {
		return n.bury(fmt.Errorf("its description cannot be read: %w", err))
	}
	return nil
}

// String returns the name given to Open.
func (n *Near) String() string { return n.name }

// FourState implements transport.FourStater.
func (n *Near) FourState() bool { return n.about.FourState }

// Traffic implements transport.Meter: the bytes exchanged between the far end and its chip up to the last answer.
func (n *Near) Traffic() (sent, received int) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.sent, n.received
}

// Knobs implements transport.Tuner with the far end's knobs.
func (n *Near) Knobs() []transport.Knob { return n.about.Knobs }

// Tune implements transport.Tuner.
func (n *Near) Tune(ctx context.Context, name string, d time.Duration) (time.Duration, error) {
	if err := n.usable(); err != nil {
		return 0, err
	}
	if err := transport.CheckKnob(n.about.Knobs, name, d); err != nil {
		return 0, err
	}
	body := binary.LittleEndian.AppendUint64(nil, uint64(d))
	took, err := n.ask(ctx, kindTune, append(body, name...))
	if err != nil {
		return 0, err
	}
	r := reader{rest: took}
	d = time.Duration(r.uint64())
	if err := r.end(); err != nil {
		return 0, n.bury(err)
	}
	return d, nil
}

// Pull implements transport.Puller.
func (n *Near) Pull(ctx context.Context, p transport.Pull) error {
	_, err := n.ask(ctx, kindPull, []byte{byte(p)})
	return err
}

// TakePin implements transport.Trigger. A far end without spare pins returns a *transport.PinError.
func (n *Near) TakePin(ctx context.Context, pin string) (string, error) {
	if len(pin) > mostName {
		return "", &transport.PinError{Pin: pin[:mostName], Why: "no pin has so long a name"}
	}
	name, err := n.ask(ctx, kindPin, []byte(pin))
	return printable.Text(string(name)), err
}

// Close closes the far end's transport, which parks the chip, and then the link.
func (n *Near) Close() error {
	n.mu.Lock()
	was := n.closed
	n.closed = true
	q := request{kind: kindClose, number: n.number}
	n.mu.Unlock()
	if was {
		return nil
	}
	ctx, cancel := context.WithTimeout(context.Background(), n.patience)
	defer cancel()
	a, err := n.put(ctx, q, q.append(nil))
	if err != nil {
		err = fmt.Errorf("%s: the far end did not say that it parked the chip: %w", n.name, err)
	} else if a.err != nil {
		err = fmt.Errorf("%s: %w", n.name, a.err)
	}
	return cmp.Or(err, n.link.Close())
}

// usable returns the reason why no request is possible, or nil.
func (n *Near) usable() error {
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.closed {
		return transport.ErrClosed
	}
	return n.dead
}

// bury makes an error of the link final.
func (n *Near) bury(err error) error {
	n.mu.Lock()
	defer n.mu.Unlock()
	switch {
	case n.dead != nil:
	case errors.Is(err, context.Canceled): // not wrapped: later calls are not canceled
		n.dead = fmt.Errorf("%s: %v", n.name, err)
	default:
		n.dead = fmt.Errorf("%s: %w", n.name, err)
	}
	return n.dead
}
