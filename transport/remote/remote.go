// Package remote is a chip at the far end of a link: how steps and samples are carried as messages. A [Near] is a
// transport like the others, with all that one may have beyond the contract; a [Far] plays what it is told on a
// transport of its own. Between them is a [Link], which carries a request and brings the answer, and knows neither.
//
// # Messages
//
// All numbers are little-endian. A request is
//
//	kind, 1 | number, 8 | body
//
// and an answer to it
//
//	the same kind, or '!' for a request that was refused, 1 | the same number, 8
//	| bytes that the far transport sent and received, 8 each | length of the error, 2 | error, JSON | body
//
// An error is {"text", "is", "pin"}: its text, the names of the errors that it is, the fields of a transport.PinError.
// Those two layouts, and version first in the body of the first request and of its answer, are for ever.
//
//	kind              body of the request                          body of the answer
//	'H' hello         version, 2 | most bytes of an answer, 4      version, 2 | about, JSON
//	'A' apply         a part of a batch, see below                 good samples, 4 | those, 4 each
//	'S' sign          follows, 1 | series, see below               for each that was answered: is it the same, 1
//	'B' burst         period, sample, lead, clock, 8 each | steps  samples
//	'G' grid                                                       transport.Grid, JSON
//	'P' pull          transport.Pull, 1
//	'T' tune          time, 8 | name of the knob                   time that was taken, 8
//	'I' take a pin    name of the pin                              its name in full
//	'X' stop
//	'Q' close
//
// A step is ui, uio, which lines of uio are driven, 1 for reset, clocks; a sample is uo, what is unknown of it, uio,
// what is unknown of it. A part of a batch is
//
//	flags, 1 | steps, 4 | indices, 4 | steps, 5 each | indices, 4 each | samples that are wanted, 4 each
//
// with flags 1 where it follows a part of the same batch, 2 where the indices are of guards, with a wanted sample for
// each step, and 4 where they are of triggers. A series is
//
//	steps, 1 | fields, 1 | cases, 4 | first counter, 4 | steps, 5 each | fields: step, shift, mask, 3 each
//	| uo and uio that are wanted, 2 for each step of each case
//
// # Order
//
// The near end numbers its requests one by one, from a number by chance, and has at most 4 on their way. The far end
// executes them in the order of their numbers, whatever the order in which they come, each once: it keeps the last
// answers, and gives the same again. What comes with a number that is older, or too far ahead, is refused. So two near
// ends cannot share a far one.
//
// A part that follows one that did not go through to its end (by a guard, an error, a stop) is not played, and answers
// no samples. Stop and close are not in this order. A stop has the number of the last request that it ends, whether
// that is being executed or still to come, and may come as often as it likes. After a close all is refused.
package remote

import "context"

// A Link carries requests to a far end and brings its answers, for one Near at a time.
type Link interface {
	// Ask brings the answer to a request. It is called from several goroutines at a time. It may deliver the request
	// more than once, and in another order than others; an error is that no answer is to be had any more, and the
	// Near ends with it. It ends when ctx does. The request is the caller's again when it returns, the answer stays the
	// caller's.
	Ask(ctx context.Context, request []byte) (answer []byte, err error)

	// Limit is how many bytes a message has at most, in either direction: at least LeastLimit.
	Limit() int

	// Close frees the link. Requests in progress fail.
	Close() error
}

// LeastLimit is the least that a link's Limit may be, in bytes.
const LeastLimit = 4096

// version is the version of the messages, incremented by every incompatible change.
const version = 1

// window is how many requests a near end has on their way at most, so that a long batch does not pay for the way of
// each part, and how many answers the far end keeps.
const window = 4

// Kinds of messages.
const (
	kindHello   = 'H'
	kindApply   = 'A'
	kindSign    = 'S'
	kindBurst   = 'B'
	kindGrid    = 'G'
	kindPull    = 'P'
	kindTune    = 'T'
	kindPin     = 'I'
	kindStop    = 'X'
	kindClose   = 'Q'
	kindRefused = '!'
)

// Flags of a part of a batch.
const (
	flagFollows = 1 << iota
	flagGuards
	flagTriggers
)
