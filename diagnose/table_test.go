package diagnose

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"utfbench/driver"
	"utfbench/golden"
	"utfbench/transport/mock"
)

// everyFault lists each kind of fault on each place that it applies to.
func everyFault() (all []string) {
	for _, line := range mock.Lines {
		for _, what := range []string{"stuck0", "stuck1", "open", "open:low", "open:high", "open:keep", "open:random:1", "inverted", "flip:1e-2:1", "flip:1e-4:1"} {
			all = append(all, line+"="+what)
		}
		if strings.HasPrefix(line, "uo") || strings.HasPrefix(line, "uio") {
			all = append(all, line+"=late")
		}
	}
	for i, a := range mock.Lines {
		for _, b := range mock.Lines[i+1:] {
			all = append(all, a+"<>"+b, a+"~"+b+"=and", a+"~"+b+"=or")
		}
	}
	for _, bit := range mock.RegisterBits {
		all = append(all, bit+"=stuck0", bit+"=stuck1")
	}
	return all
}

// run is what the whole of the vectors finds on a chip with a fault.
func run(t testing.TB, fault string, jobs []driver.Job) *Case {
	t.Helper()
	f, err := mock.ParseFault(fault)
	if err != nil {
		t.Fatal(err)
	}
	c := new(Case)
	r := driver.Runner{Transport: mock.Open(mock.Config{Faults: []mock.Fault{f}}),
		Observe: func(_ *driver.Result, tr driver.Trace) { c.Add(tr.Steps, tr.Got) }}
	if _, err := r.Run(t.Context(), jobs); err != nil {
		t.Fatal(err)
	}
	return c
}

func allJobs(t testing.TB) (jobs []driver.Job) {
	t.Helper()
	suites, err := golden.Load(golden.FS())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range suites {
		for i := range s.Vectors {
			jobs = append(jobs, driver.Job{Vector: &s.Vectors[i], File: s.File})
		}
	}
	return jobs
}

// place is a fault without what chance decides: its probability and its seed.
func place(f mock.Fault) mock.Fault {
	f.P, f.Seed, f.HasSeed = 0, 0, false
	return f
}

func TestX(t *testing.T) {
	jobs := allJobs(t)
	n, first := 0, 0
	faults := everyFault()
	if s := os.Getenv("FAULTS"); s != "" {
		faults = strings.Fields(s)
	}
	for i, text := range faults {
		if len(faults) > 100 && i%31 != 0 {
			continue
		}
		f, _ := mock.ParseFault(text)
		c := run(t, text, jobs)
		began := time.Now()
		d := c.Diagnose()
		took := time.Since(began)
		at := slices.IndexFunc(d.Causes, func(c Cause) bool { return len(c.Faults) == 1 && place(c.Faults[0]) == place(f) })
		n++
		if at >= 0 && at < d.Ties {
			first++
		}
		fmt.Printf("%-20s %6d failed, at %d of %d ties, %v\n", text, c.Failed, at, d.Ties, took)
		for i, c := range d.Causes {
			if i < 4 && (at < 0 || at >= d.Ties) {
				fmt.Printf("      %s bits %.0f explained %d/%d foretold %d\n", c, c.Bits, c.Explained, c.Differs, c.Foretold)
			}
		}
	}
	fmt.Println(first, n)
}
