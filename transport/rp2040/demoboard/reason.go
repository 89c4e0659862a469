package demoboard

import (
	"bufio"
	"fmt"
	"os"
	"os/user"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
)

// A system provides evidence why a port does not open, from /proc and /etc/group on Linux.
type system struct {
	root   string // parent of /proc and /etc
	groups func() ([]int, error)
	owner  func(device string) (gid int, groupMay bool, err error)
}

var here = system{"/", os.Getgroups, groupOf}

// permission explains which group may use the device and whether the user belongs to it.
func (s system) permission(device string) string {
	gid, groupMay, err := s.owner(device)
	if err != nil {
		return "ask the administrator of this machine for access to serial ports"
	}
	name, members := s.group(gid)
	if !groupMay {
		return fmt.Sprintf("its group %s may not use it either: a udev rule has to allow it, see the README", name)
	}
	now, _ := s.groups()
	if !slices.Contains(now, gid) && slices.Contains(members, userName()) {
		return fmt.Sprintf("the group %s may use it and you are in it, but not yet in this session: "+
			"log out and in again", name)
	}
	return fmt.Sprintf("the group %s may use it: sudo usermod -aG %s $USER, then log out and in again", name, name)
}

func userName() string {
	u, err := user.Current()
	if err != nil {
		return ""
	}
	return u.Username
}

// group looks up a group in /etc/group.
func (s system) group(gid int) (name string, members []string) {
	f, err := os.Open(filepath.Join(s.root, "etc/group"))
	if err != nil {
		return strconv.Itoa(gid), nil
	}
	defer f.Close()
	for lines := bufio.NewScanner(f); lines.Scan(); {
		// name:password:number:member,member
		if part := strings.Split(lines.Text(), ":"); len(part) == 4 && part[2] == strconv.Itoa(gid) {
			return part[0], strings.Split(part[3], ",")
		}
	}
	return strconv.Itoa(gid), nil
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
