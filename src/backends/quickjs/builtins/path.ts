// The module `path`, for POSIX.

export const pathModule: string = String.raw`(function (exports, require, module) {
'use strict'
const text = (value, name) => {
  if (typeof value !== 'string') throw Object.assign(new TypeError('The "' + name + '" argument must be of type string. Received ' + (value === null ? 'null' : typeof value)), { code: 'ERR_INVALID_ARG_TYPE' })
  return value
}
/** The names of a path, without empty ones, dots, and what two dots take back. */
function names(path, isAbsolute) {
  const kept = []
  for (const name of path.split('/')) {
    if (name === '' || name === '.') continue
    if (name !== '..') kept.push(name)
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop()
    else if (!isAbsolute) kept.push('..')
  }
  return kept
}
function normalize(path) {
  text(path, 'path')
  if (path === '') return '.'
  const isAbsolute = path.startsWith('/')
  const joined = names(path, isAbsolute).join('/')
  if (joined === '') return isAbsolute ? '/' : path.endsWith('/') ? './' : '.'
  return (isAbsolute ? '/' : '') + joined + (path.endsWith('/') ? '/' : '')
}
function resolve(...paths) {
  let joined = ''
  for (const path of paths.reverse()) {
    if (text(path, 'path') === '') continue
    joined = joined === '' ? path : path + '/' + joined
    if (path.startsWith('/')) break
  }
  if (!joined.startsWith('/')) joined = process.cwd() + '/' + joined
  return '/' + names(joined, true).join('/')
}
function join(...paths) {
  const joined = paths.map(path => text(path, 'path')).filter(path => path !== '').join('/')
  return joined === '' ? '.' : normalize(joined)
}
const trimmed = path => (path.length > 1 ? path.replace(/(?!^)\/+$/, '') : path)
function dirname(path) {
  const whole = trimmed(text(path, 'path'))
  const at = whole.lastIndexOf('/')
  return at === -1 ? '.' : at === 0 ? '/' : trimmed(whole.slice(0, at))
}
function basename(path, suffix) {
  const name = trimmed(text(path, 'path')).split('/').at(-1)
  return suffix !== undefined && name !== suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name
}
function extname(path) {
  const name = basename(path)
  const at = name.lastIndexOf('.')
  return at <= 0 || name === '..' ? '' : name.slice(at)
}
function relative(from, to) {
  const [start, end] = [resolve(from), resolve(to)].map(path => path.split('/').filter(name => name !== ''))
  let shared = 0
  while (shared < start.length && shared < end.length && start[shared] === end[shared]) shared += 1
  return [...start.slice(shared).map(() => '..'), ...end.slice(shared)].join('/')
}
function parse(path) {
  const root = text(path, 'path').startsWith('/') ? '/' : ''
  const base = basename(path)
  const ext = extname(path)
  const dir = dirname(path)
  return { root, dir: path.includes('/') ? dir : '', base, ext, name: ext === '' ? base : base.slice(0, -ext.length) }
}
function format({ root = '', dir, base, name = '', ext = '' }) {
  const last = base ?? name + (ext === '' || ext.startsWith('.') ? ext : '.' + ext)
  const first = dir ?? root
  return first === '' ? last : first === root ? first + last : first + '/' + last
}
Object.assign(exports, { normalize, resolve, join, dirname, basename, extname, relative, parse, format, sep: '/', delimiter: ':', isAbsolute: path => text(path, 'path').startsWith('/'), toNamespacedPath: path => path })
exports.posix = exports
})`
