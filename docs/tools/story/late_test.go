package story

import (
	"io"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
)

func TestALateBodyBringsOneLineAtATime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		const text = "one\ntwo and a half\n\nlast"
		done := make(chan struct{})
		body := Late(io.NopCloser(strings.NewReader(text)), time.Second, done)
		start, read, p := time.Now(), []string{}, make([]byte, 8)
		next := func() time.Duration {
			n, err := body.Read(p)
			require.NoError(t, err)
			read = append(read, string(p[:n]))
			return time.Since(start)
		}
		assert.Equal(t, time.Second, next())
		assert.Equal(t, 2*time.Second, next(), "a line that is longer than the buffer comes in pieces")
		assert.Equal(t, 3*time.Second, next())
		close(done)
		assert.Equal(t, 3*time.Second, next(), "the reader has given up, so nothing waits")
		assert.Equal(t, 3*time.Second, next())
		assert.Equal(t, []string{"one\n", "two and ", "a half\n", "\n", "last"}, read)
		_, err := body.Read(p)
		assert.Equal(t, io.EOF, err)
	})
}
