'use strict'

// In the place of program.js, where a server answers: the one that has sent this page.
class Program {
  ask(path, { method = 'GET', body } = {}) {
    return path === 'open'
      ? Promise.resolve(new Response(null, { status: 204 }))
      : fetch(path, { method, body, headers: body ? { 'Content-Type': 'application/json' } : {} })
  }

  end() {}
}
