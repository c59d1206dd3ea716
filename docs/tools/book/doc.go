// Program book is being written.
package main

func main() {}
