// Package stream turns a tile's outputs at each clock of a long run into a picture, sound or text, for people. The
// decoders stand together since they share their input: the samples of a driver.Stream, in order, beside the expected
// ones.
//
//	driver.Stream --samples--> VGA  --Raster--> Picture --> PNG
//	                           PDM  --> WAV
//	                           UART --> text
//
// A decoder judges nothing. It marks wrong samples, found by the driver, and samples without a comparison in its
// picture.
package stream

import "utfbench/transport"

// A Decoder receives the samples of a stream in order, each after one clock, beside the expected ones.
type Decoder interface {
	Clock(got, want transport.Sample)
	// Lines returns the lines that it decodes.
	Lines() transport.Outputs
}

// level returns a line's level in a sample.
func level(s transport.Sample, line transport.Outputs) (high, known bool) {
	return s.Levels()&line != 0, s.Unknown()&line == 0
}
