package testkit

import "testing"

// A document with an additional, missing or mistyped field violates its schema.
func TestSchema(t *testing.T) {
	s := Schema(t, "ports")
	for document, keeps := range map[string]bool{
		`{"schema":1,"bench":"v1","ports":[{"name":"COM3","micropython":false}]}`:          true,
		`{"schema":1,"bench":"v1","ports":[]}`:                                             true,
		`{"schema":2,"bench":"v1","ports":[]}`:                                             false,
		`{"schema":1,"ports":[]}`:                                                          false,
		`{"schema":1,"bench":"v1","ports":[],"more":1}`:                                    false,
		`{"schema":1,"bench":"v1","ports":null}`:                                           false,
		`{"schema":1,"bench":"v1","ports":[{"name":"COM3","micropython":false,"more":1}]}`: false,
		`{"schema":1,"bench":"v1","ports":[]`:                                              false,
	} {
		if err := Conforms(s, document); (err == nil) != keeps {
			t.Errorf("%s: %v", document, err)
		}
	}
}
