package main

import (
	"encoding/json"
	"maps"
	"reflect"
)

// Tape is a recording: what the page plays instead of what a server sends.
type Tape struct {
	Run     string              `json:"run"`
	Meta    Meta                `json:"meta"`
	Events  reel                `json:"events"`
	Sources map[string]*Excerpt `json:"sources"` // by file:line
}

// reel is the events of a tape. Each has the whole state, and most of that is the state before it,
// so an event is written as [base, patch]: what differs from the event at the index base, the last
// one of its kind, with the state of the event just before. unreel in live.js reads it.
type reel []*Event

// MarshalJSON implements json.Marshaler.
func (r reel) MarshalJSON() ([]byte, error) {
	written := make([][2]any, 0, len(r))
	var whole []map[string]any
	parts := decoded{}
	last := map[string]int{} // the index of an event, by lane and kind
	for i, e := range r {
		now := parts.event(*e)
		kind, before := e.Lane+" "+e.Kind, map[string]any{}
		base, found := last[kind]
		if found {
			before = maps.Clone(whole[base])
		}
		if i > 0 {
			before["state"] = whole[i-1]["state"]
		}
		change, _ := patch(before, now)
		written = append(written, [2]any{base, change})
		whole, last[kind] = append(whole, now), i
	}
	return json.Marshal(written)
}

// decoded holds parts of states as values of JSON, because events share them.
type decoded map[any]any

// event returns the event as a value of JSON.
func (d decoded) event(e Event) map[string]any {
	s := e.State
	shared := map[string]any{"server": s.Server, "wire": s.Wire, "reflector": s.Reflector,
		"queue": s.Queue, "cache": s.Cache}
	e.State = State{Listeners: s.Listeners, Handlers: s.Handlers, Valves: s.Valves, Recent: s.Recent}
	now := plain(e).(map[string]any)
	state := now["state"].(map[string]any)
	for name, part := range shared {
		if d[part] == nil {
			d[part] = plain(part)
		}
		state[name] = d[part]
	}
	return now
}

// plain returns a value as JSON would give it back. The events have no value that could fail.
func plain(v any) (same any) {
	_ = json.Unmarshal(encoded(v), &same)
	return same
}

func encoded(v any) []byte {
	data, _ := json.Marshal(v)
	return data
}

// patch says how old becomes now, in values of JSON. differs is false if it already is.
//
// A patch is the new value itself if that is no object; {"=": value} for an object that is new;
// {"~": [...]} for a list made of pieces of the old one, [from, how many], and of new values, each
// as {"v": value}; else the patches of those fields of an object that differ. No field vanishes:
// the objects that leave out empty fields are in lists.
func patch(old, now any) (change any, differs bool) {
	if reflect.DeepEqual(old, now) {
		return nil, false
	}
	switch now := now.(type) {
	case map[string]any:
		old, ok := old.(map[string]any)
		if !ok {
			return map[string]any{"=": now}, true
		}
		fields := map[string]any{}
		for field, value := range now {
			if before, had := old[field]; !had {
				fields[field], _ = patch(nil, value)
			} else if change, differs := patch(before, value); differs {
				fields[field] = change
			}
		}
		return fields, true
	case []any:
		if old, ok := old.([]any); ok && len(old) > 0 {
			return map[string]any{"~": pieces(old, now)}, true
		}
	}
	return now, true
}

// pieces makes a list out of runs of the old one and of new values.
func pieces(old, now []any) []any {
	at := make(map[string]int, len(old))
	for i, v := range old {
		at[string(encoded(v))] = i
	}
	made := []any{}
	for n := 0; n < len(now); {
		from, found := at[string(encoded(now[n]))]
		if !found {
			made = append(made, map[string]any{"v": now[n]})
			n++
			continue
		}
		run := 1
		for n+run < len(now) && from+run < len(old) {
			if !reflect.DeepEqual(old[from+run], now[n+run]) {
				break
			}
			run++
		}
		made, n = append(made, []int{from, run}), n+run
	}
	return made
}
