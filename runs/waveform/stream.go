package waveform

import "utfbench/transport"

// A Decoder receives the samples of a stream in order, each after one clock, beside the expected ones.
type Decoder interface {
	Clock(got, want transport.Sample)
	// Lines returns the lines that it decodes.
	Lines() transport.Outputs
}

func level(s transport.Sample, line transport.Outputs) (high, known bool) {
	return s.Levels()&line != 0, s.Unknown()&line == 0
}
