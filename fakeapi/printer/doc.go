// Package printer makes table rows of decoded JSON objects: what kubectl get shows,
// column by column.
//
// Smallest use:
//
//	layout, ok := printer.Builtin("pods")
//	cells := layout.Cells(object, 1<<10) // "web-1", "1/1", "Running", "0", "5m3s", …
//
// A column is a name and a path, as in a CustomResourceDefinition's
// additionalPrinterColumns; where a cell has to be computed (a pod's status, the age
// of an object), a column has a function instead of a path.
//
// # What it promises
//
// Objects of any shape are printed: what is missing, or has the wrong type, is an empty
// cell. Objects are only read. The columns of a row visit a limited number of values. A row
// has no more text than the caller allows, however many columns there are. Ages are
// measured with the clock of package time.
//
// # What it does not promise
//
// Of the built-in types it knows only pods and deployments. It reads only the part of
// JSONPath that printer columns use, see Path.
package printer
