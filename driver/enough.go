package driver

// The limits of a run that ends by Enough.
const (
	MostIterations   = 35 // with as many passes a vector fails in at most 9.9 % of its executions
	steadyIterations = 5  // with as many failures it fails in at least 57 %
	enoughFailures   = 20 // of flaky vectors: their rate is known within a factor of 1.6
)

// Enough reports whether the iterations of a run so far decide its conclusion: the same vectors failed each of
// steadyIterations times, or flaky ones enoughFailures times in all, or none in MostIterations. More iterations do not
// repair an ERROR, nor a run without a judged vector.
func Enough(t *Tally) bool {
	failures := 0
	for _, r := range t.Repeats {
		if r.Flaky() {
			failures += r.Failed
		}
	}
	switch v := t.Verdict(); {
	case v == Fail && failures == 0:
		return t.Iterations >= steadyIterations
	case v == Fail, v == Flaky, v == Pass, v == Weak:
		return failures >= enoughFailures || t.Iterations >= MostIterations
	}
	return true
}
