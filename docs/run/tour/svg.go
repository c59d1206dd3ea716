package main

import (
	"context"
	"io"
	"net"

	"example.com/watchglass/docs/tools/lanes"
)

// pictured are the numbers of the scenes in the picture of the README.
var pictured = map[int]lanes.Part{
	3: {
		Title: "An update on its way",
		Words: "Each column is a stage, read downwards. An arrow is an object that moves on to the " +
			"next stage.",
	},
	6: {
		Title: "A deletion that no watch has reported",
		Words: "web-2 was deleted while there was no watch, and the server forgot its history. " +
			"A list shows that web-2 is missing.",
	},
}

// drawSVG plays the script and draws some of its scenes.
func drawSVG(ctx context.Context, out io.Writer, listener net.Listener) error {
	s, err := newStage(ctx, listener)
	if err != nil {
		return err
	}
	defer s.close()
	var parts []lanes.Part
	for i, scene := range script {
		cells, err := s.play(ctx, scene)
		if err != nil {
			return err
		}
		if part, ok := pictured[i+1]; ok {
			part.Cells = cells
			parts = append(parts, part)
		}
	}
	_, err = io.WriteString(out, lanes.SVG(stages, wideLanes, parts))
	return err
}
