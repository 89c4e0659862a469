package rp2040

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"time"

	"utfbench/model"
	"utfbench/transport"
)

// serve is the program's main loop, with misbehaviour.
func (f *fake) serve() error {
	f.post(f.hello())
	chip := model.New(f.rev)
	var codes stepDecoder
	var packed packer
	for due := uint16(0); ; due++ {
		fr, err := f.receive()
		if err != nil {
			return err
		}
		if fr.seq != due {
			return fmt.Errorf("frame %d came, and frame %d was due", fr.seq, due)
		}
		f.frames++
		answer := frame{kind: fr.kind, seq: fr.seq}
		if fr.kind == kindSteps {
			steps, err := codes.decode(fr.payload)
			if err != nil {
				return err
			}
			answer.payload = packed.pack(steps, f.apply(chip, steps))
		}
		if fr.kind == kindCode {
			answer.payload = []byte(f.refuses)
		}
		if fr.kind == kindSign {
			if answer.payload, err = f.sign(chip, &codes, fr.payload); err != nil {
				return err
			}
			packed = packer{}
		}
		if stop, err := f.misbehave(&answer); stop {
			return err
		}
		if fr.kind == kindQuit {
			f.park()
			f.post(answer)
			return nil
		}
		f.post(answer)
	}
}

// sign executes a series as the program does.
func (f *fake) sign(chip *model.Chip, codes *stepDecoder, p []byte) ([]byte, error) {
	counter := binary.LittleEndian.Uint32(p)
	fields, one := p[signHead:signHead+4*int(p[8])], p[signHead+4*int(p[8]):]
	if _, err := codes.decode(one[:p[9]]); err != nil {
		return nil, err
	}
	one = bytes.Clone(one[p[9]:])
	crc := crc32.NewIEEE()
	for cases := binary.LittleEndian.Uint16(p[4:]); cases > 0; cases-- {
		for at := 0; at < len(fields); at += 4 {
			one[fields[at]] = fields[at+1] | byte(counter>>fields[at+2])&fields[at+3]
		}
		counter++
		steps, err := codes.decode(one)
		if err != nil {
			return nil, err
		}
		for _, s := range f.apply(chip, steps) {
			crc.Write([]byte{s.Out, s.IO})
		}
	}
	return binary.LittleEndian.AppendUint32(nil, crc.Sum32()), nil
}

func (f *fake) apply(chip *model.Chip, steps []transport.Step) []transport.Sample {
	f.mu.Lock()
	defer f.mu.Unlock()
	samples := make([]transport.Sample, len(steps))
	for i, s := range steps {
		samples[i], f.pins = chip.Step(s), s
		samples[i].Out ^= f.inverts
	}
	return samples
}

// misbehave applies the misbehaviour configured for the current frame, and reports whether the program ends there.
func (f *fake) misbehave(answer *frame) (stop bool, err error) {
	b := answer.append(nil)
	switch f.frames {
	case f.atSilence:
		f.receive()
		for err == nil {
			_, err = f.in.ReadByte()
		}
		return true, err
	case f.atHalf:
		f.port.Write(b[:len(b)/2])
		for err == nil {
			_, err = f.in.ReadByte()
		}
		return true, err
	case f.atNoise:
		f.say("\x1b[31mtemperature 31\x1b[0m\r\n")
	case f.atReset:
		f.port.Write(b[:len(b)/2])
		f.say("\r\nMPY: soft reboot\r\nMicroPython v1.24.0\r\n>>> ")
		return true, errors.New("reset")
	case f.atUnplug:
		f.broken.Store(true)
		f.port.Close()
		return true, nil
	case f.atVanish:
		f.port.Close()
		return true, nil
	case f.atLoss: // after a stall of 500 ms, some output is dropped
		time.Sleep(500 * time.Millisecond)
		f.port.Write(b[:len(b)/2])
		answer.kind, answer.payload = kindSteps, nil
	case f.atEcho:
		f.say("^C\r\nKeyboardInterrupt: \r\n")
	case f.atCrash:
		f.say("\x04" + traceback("OSError: 5"))
		time.Sleep(10 * time.Millisecond)
		f.say("\x04>")
		return true, errors.New("crash")
	case f.atFlip:
		b[len(b)/2] ^= 0x10
		f.port.Write(b)
		answer.kind = 0
	case f.atLate:
		answer.seq--
	case f.atError:
		return true, errors.New("output was lost, because the host did not read")
	case f.atShort:
		answer.payload = answer.payload[:max(0, len(answer.payload)-1)]
	}
	return false, nil
}

// A stepDecoder decodes an encoder's output.
type stepDecoder struct {
	shapes [shapeSlots]shape
}

func (d *stepDecoder) decode(codes []byte) (steps []transport.Step, err error) {
	short := errors.New("bad step codes: they end within a code")
	for len(codes) > 0 {
		op := codes[0]
		codes = codes[1:]
		if op >= define {
			if len(codes) < 4 || codes[0] >= shapeSlots {
				return nil, short
			}
			d.shapes[codes[0]] = shape{codes[1], codes[3], codes[2], op&1 != 0, op&2 != 0}
			codes = codes[4:]
			continue
		}
		n := int(op&7) + 1
		if n == longRun+1 {
			if len(codes) == 0 {
				return nil, short
			}
			n, codes = n+int(codes[0]), codes[1:]
		}
		sh := d.shapes[op>>3]
		if len(codes) < n*sh.data() {
			return nil, short
		}
		for range n {
			s := transport.Step{In: sh.in, Drive: sh.drive, Clocks: sh.clocks, Reset: sh.reset}
			if sh.every {
				s.In, codes = codes[0], codes[1:]
			}
			if sh.drive != 0 {
				s.IO, codes = codes[0], codes[1:]
			}
			steps = append(steps, s)
		}
	}
	return steps, nil
}

// A packer encodes samples for an unpacker.
type packer struct{ out, io uint8 }

func (p *packer) pack(steps []transport.Step, samples []transport.Sample) (b []byte) {
	mask := 0
	for i, s := range steps {
		if i%4 == 0 {
			mask = len(b)
			b = append(b, 0)
		}
		if samples[i].Out != p.out {
			b[mask] |= 1 << (i % 4 * 2)
			b = append(b, samples[i].Out)
		}
		if samples[i].IO != s.IO&s.Drive|p.io&^s.Drive {
			b[mask] |= 2 << (i % 4 * 2)
			b = append(b, samples[i].IO)
		}
		p.out, p.io = samples[i].Out, samples[i].IO
	}
	return b
}
