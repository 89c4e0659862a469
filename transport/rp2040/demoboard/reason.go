package demoboard

import (
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A system provides evidence why a port does not open.
type system struct {
	root   string                // parent of /proc and /sys
	groups func() ([]int, error) // of this session
	member func(gid int) (name string, in bool)
	owner  func(device string) (gid int, groupMay bool, err error)
}

var here = system{"/", os.Getgroups, membership, groupOf}

// permission explains which group may use the device and whether the user belongs to it.
func (s system) permission(device string) string {
	gid, groupMay, err := s.owner(device)
	if err != nil {
		return "ask the administrator of this machine for access to serial ports"
	}
	name, in := s.member(gid)
	if !groupMay {
		return fmt.Sprintf("its group %s may not use it either: a udev rule has to allow it, see the README", name)
	}
	now, _ := s.groups()
	if in && !slices.Contains(now, gid) {
		return fmt.Sprintf("the group %s may use it and you are in it, but not yet in this session: "+
			"log out and in again", name)
	}
	return fmt.Sprintf("the group %s may use it: sudo usermod -aG %s $USER, then log out and in again", name, name)
}

// membership returns a group's name, and whether the user is in it, perhaps only from the next session on.
func membership(gid int) (name string, in bool) {
	id := strconv.Itoa(gid)
	name = id
	if g, err := user.LookupGroupId(id); err == nil {
		name = g.Name
	}
	if u, err := user.Current(); err == nil {
		ids, _ := u.GroupIds() // on an error none
		in = slices.Contains(ids, id)
	}
	return name, in
}

// user describes the process that has the device open, as far as /proc is readable.
func (s system) user(device string) string {
	links, _ := filepath.Glob(filepath.Join(s.root, "proc/[0-9]*/fd/*"))
	real, err := filepath.EvalSymlinks(device)
	if err != nil {
		real = device
	}
	for _, link := range links {
		if to, err := os.Readlink(link); err == nil && to == real {
			proc := filepath.Dir(filepath.Dir(link))
			return fmt.Sprintf("process %s (%s) has it open: %s", filepath.Base(proc), command(proc),
				endIt(command(proc)))
		}
	}
	return "another program has it open, perhaps another user's: end it first"
}

func command(proc string) string {
	name, err := os.ReadFile(filepath.Join(proc, "comm"))
	if err != nil {
		return "unknown"
	}
	return strings.TrimSpace(string(name))
}
