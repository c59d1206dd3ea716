package main

import "example.com/watchglass"

// widgetsPath is where a server has the widgets of all namespaces.
const widgetsPath = "/apis/workshop.example.dev/v1/widgets"

// Widget declares what the controller reads of a widget, and all of the status that it writes: a
// PUT of the status deletes what it leaves out. The rest of the object is safe, because the server
// takes only the status from a PUT of the subresource.
type Widget struct {
	watchglass.TypeMeta
	watchglass.ObjectMeta `json:"metadata"`
	Spec                  struct { // what a user asks for
		Color string `json:"color,omitempty"`
	} `json:"spec"`
	Status Status `json:"status,omitzero"`
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

// wanted returns the status that the spec asks for.
func (w *Widget) wanted() Status {
	status := w.Status
	status.Color, status.ObservedGeneration = w.Spec.Color, w.Generation
	return status
}
