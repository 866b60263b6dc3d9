// The module `fs` over the files of the shell. The synchronous functions do the work; the others are made of them.

export const fsModule: string = String.raw`(function (exports, require, module, internal) {
'use strict'
const { ask, bytesOf, print, refused } = internal
const { resolve, join, basename } = require('path')
const wrong = message => Object.assign(new TypeError(message), { code: 'ERR_INVALID_ARG_TYPE' })
function absolute(path) {
  if (Buffer.isBuffer(path)) return resolve(path.toString())
  if (typeof path === 'string') return path === '' ? '' : resolve(path)
  if (typeof path?.href === 'string' && path.href.startsWith('file://')) return require('url').fileURLToPath(path.href)
  throw wrong('The "path" argument must be of type string or an instance of Buffer or URL.')
}
const encodingOf = options => (typeof options === 'string' ? options : options?.encoding)
const decoded = (bytes, options) => {
  const buffer = Buffer.from(bytes)
  const encoding = encodingOf(options)
  return encoding == null || encoding === 'buffer' ? buffer : buffer.toString(encoding)
}
const failure = (code, reason, call, path) => Object.assign(new Error(code + ': ' + reason + ', ' + call + " '" + path + "'"), { code, syscall: call, path })
/** Asks what the path is, for an operation whose name an error bears. */
function look(verb, call, path) {
  try {
    return ask(verb, [absolute(path)])
  } catch (error) {
    throw typeof error.path === 'string' ? Object.assign(failure(error.code, /^\w+: (.*?),/.exec(error.message)?.[1] ?? 'failed', call, path), { code: error.code }) : error
  }
}
const typeBits = { file: 0o100000, directory: 0o040000, symlink: 0o120000 }
class Kinded {
  isFile() { return this.kind === 'file' }
  isDirectory() { return this.kind === 'directory' }
  isSymbolicLink() { return this.kind === 'symlink' }
  isFIFO() { return false }
  isSocket() { return false }
  isBlockDevice() { return false }
  isCharacterDevice() { return false }
}
class Stats extends Kinded {
  constructor({ kind, sizeBytes, mode, mtimeMs, ctimeMs, ino, nlink }) {
    super()
    internal.hide(this, 'kind', kind)
    Object.assign(this, { dev: 0, mode: typeBits[kind] | mode, nlink, uid: 0, gid: 0, rdev: 0, blksize: 4096, ino, size: sizeBytes, blocks: Math.ceil(sizeBytes / 512), atimeMs: mtimeMs, mtimeMs, ctimeMs, birthtimeMs: ctimeMs })
    for (const name of ['atime', 'mtime', 'ctime', 'birthtime']) this[name] = new Date(this[name + 'Ms'])
  }
}
class Dirent extends Kinded {
  constructor(name, parentPath, kind) { super(); internal.hide(this, 'kind', kind); Object.assign(this, { name, parentPath, path: parentPath }) }
}
function statOf(verb, path, options) {
  try {
    return new Stats(ask(verb, [absolute(path)]))
  } catch (error) {
    if (options?.throwIfNoEntry === false && error.code === 'ENOENT') return undefined
    throw error
  }
}
function write(path, data, options, flag) {
  const given = typeof options === 'object' && options !== null ? options : {}
  if (typeof data !== 'string' && !ArrayBuffer.isView(data)) throw wrong('The "data" argument must be of type string or an instance of Buffer, TypedArray, or DataView.')
  const bytes = bytesOf(typeof data === 'string' ? Buffer.from(data, encodingOf(options) ?? 'utf8') : data)
  const how = given.flag ?? flag
  if (path === 1 || path === '/dev/stdout') return void print('stdout', bytes)
  if (path === 2 || path === '/dev/stderr') return void print('stderr', bytes)
  if (!/^(?:w|a|wx|ax|w\+|a\+)$/.test(how)) throw new Error("The flag '" + how + "' is not available here; use 'w', 'a', 'wx' or 'ax'.")
  ask('writeFile', [absolute(path), { append: how.startsWith('a'), create: how.includes('x') ? 'exclusive' : undefined, mode: modeOf(given.mode) }], bytes)
}
const modeOf = mode => (typeof mode === 'string' ? parseInt(mode, 8) : mode)
function remove(path, options = {}) {
  ask('rm', [absolute(path), { recursive: options.recursive === true, force: options.force === true }])
}
function copy(from, to, options) {
  const stat = ask(options.dereference ? 'stat' : 'lstat', [from])
  if (options.filter && !options.filter(from, to)) return
  if (stat.kind === 'symlink') {
    if (ask('exists', [to])) ask('rm', [to, {}])
    return void ask('symlink', [ask('readlink', [from]), to])
  }
  if (stat.kind === 'file') {
    if (options.force === false && ask('exists', [to])) {
      if (options.errorOnExist) throw failure('ERR_FS_CP_EEXIST', 'file already exists', 'cp', to)
      return
    }
    return void ask('writeFile', [to, { mode: stat.mode }], ask('readFile', [from]))
  }
  if (!options.recursive) throw failure('ERR_FS_EISDIR', 'Recursive option not enabled, cannot copy a directory', 'cp', from)
  if ((to + '/').startsWith(from + '/')) throw failure('ERR_FS_CP_EINVAL', 'cannot copy a directory into itself', 'cp', to)
  ask('mkdir', [to, { recursive: true }])
  for (const { name } of ask('readdir', [from])) copy(from + '/' + name, to + '/' + name, options)
}
const sync = {
  readFile(path, options) {
    if (path === 0 || path === '/dev/stdin') return decoded(ask('stdin', []), options)
    if (typeof path === 'number') throw failure('EBADF', 'bad file descriptor', 'read', path)
    return decoded(ask('readFile', [absolute(path)]), options)
  },
  writeFile(path, data, options) { write(path, data, options, 'w') },
  appendFile(path, data, options) { write(path, data, options, 'a') },
  stat: (path, options) => statOf('stat', path, options),
  lstat: (path, options) => statOf('lstat', path, options),
  access(path, mode) {
    const stat = look('stat', 'access', path)
    if (mode & 1 && stat.kind === 'file' && !(stat.mode & 0o111)) throw failure('EACCES', 'permission denied', 'access', path)
  },
  readdir(path, options) {
    const found = []
    const walk = (directory, prefix) => {
      for (const { name, kind } of ask('readdir', [directory])) {
        found.push(options?.withFileTypes ? new Dirent(name, directory, kind) : prefix + name)
        if (options?.recursive && kind === 'directory') walk(directory + '/' + name, prefix + name + '/')
      }
    }
    walk(absolute(path), '')
    return found
  },
  mkdir(path, options) {
    const given = typeof options === 'object' && options !== null ? options : { mode: options }
    const target = absolute(path)
    let first
    if (given.recursive) for (let at = target; at !== '/' && at !== '' && !ask('exists', [at]); at = at.slice(0, at.lastIndexOf('/'))) first = at
    ask('mkdir', [target, { recursive: given.recursive === true, mode: modeOf(given.mode) }])
    return first
  },
  rm: remove,
  unlink(path) {
    const target = absolute(path)
    if (look('lstat', 'unlink', path).kind === 'directory') throw failure('EISDIR', 'illegal operation on a directory', 'unlink', path)
    ask('rm', [target, {}])
  },
  rmdir(path, options) {
    if (options?.recursive) return remove(path, { recursive: true })
    const target = absolute(path)
    if (look('lstat', 'rmdir', path).kind !== 'directory') throw failure('ENOTDIR', 'not a directory', 'rmdir', path)
    ask('rm', [target, { emptyDirectory: true }])
  },
  rename(from, to) { ask('rename', [absolute(from), absolute(to)]) },
  copyFile(from, to, mode = 0) {
    const [source, target] = [absolute(from), absolute(to)]
    if (mode & 1 && ask('exists', [target])) throw failure('EEXIST', 'file already exists', 'copyfile', to)
    ask('writeFile', [target, { mode: look('stat', 'copyfile', from).mode }], ask('readFile', [source]))
  },
  cp(from, to, options = {}) { copy(absolute(from), absolute(to), options) },
  chmod(path, mode) { ask('chmod', [absolute(path), modeOf(mode)]) },
  symlink(target, path) { ask('symlink', [String(target), absolute(path)]) },
  link(existing, path) { ask('link', [absolute(existing), absolute(path)]) },
  readlink: path => ask('readlink', [absolute(path)]),
  realpath: path => ask('realpath', [absolute(path)]),
  utimes(path, _atime, mtime) { ask('utimes', [absolute(path), mtime instanceof Date ? mtime.getTime() : Number(mtime) * 1000]) },
  truncate(path, length = 0) {
    const bytes = new Uint8Array(ask('readFile', [absolute(path)]))
    const kept = new Uint8Array(length)
    kept.set(bytes.subarray(0, length))
    ask('writeFile', [absolute(path), {}], kept.buffer)
  },
  mkdtemp(prefix) {
    const letters = 'abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789'
    const path = prefix + Array.from({ length: 6 }, () => letters[Math.floor(Math.random() * letters.length)]).join('')
    const parent = resolve(path, '..')
    if (parent === '/tmp' && !ask('exists', [parent])) ask('mkdir', [parent, {}])
    ask('mkdir', [absolute(path), {}])
    return path
  },
}
exports.promises = { constants: undefined }
for (const [name, action] of Object.entries(sync)) {
  exports[name + 'Sync'] = action
  exports.promises[name] = async (...args) => action(...args)
  exports[name] = (...args) => {
    const callback = args.pop()
    if (typeof callback !== 'function') throw wrong('The "cb" argument must be of type function.')
    exports.promises[name](...args).then(value => setImmediate(callback, null, value), error => setImmediate(callback, error))
  }
}
exports.existsSync = path => {
  try { return ask('exists', [absolute(path)]) } catch { return false }
}
exports.exists = (path, callback) => setImmediate(callback, exports.existsSync(path))
exports.writeSync = (fd, data) => {
  if (fd !== 1 && fd !== 2) throw failure('EBADF', 'bad file descriptor', 'write', fd)
  print(fd === 1 ? 'stdout' : 'stderr', data)
  return Buffer.byteLength(data)
}
exports.constants = exports.promises.constants = { F_OK: 0, R_OK: 4, W_OK: 2, X_OK: 1, COPYFILE_EXCL: 1 }
Object.assign(exports, { Stats, Dirent })
const whole = 'Read or write the whole file (readFileSync, writeFileSync, appendFileSync).'
for (const name of ['open', 'openSync', 'read', 'readSync', 'write', 'close', 'closeSync', 'fstatSync', 'createReadStream', 'createWriteStream', 'opendirSync', 'opendir'])
  exports[name] = refused('fs.' + name, whole)
exports.promises.open = refused('fs.promises.open', whole)
for (const name of ['watch', 'watchFile', 'unwatchFile']) exports[name] = refused('fs.' + name)
})`
