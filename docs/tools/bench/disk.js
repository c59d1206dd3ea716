'use strict'

// A Disk is a file system in memory. Go's wasm_exec.js asks it what it would ask Node's fs: each
// call has a callback at its end.
const ENCODED = new TextEncoder()
const DECODED = new TextDecoder()

const failure = code => Object.assign(new Error(code), { code })

// clean makes a path absolute, with neither . nor .. in it.
const clean = (path, cwd) => {
  const parts = []
  for (const part of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (part === '..') parts.pop()
    else if (part && part !== '.') parts.push(part)
  }

  return '/' + parts.join('/')
}

const stat = (isDirectory, size) => ({
  dev: 0,
  ino: 0,
  mode: isDirectory ? 0o40777 : 0o100666,
  nlink: 1,
  uid: 0,
  gid: 0,
  rdev: 0,
  size,
  blksize: 4096,
  blocks: 0,
  atimeMs: 0,
  mtimeMs: 0,
  ctimeMs: 0,
  isDirectory: () => isDirectory,
})

class Disk {
  // cwd is the folder in which programs run. print gets what they write to standard output and
  // standard error, as bytes. Callbacks are called at once, which is fast, or if isLate after the
  // caller has returned, as in Node: a goroutine in a bubble cannot be called back by itself.
  constructor({ cwd = '/w', print = () => {}, isLate = false } = {}) {
    Object.assign(this, { cwd, print, isLate })
    Object.assign(this, { files: new Map(), dirs: new Set(['/']), open: new Map() })
    this.last = 2
    this.put('/tmp/.', '')
    this.put(`${cwd}/.`, '')
  }

  // put writes a file, and makes the folders around it.
  put(path, data) {
    path = clean(path, this.cwd)
    for (let at = path.lastIndexOf('/'); at > 0; at = path.lastIndexOf('/', at - 1))
      this.dirs.add(path.slice(0, at))
    if (this.dirs.has(path)) return
    if (typeof data === 'string') data = ENCODED.encode(data)
    this.files.set(path, { data, size: data.length })
  }

  // take returns the bytes of a file.
  take(path) {
    const file = this.files.get(clean(path, this.cwd))
    return file?.data.subarray(0, file.size)
  }

  // resize gives a file another size. One that grows has room to grow further.
  resize(file, size) {
    if (size > file.data.length) {
      const data = new Uint8Array(Math.max(size, 2 * file.data.length))
      data.set(file.data.subarray(0, file.size))
      file.data = data
    }

    if (size > file.size) file.data.fill(0, file.size, size)
    file.size = size
  }

  // find calls back with what stands under a path: a file, or null for a folder.
  find(path, found, done) {
    path = clean(path, this.cwd)
    if (this.files.has(path)) found(this.files.get(path))
    else if (this.dirs.has(path)) found(null)
    else done(failure('ENOENT'))
  }

  // system is the fs of this disk.
  system() {
    const calls = this.calls()
    for (const [name, call] of Object.entries(calls)) {
      if (typeof call !== 'function' || name === 'writeSync') continue
      calls[name] = (...args) => {
        const done = args.pop()
        const late = (...got) => queueMicrotask(() => done(...got))
        call.call(calls, ...args, this.isLate ? late : done)
      }
    }

    return calls
  }

  calls() {
    const disk = this
    const { open } = this
    const path = p => clean(p, disk.cwd)
    const nothing = (...args) => args.at(-1)(null)
    const refused = (...args) => args.at(-1)(failure('ENOSYS'))

    return {
      constants: {
        O_WRONLY: 1,
        O_RDWR: 2,
        O_CREAT: 64,
        O_EXCL: 128,
        O_TRUNC: 512,
        O_APPEND: 1024,
        O_DIRECTORY: 65536,
      },

      writeSync(fd, data) {
        disk.print(data.slice())
        return data.length
      },

      write(fd, data, offset, length, position, done) {
        const part = data.subarray(offset, offset + length)
        if (fd === 1 || fd === 2) {
          disk.print(part.slice())
          return done(null, length)
        }

        const f = open.get(fd)
        if (!f?.file) return done(failure('EBADF'))
        const at = position ?? (f.append ? f.file.size : f.at)
        if (at + length > f.file.size) disk.resize(f.file, at + length)
        f.file.data.set(part, at)
        if (position === null) f.at = at + length
        done(null, length)
      },

      read(fd, data, offset, length, position, done) {
        const f = open.get(fd)
        if (fd === 0) return done(null, 0)
        if (!f?.file) return done(failure(f ? 'EISDIR' : 'EBADF'))
        const at = position ?? f.at
        const n = Math.max(0, Math.min(length, f.file.size - at))
        data.set(f.file.data.subarray(at, at + n), offset)
        if (position === null) f.at += n
        done(null, n)
      },

      open(name, flags, mode, done) {
        const at = path(name)
        let file = disk.files.get(at)
        if (file && flags & this.constants.O_EXCL) return done(failure('EEXIST'))
        if (!file && !disk.dirs.has(at)) {
          if (!(flags & this.constants.O_CREAT)) return done(failure('ENOENT'))
          disk.put(at, new Uint8Array())
          file = disk.files.get(at)
        }

        if (file && flags & this.constants.O_TRUNC) file.size = 0
        open.set(++disk.last, { file, at: 0, append: !!(flags & this.constants.O_APPEND) })
        done(null, disk.last)
      },

      close(fd, done) {
        open.delete(fd)
        done(null)
      },

      fstat(fd, done) {
        const f = open.get(fd)
        if (!f && fd > 2) return done(failure('EBADF'))
        done(null, stat(!!f && !f.file, f?.file?.size ?? 0))
      },

      stat(name, done) {
        disk.find(name, file => done(null, stat(!file, file?.size ?? 0)), done)
      },

      lstat(name, done) {
        this.stat(name, done)
      },

      mkdir(name, mode, done) {
        disk.put(path(name) + '/.', '')
        done(null)
      },

      readdir(name, done) {
        const inside = path(name + '/') === '/' ? '/' : path(name) + '/'
        const names = [...disk.files.keys(), ...disk.dirs]
          .filter(p => p.startsWith(inside) && p !== inside)
          .map(p => p.slice(inside.length).split('/')[0])
        done(null, [...new Set(names)])
      },

      rename(from, to, done) {
        disk.find(
          from,
          file => {
            if (!file) return done(failure('ENOSYS'))
            disk.files.delete(path(from))
            disk.files.set(path(to), file)
            done(null)
          },
          done,
        )
      },

      unlink(name, done) {
        done(disk.files.delete(path(name)) ? null : failure('ENOENT'))
      },

      rmdir(name, done) {
        done(disk.dirs.delete(path(name)) ? null : failure('ENOENT'))
      },

      ftruncate(fd, size, done) {
        disk.resize(open.get(fd).file, size)
        done(null)
      },

      truncate(name, size, done) {
        disk.find(
          name,
          file => {
            disk.resize(file, size)
            done(null)
          },
          done,
        )
      },

      chmod: nothing,
      fchmod: nothing,
      chown: nothing,
      fchown: nothing,
      lchown: nothing,
      utimes: nothing,
      fsync: nothing,
      link: refused,
      symlink: refused,
      readlink: refused,
    }
  }

  // process is what Go asks of Node's process.
  process() {
    const none = () => 0
    return {
      pid: 1,
      ppid: 1,
      getuid: none,
      getgid: none,
      geteuid: none,
      getegid: none,
      getgroups: () => [],
      umask: none,
      cwd: () => this.cwd,
      chdir: path => {
        this.cwd = clean(path, this.cwd)
      },
    }
  }
}
