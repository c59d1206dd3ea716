package bench

import (
	"embed"
	"encoding/json"
	"errors"
	"os"
	"path"
	"strings"

	"example.com/watchglass/docs/run/live/static"
	"example.com/watchglass/docs/tools/repo"
)

// Files are the scripts and the style of the workbench.
//
//go:embed *.js *.css *.html
var Files embed.FS

// Pages are the scripts that pages load; frame and worker are those of the frame.
var (
	Pages  = []string{"diff.js", "sheet.js", "client.js", "bench.js", "shop.js", "begin.js"}
	frame  = []string{"frame.js"}
	worker = []string{"disk.js", "worker.js"}
)

// Script returns scripts as one, in a block: what they declare is theirs.
func Script(names []string) string {
	var all strings.Builder
	for _, name := range names {
		text, err := Files.ReadFile(name)
		if err != nil {
			panic(err) // it is not among the files
		}
		all.Write(text)
	}
	return "'use strict'\n{\n" + strings.ReplaceAll(all.String(), "'use strict'\n", "") + "}\n"
}

// FrameFiles returns the page of the frame and the script of its workers, for the folder bench. The
// page has its script inside: its policy lets it load none.
func FrameFiles() map[string]string {
	page, _ := Files.ReadFile("frame.html")
	return map[string]string{
		"frame.html": strings.Replace(string(page), "{{.}}", Script(frame), 1),
		"worker.js":  Script(worker),
	}
}

// Plans returns the plans of all benches, as files for the folder bench.
func Plans(tree *repo.Tree) map[string][]byte {
	files := map[string][]byte{}
	for _, dir := range append(Exercises(tree), Stages...) {
		if !tree.IsDir(dir) {
			continue // this is another repository
		}
		data, _ := json.Marshal(planOf(tree, dir)) // texts
		files[path.Base(dir)+".json.gz"] = static.Packed(data)
	}
	if tree.IsDir(Pipe) {
		data, _ := json.Marshal(pipeOf(tree))
		files["pipe.json.gz"] = static.Packed(data)
	}
	broken, _ := brokenStages(tree) // make check says what does not fit
	data, _ := json.Marshal(broken)
	files["finale.json.gz"] = static.Packed(data)
	return files
}

// Build builds what the workbench fetches at its first run, as files for the folder bench: the
// programs, the archives, and index.json, which has their sizes and where each archive lies; and
// what only the pipe needs. It takes two minutes of computing the first time; what Go has compiled
// is kept in its cache.
func Build(top string) (map[string][]byte, error) {
	if err := Possible(); err != nil {
		return nil, err
	}
	dirs := append(Exercises(repo.Open(os.DirFS(top))), Stages...)
	of, besides, err := archivesOf(top, dirs)
	files, failed := tools(top)
	if err = errors.Join(err, failed); err != nil {
		return nil, err
	}
	files["archives.gz"] = static.Packed(of.bytes)
	sizes := map[string]int{}
	for name, data := range files {
		sizes[name] = len(data)
	}
	files["pipe.gz"] = static.Packed(besides.bytes)
	files["index.json"], err = json.Marshal(map[string]any{
		"sizes": sizes, "archives": of.at,
		"pipe": map[string]any{"size": len(files["pipe.gz"]), "archives": besides.at},
	})
	return files, err
}
