package lot

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"utfbench/internal/tags"
)

func TestLimitOf(t *testing.T) {
	for _, c := range []struct {
		limit        string
		value, guard float64
		want         Standing
	}{
		{"rate>=40000", 39999, 0, Outside}, {"rate>=40000", 40000, 0, Inside},
		{"rate>=40000", 39999, 0.05, Outside}, {"rate>=40000", 41999, 0.05, Marginal},
		{"rate>=40000", 42000, 0.05, Inside},
		{"mcu_celsius<=60", 61, 0, Outside}, {"mcu_celsius<=60", 60, 0, Inside},
		{"mcu_celsius<=60", 57.1, 0.05, Marginal}, {"mcu_celsius<=60", 57, 0.05, Inside},
		{"mcu_celsius>=-20", -21, 0.5, Outside}, {"mcu_celsius>=-20", -15, 0.5, Marginal},
		{"mcu_celsius>=0", 0, 0.5, Inside}, // a limit of 0 has no fraction
		{"fmax>=40MHz", 39.9e6, 0.05, Outside}, {"fmax.uo3>=40MHz", 41e6, 0.05, Marginal},
		{"fmax.uio7>=2.5kHz", 40e6, 0.05, Inside}, {"fmax<=1GHz", 2e9, 0, Outside},
	} {
		l, err := ParseLimit(c.limit)
		if err != nil || l.Of(c.value, c.guard) != c.want || l.String() != c.limit {
			t.Errorf("%s: %g with %g is %s; want %s; %v", l, c.value, c.guard, l.Of(c.value, c.guard), c.want, err)
		}
	}
}

// A guard band only reduces the values that are inside; those outside do not depend on it.
func TestGuardBand(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		l := Limit{Rate, rapid.Bool().Draw(t, "at least"), rapid.Float64Range(-1e9, 1e9).Draw(t, "limit")}
		value := rapid.Float64Range(-1e9, 1e9).Draw(t, "value")
		narrow := rapid.Float64Range(0, 0.9).Draw(t, "narrow")
		wide := rapid.Float64Range(narrow, 0.99).Draw(t, "wide")
		none, some, more := l.Of(value, 0), l.Of(value, narrow), l.Of(value, wide)
		if none == Marginal || (none == Outside) != (some == Outside) || (none == Outside) != (more == Outside) ||
			some == Marginal && more != Marginal {
			t.Fatalf("%s: %g is %s, %s, %s", l, value, none, some, more)
		}
	})
}

func TestParse(t *testing.T) {
	for text, says := range map[string]string{
		"rate": "a limit is MEASURE>=NUMBER", "rate>5": "a limit is", "rate>=": "a limit is", "": "a limit is",
		"rate>=nan": "a limit is", "rate<=+Inf": "a limit is", ">=5": `unknown measure ""`,
		"vdd>=1.7": `unknown measure "vdd": there are rate, mcu_celsius`, "rate>=1<=2": "a limit is",
		"fmax>=40": "fmax is a frequency, such as fmax>=25MHz", "fmax>=0MHz": "is a frequency",
		"fmax.ui3>=1MHz": "unknown measure",
	} {
		if l, err := ParseLimit(text); err == nil || !strings.Contains(err.Error(), says) {
			t.Errorf("%q: %v, %v; want %s", text, l, err, says)
		}
	}
	for text, want := range map[string]float64{"0%": 0, "5%": 0.05, "12.5%": 0.125} {
		if g, err := ParseGuard(text); err != nil || g != want {
			t.Errorf("%q: %g, %v", text, g, err)
		}
	}
	for _, text := range []string{"", "5", "%", "-1%", "100%", "nan%", "5%%", "0.05"} {
		if g, err := ParseGuard(text); err == nil {
			t.Errorf("%q: %g", text, g)
		}
	}
}

// A parsed limit is formatted so that it can be parsed again.
func FuzzParseLimit(f *testing.F) {
	for _, text := range []string{"rate>=40000", "mcu_celsius<=60.5", "rate>=1e-400", "rate<=-0", "x>=1", ">=",
		"rate>=0x1p-2", "fmax>=40MHz", "fmax.uo3<=37.037037037037MHz", "fmax>=0.1Hz", "fmax>=1e300GHz"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		l, err := ParseLimit(text)
		if err != nil {
			return
		}
		if again, err := ParseLimit(l.String()); err != nil || again != l {
			t.Errorf("%q: %v is written %s, and that is %v, %v", text, l, l, again, err)
		}
	})
}

// Limits apply to the first run of judged boards; an unmeasured value is ERROR, not PASS.
func TestChecks(t *testing.T) {
	b, l := mixed()
	b.attempts["a/good"] = []attempt{{took: 20 * time.Millisecond, tags: tags.Set{tags.Celsius: "59"}}}
	l.Limits, l.Guard = []Limit{{Rate, true, 1e6}, {tags.Celsius, false, 60}}, 0.05
	if err := l.Ask(t.Context(), b.ask, 1); err != nil {
		t.Fatal(err)
	}
	got := map[string]string{}
	for _, c := range l.Checks() {
		got[c.Board.Name+" "+c.Limit.Measure] = string(c.Is) + " " + c.String()
	}
	for of, want := range map[string]string{
		"a/good rate":         "FAIL rate 50000 steps/s, and the limit is rate>=1000000",
		"a/good mcu_celsius":  "MARGINAL mcu_celsius 59, and the limit is mcu_celsius<=60, within the guard band",
		"a/stuck mcu_celsius": "ERROR mcu_celsius was not measured, and the limit is mcu_celsius<=60",
	} {
		if got[of] != want {
			t.Errorf("%s: %s; want %s", of, got[of], want)
		}
	}
	if len(got) != 8 || l.Limited() != Unmeasured { // two limits and four boards
		t.Errorf("%d checks, %s", len(got), l.Limited())
	}
	l.Limits = l.Limits[:1]
	if l.Limited() != Outside {
		t.Error(l.Limited())
	}
}
