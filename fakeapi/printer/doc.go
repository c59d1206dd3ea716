// Package printer makes table rows of decoded JSON objects: what kubectl get shows,
// column by column.
//
// Smallest use:
//
//	layout, ok := printer.Builtin("pods")
//	cells := layout.Cells(object) // "web-1", "1/1", "Running", "0", "5m3s", …
//
// A column is a name and a path, as in a CustomResourceDefinition's additionalPrinterColumns. A
// column of a built-in type has a function that makes the cell from the values at its paths.
//
// # What it promises
//
// Objects of any shape are printed: what is missing is an empty cell, and what has another
// type than its column is shown as it is. Objects are only read. A cell has at most 1 KiB of text. Ages are measured with the clock
// of package time.
//
// # What it does not promise
//
// Columns are those that people look for, and not all that a real server has. It reads only the
// part of JSONPath that printer columns use, see Path.
package printer
