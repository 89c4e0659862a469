package gpio

import (
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"

	"github.com/warthog618/go-gpiocdev"
	"github.com/warthog618/go-gpiocdev/uapi"
	"golang.org/x/sys/unix"

	"utfbench/transport"
)

// linux implements kernel through version 2 of Linux's GPIO interface (Linux 5.10 and later). Requests use gpiocdev's
// uapi, since gpiocdev.Lines allocates at every change of direction, and sets either all lines or none.
type linux struct{}

func (linux) chips() (paths []string) {
	for _, name := range gpiocdev.Chips() {
		paths = append(paths, filepath.Join("/dev", name))
	}
	return paths
}

func (linux) group(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return ""
	}
	stat, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return ""
	}
	g, err := user.LookupGroupId(strconv.Itoa(int(stat.Gid)))
	if err != nil {
		return strconv.Itoa(int(stat.Gid))
	}
	return g.Name
}

func (linux) open(path string) (chip, error) {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	if err != nil {
		return nil, err
	}
	info, err := uapi.GetChipInfo(f.Fd())
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("%s is no GPIO chip: %w", path, err)
	}
	return &linuxChip{f, info}, nil
}

type linuxChip struct {
	file *os.File
	info uapi.ChipInfo
}

func (c *linuxChip) label() string { return uapi.BytesToString(c.info.Label[:]) }
func (c *linuxChip) lines() uint32 { return c.info.Lines }
func (c *linuxChip) close() error  { return c.file.Close() }

func (c *linuxChip) line(offset uint32) (lineInfo, error) {
	info, err := uapi.GetLineInfoV2(c.file.Fd(), int(offset))
	if errors.Is(err, unix.ENOTTY) || errors.Is(err, unix.EINVAL) {
		err = fmt.Errorf("%w: Linux 5.10 or later is needed", err)
	}
	return lineInfo{
		name:     uapi.BytesToString(info.Name[:]),
		consumer: uapi.BytesToString(info.Consumer[:]),
		used:     info.Flags.IsUsed(),
	}, err
}

func (c *linuxChip) request(offsets [transport.LineN]uint32, drive, levels uint64) (request, error) {
	r := uapi.LineRequest{Lines: transport.LineN}
	copy(r.Offsets[:], offsets[:])
	copy(r.Consumer[:], consumer)
	configure(&r.Config, drive, levels)
	err := uapi.GetLine(c.file.Fd(), &r)
	if errors.Is(err, unix.EBUSY) {
		err = fmt.Errorf("%w: %w", errBusy, err)
	}
	if err != nil {
		return nil, err
	}
	return &linuxRequest{fd: uintptr(r.Fd)}, nil
}

// configure sets the lines in drive as outputs and all others as inputs. Each line's direction is explicit, since
// kernels have different defaults; unused attributes must be zero. uapi's own encoding would allocate.
func configure(c *uapi.LineConfig, drive, levels uint64) {
	*c = uapi.LineConfig{Flags: uapi.LineFlagV2Input}
	if drive == 0 {
		return
	}
	c.NumAttrs = 2
	attribute(&c.Attrs[0], uapi.LineAttributeIDFlags, uint64(uapi.LineFlagV2Output), drive)
	attribute(&c.Attrs[1], uapi.LineAttributeIDOutputValues, levels, drive)
}

func attribute(a *uapi.LineConfigAttribute, id uapi.LineAttributeID, value, lines uint64) {
	a.Attr.ID, a.Mask = id, uapi.LineBitmap(lines)
	binary.NativeEndian.PutUint64(a.Attr.Value[:], value)
}

// linuxRequest keeps its buffers to avoid allocations.
type linuxRequest struct {
	fd     uintptr
	lines  uapi.LineConfig
	values uapi.LineValues
}

func (r *linuxRequest) config(drive, levels uint64) error {
	configure(&r.lines, drive, levels)
	return uapi.SetLineConfigV2(r.fd, &r.lines)
}

func (r *linuxRequest) set(levels, mask uint64) error {
	return uapi.SetLineValuesV2(r.fd, uapi.LineValues{Bits: uapi.LineBitmap(levels), Mask: uapi.LineBitmap(mask)})
}

func (r *linuxRequest) get(mask uint64) (uint64, error) {
	r.values = uapi.LineValues{Mask: uapi.LineBitmap(mask)}
	err := uapi.GetLineValuesV2(r.fd, &r.values)
	return uint64(r.values.Bits), err
}

func (r *linuxRequest) close() error { return unix.Close(int(r.fd)) }
