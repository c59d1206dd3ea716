package verify

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"example.com/watchglass/docs/tools/page"
	"example.com/watchglass/docs/tools/picture"
	"example.com/watchglass/docs/tools/tape"
)

// A chapter shows docs/NAME.svg, on a code host as it is. The book draws it anew.
func TestThePicturesBesideTheChaptersAreWhatIsDrawn(t *testing.T) {
	shown := map[string]bool{}
	for _, p := range theRepo(t).pages {
		p.each(func(s page.Span) {
			if s.Kind == page.Image {
				shown["docs/"+s.Target] = true
			}
		})
	}
	recorder := tape.NewRecorder(t, tape.OpenSource())
	for _, name := range picture.Names() {
		t.Run(name, func(t *testing.T) {
			drawn, err := picture.File(name, recorder)
			require.NoError(t, err)
			file := "docs/" + name + ".svg"
			at := filepath.Join(root, filepath.FromSlash(file))
			if os.Getenv("STORY") == "rewrite" {
				require.NoError(t, os.WriteFile(at, []byte(drawn), 0o644))
			}
			kept, err := os.ReadFile(at)
			require.NoError(t, err)
			assert.Equal(t, drawn, strings.ReplaceAll(string(kept), "\r\n", "\n"),
				"STORY=rewrite go test ./docs/tools/verify draws it anew; then look at it")
			assert.True(t, shown[file], "no chapter shows it")
		})
	}
}
