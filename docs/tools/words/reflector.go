package words

import (
	"time"

	"example.com/watchglass/reflector"
)

// Listing tells of a list that the reflector asks for.
func Listing(o reflector.ListOptions) Event {
	return event(Reflector, "list", "", "list at version %q", o.ResourceVersion).
		in("list @%s", o.ResourceVersion)
}

// Listed tells of a list that has come.
func Listed(items int, version string) Event {
	return event(Reflector, "listed", "", "%s, version %s", Count(items, "object"), version).
		in("%s @%s", Count(items, "object"), version)
}

// Opening tells of a watch that the reflector asks for, or a streaming list.
func Opening(o reflector.ListOptions) Event {
	if o.SendInitialEvents {
		return event(Reflector, "watch", "", "streaming list at version %q", o.ResourceVersion).
			in("stream @%s", o.ResourceVersion)
	}
	return event(Reflector, "watch", "", "watch from version %s", o.ResourceVersion).
		in("watch @%s", o.ResourceVersion)
}

// Transitioned tells of a step of the reflector's machine.
func Transitioned(t reflector.Transition, err error) Event {
	why := because(err)
	e := event(Reflector, "transition", "", "%v%s", t, why).in("%v → %v", t.On, t.To)
	e.Fault = err != nil && t.On != reflector.Ended && t.On != reflector.Stop // which are routine
	return e
}

func because(err error) string {
	if err == nil {
		return ""
	}
	return " (" + Because(err) + ")"
}

// BackingOff tells of a pause of the reflector.
func BackingOff(d time.Duration) Event {
	return event(Reflector, "back off", "", "back off for %v", d.Round(time.Millisecond)).
		in("back off %v", d.Round(time.Millisecond))
}

// Read tells of an event that the reflector has read from a watch.
func Read(e reflector.Event) Event {
	if e.Object == nil {
		return event(Reflector, "event", "", "%s at version %s", e.Type, e.ResourceVersion).
			in("%s@%s", e.Type, e.ResourceVersion)
	}
	return event(Reflector, "event", Key(e.Object), "%s %s", e.Type, At(e.Object))
}

// Skipped tells of an object that could not be read.
func Skipped(err *reflector.ObjectError) Event {
	e := event(Reflector, "skipped", "", "skipped: %v", err)
	e.Fault = true
	return e
}

// VersionWentBack tells of a list that is older than what came before it.
func VersionWentBack(before, now string) Event {
	e := event(Reflector, "went back", "", "version went back from %s to %s", before, now)
	e.Fault = true
	return e
}

// Opened tells of a watch that the server has granted.
func Opened() Event { return event(Reflector, "opened", "", "watch opened") }

// Ended tells of a watch that is over.
func Ended() Event { return event(Reflector, "ended", "", "end of watch") }

// Stopped tells of the end of the reflector.
func Stopped() Event { return event(Reflector, "stopped", "", "stopped") }
