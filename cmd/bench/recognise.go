package main

import (
	"context"
	"errors"
	"fmt"

	"utfbench/driver"
	"utfbench/wiring"
)

// errOther is a far end that is not this design, as far as its answers tell.
var errOther = errors.New("what answers is not this design, or too broken to tell")

// recognise asks whether it is this design, before anything of uio is driven: another one's outputs would drive against the bench, and
// a good chip would fail. Behind a bad wire it is still this one; which wire, the wiring check says.
func (c *chip) recognise(ctx context.Context) error {
	found, err := driver.Recognise(ctx, c.Transport)
	switch {
	case err != nil:
		return c.stopped(ctx, err)
	case found.OK || c.insist:
		return nil
	case found.Alike || wiring.Plausible(&found.Trace):
		c.notes = append(c.notes, "it looks like this design behind a bad wire: "+found.Text)
		return nil
	}
	return benchFault(fmt.Errorf("%w (%s): %sis it selected, powered, and is the board in its socket? --insist judges it all the same", errOther, found.Text, c.at))
}

// tellRevision settles by asking which revision it is, where nothing else says it.
func (c *chip) tellRevision(ctx context.Context) error {
	rev, found, err := driver.TellRevision(ctx, c.Transport)
	switch {
	case err != nil:
		return c.stopped(ctx, err)
	case found.OK:
		c.revision = rev
		c.notes = append(c.notes, fmt.Sprintf("it answers as %s does where the revisions differ, so it is compared with %s", rev, rev))
	default:
		c.notes = append(c.notes, fmt.Sprintf("where the revisions differ it answers as neither, so it is compared with %s; --revision takes another", c.revision))
	}
	return nil
}
