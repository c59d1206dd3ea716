package main

import (
	"context"
	"net/http"

	"example.com/watchglass/informer"
	"example.com/watchglass/reflector/rest"
)

// workInHandler makes a controller as it is often written at first: the handler reconciles. It
// needs no queue and no workers, and the stories show what that costs:
//
//   - The handler is called once at a time. One slow write holds up the notifications of all
//     widgets.
//   - A notification comes once. If the write fails, no other call will try again.
//   - The handler is told of each state. It works on all of them, although only the last counts.
func workInHandler(c *controller) (informer.Handler[*Widget], informer.HandlerOptions) {
	work := func(widget *Widget) {
		status := widget.wanted()
		if status == widget.Status {
			return
		}
		changed := *widget
		changed.Status = status
		// If this fails, no further call will try it again.
		err := rest.Do(context.Background(), c.client, http.MethodPut, c.server+widget.statusPath(),
			changed, nil)
		c.outcome(widget.Name, "painted "+status.Color, err)
	}
	return informer.Handler[*Widget]{
		Add:    func(widget *Widget, _ bool) { work(widget) },
		Update: func(_, widget *Widget) { work(widget) },
	}, informer.HandlerOptions{Name: "work in the handler"}
}
