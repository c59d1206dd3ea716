package printer

import (
	"fmt"
	"time"
)

// since returns the time that has passed since a timestamp, as kubectl shows it.
func since(timestamp string) string {
	t, err := time.Parse(time.RFC3339, timestamp)
	if err != nil {
		return "<unknown>"
	}
	return shortDuration(time.Since(t))
}

// shortDuration returns a duration in at most two units, and in one unit where the second
// would not matter: 90s, 5m3s, 47m, 3h12m, 20h, 2d5h, 40d, 3y20d.
func shortDuration(d time.Duration) string {
	const day, year = 24 * time.Hour, 365 * 24 * time.Hour
	switch {
	case d <= -2*time.Second:
		return "<invalid>" // the time is in the future, by more than clocks may differ
	case d < 0:
		return "0s"
	case d < 2*time.Minute:
		return inUnits(d, time.Second, "s", 0, "")
	case d < 10*time.Minute:
		return inUnits(d, time.Minute, "m", time.Second, "s")
	case d < 3*time.Hour:
		return inUnits(d, time.Minute, "m", 0, "")
	case d < 8*time.Hour:
		return inUnits(d, time.Hour, "h", time.Minute, "m")
	case d < 2*day:
		return inUnits(d, time.Hour, "h", 0, "")
	case d < 8*day:
		return inUnits(d, day, "d", time.Hour, "h")
	case d < 2*year:
		return inUnits(d, day, "d", 0, "")
	case d < 8*year:
		return inUnits(d, year, "y", day, "d")
	}
	return inUnits(d, year, "y", 0, "")
}

// inUnits returns d in whole units, and the rest in whole small units if there is a
// small unit and a rest.
func inUnits(d, unit time.Duration, name string, small time.Duration, smallName string) string {
	s := fmt.Sprint(int64(d/unit), name)
	if small > 0 && d%unit >= small {
		s += fmt.Sprint(int64(d%unit/small), smallName)
	}
	return s
}
