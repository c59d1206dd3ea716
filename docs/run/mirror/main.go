// Mirror keeps a folder equal to a collection: a JSON file for each object.
//
//	go run ./docs/run/mirror -url http://127.0.0.1:8001/api/v1/configmaps -to configmaps
//
// The informer of package rvinformer holds no objects, only their versions. After a restart these
// are read from the files, so only what is different is written, and an object that was deleted in
// the meantime loses its file. With -bare there is no informer, only a list and a watch that is
// opened again: nothing compares the list with the files, so that object's file stays.
package main

import (
	"context"
	"flag"
	"fmt"
	"io"
	"time"

	"example.com/watchglass"
	"example.com/watchglass/docs/tools/program"
	"example.com/watchglass/informer/rvinformer"
	"example.com/watchglass/reflector"
	"example.com/watchglass/reflector/client"
)

func main() { program.Main("mirror", run) }

type collection = client.Client[watchglass.Unstructured]

func run(ctx context.Context, args []string, stdout io.Writer) error {
	flags := flag.NewFlagSet("mirror", flag.ContinueOnError)
	url := flags.String("url", "http://127.0.0.1:8001/api/v1/configmaps",
		"mirror the collection at this `URL`")
	to := flags.String("to", "mirrored", "a `folder` that nothing else writes to")
	bare := flags.Bool("bare", false, "only list and watch, and never compare: deletions are lost")
	err := program.Parse(flags, args, "Keeps a folder equal to a collection.", stdout)
	if err != nil {
		return err
	}
	from, err := client.New[watchglass.Unstructured](client.Options{URL: *url})
	if err != nil {
		return err
	}
	files, err := open(*to, stdout)
	if err != nil {
		return err
	}
	defer files.Close()
	if *bare {
		return files.follow(ctx, from)
	}
	return files.mirror(ctx, from)
}

// mirror makes the folder equal to the collection, and keeps it so until ctx ends.
func (f *folder) mirror(ctx context.Context, from *collection) error {
	versions, err := f.versions()
	if err != nil {
		return err
	}
	f.out.Printf("files: %d", len(versions))
	return rvinformer.New(rvinformer.Options{
		ListerWatcher:     from,
		Handler:           f,
		Versions:          versions,
		WatchErrorHandler: func(err error) { f.out.Printf("trying again: %v", err) },
		OnProcessError:    func(err error) { f.out.Printf("not written: %v", err) },
	}).Run(ctx)
}

// follow does what is left of mirror without an informer: a list, and what the watch says after it.
func (f *folder) follow(ctx context.Context, from *collection) error {
	for ctx.Err() == nil {
		if err := f.listAndWatch(ctx, from); ctx.Err() == nil {
			f.out.Printf("trying again: %v", err)
		}
		select {
		case <-time.After(time.Second):
		case <-ctx.Done():
		}
	}
	return nil
}

func (f *folder) listAndWatch(ctx context.Context, from *collection) error {
	list, err := from.List(ctx, reflector.ListOptions{})
	if err != nil {
		return err
	}
	for _, obj := range list.Items {
		if err := f.OnAdd(obj, true); err != nil {
			return err
		}
	}
	for event, err := range client.RetryWatch(ctx, from, list.ResourceVersion) {
		switch {
		case err != nil: // the version is too old: what was deleted since then is never heard of
		case event.Type == reflector.Deleted:
			err = f.OnDelete(event.Object, false)
		default:
			err = f.OnUpdate(event.Object, false)
		}
		if err != nil {
			return fmt.Errorf("watch: %w", err)
		}
	}
	return ctx.Err()
}
