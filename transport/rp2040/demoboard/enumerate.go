//go:build !darwin && !linux

package demoboard

import "go.bug.st/serial/enumerator"

func enumerate() ([]Port, error) {
	details, err := enumerator.GetDetailedPortsList()
	var list []Port
	for _, d := range details {
		if d.Name != "" {
			list = append(list, Port{Name: d.Name, VID: d.VID, PID: d.PID, Serial: d.SerialNumber})
		}
	}
	return list, err
}
