// Package chaos plays random scripts against a whole informer: writers, faults of the server and of
// the code around the informer, and handlers that join, leave and call back. It has no code but its
// tests: see [TestChaos] in chaos_test.go, and run it with make chaos.
package chaos
