package main

import (
	"example.com/watchglass"
	"example.com/watchglass/reflector/rest"
)

// widgetsIn names the widgets of a namespace; "" are those of all.
func widgetsIn(namespace string) rest.Resource {
	return rest.Resource{
		Group: "workshop.example.dev", Version: "v1", Resource: "widgets", Namespace: namespace,
	}
}

// Widget declares what the controller reads of a widget, and all of the status that it writes: a
// PUT of the status deletes what it leaves out. The rest of the object is safe, because the server
// takes only the status from a PUT of the subresource.
type Widget struct {
	watchglass.TypeMeta
	watchglass.ObjectMeta `json:"metadata"`
	Spec                  Spec   `json:"spec"`
	Status                Status `json:"status,omitzero"`
}

// Spec is what a user asks for.
type Spec struct {
	Color string `json:"color,omitempty"`
}

// Status is what the controller, and other programs, report.
type Status struct {
	Color string `json:"color,omitempty"`
	// ObservedGeneration is the generation of the spec from which the status was made. A program
	// that waits for a change compares it with metadata.generation.
	ObservedGeneration int64 `json:"observedGeneration,omitempty"`
	// Note is written by other programs. The controller keeps it.
	Note string `json:"note,omitempty"`
}

// statusPath returns where a server has the status of the widget.
func (w *Widget) statusPath() string {
	return widgetsIn(w.Namespace).Path(w.Name, "status")
}

// wanted returns the status that the spec asks for.
func (w *Widget) wanted() Status {
	status := w.Status
	status.Color, status.ObservedGeneration = w.Spec.Color, w.Generation
	return status
}
