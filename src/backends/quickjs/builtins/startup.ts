// What a program finds before its first line: modules, process, console and timers. It is JavaScript for the engine. It calls functions of
// the host (program.ts), and returns the functions that the host calls.

export const startup: string = String.raw`(function (host, settingsText) {
'use strict'
const settings = JSON.parse(settingsText)
const names = settings.builtinNames
const hide = (object, name, value) =>
  Object.defineProperty(object, name, { value, writable: true, configurable: true, enumerable: false })

/** Names of files whose first line begins with the wrapper of CommonJS. */
const wrapped = new Set()
function compile(text, name) {
  wrapped.add(name)
  return host.compile(text, name)
}
Error.prepareStackTrace = (error, sites) => {
  let head = 'Error'
  try { head = String(error) } catch {}
  const frames = sites.filter(site => site.getFileName() && site.getFileName() !== 'node:internal').map(site => {
    const file = site.getFileName()
    const line = site.getLineNumber()
    const place = file + ':' + line + ':' + (site.getColumnNumber() - (line === 1 && wrapped.has(file) ? settings.wrapperLength : 0))
    const name = site.getFunctionName()
    return '\n    at ' + (name && name !== '<anonymous>' && name !== '<eval>' ? name + ' (' + place + ')' : place)
  })
  return head + frames.join('')
}

function systemError(failure) {
  const error = new Error(failure.message)
  const parts = /, (\w+) '(.*)'$/.exec(failure.message.split(' -> ')[0])
  if (failure.code !== undefined) error.code = failure.code
  if (parts) { error.syscall = parts[1]; error.path = parts[2] }
  return error
}
function ask(verb, args, bytes) {
  const answer = host.ask(verb, JSON.stringify(args), bytes)
  if (typeof answer !== 'string') return answer
  const reply = JSON.parse(answer)
  if (reply.kind === 'failure') throw systemError(reply)
  return reply.value
}
function bytesOf(data) {
  if (typeof data === 'string') return host.encode(data)
  if (data instanceof ArrayBuffer) return data
  if (ArrayBuffer.isView(data)) return data.buffer.slice(data.byteOffset, data.byteOffset + data.byteLength)
  throw Object.assign(new TypeError('The "data" argument must be a string, a Buffer, a TypedArray or a DataView'), { code: 'ERR_INVALID_ARG_TYPE' })
}
const print = (channel, data) => host.print(channel, bytesOf(data))
const refused = (what, instead) => () => {
  throw Object.assign(new Error(what + ' is not available: this is QuickJS, not Node.' + (instead ? ' ' + instead : '')), { code: 'ERR_NOT_AVAILABLE' })
}
const internal = { host, ask, bytesOf, print, refused, systemError, hide }

// Modules.
const loaded = new Map()
function builtin(specifier) {
  const name = specifier.startsWith('node:') ? specifier.slice(5) : specifier
  if (!names.includes(name)) return undefined
  let module = loaded.get(name)
  if (module === undefined) {
    module = { exports: {} }
    loaded.set(name, module)
    host.builtin(name)(module.exports, builtin, module, internal)
  }
  return module.exports
}
const cache = Object.create(null)
let mainModule
function makeRequire(from) {
  const resolve = specifier => {
    if (typeof specifier !== 'string') throw new TypeError('The "id" argument must be of type string')
    if (names.includes(specifier.replace(/^node:/, ''))) return specifier
    try {
      return host.resolve(specifier, from)
    } catch (error) {
      throw Object.assign(new Error(error.message), { code: 'MODULE_NOT_FOUND' })
    }
  }
  const require = specifier => {
    const path = resolve(specifier)
    return builtin(path) ?? loadFile(path)
  }
  return Object.assign(require, { resolve, cache, main: mainModule })
}
function readText(path) {
  const text = host.decode(ask('readFile', [path]))
  return text.startsWith('\ufeff') ? text.slice(1) : text
}
const withoutHashbang = text => (text.startsWith('#!') ? '//' + text : text)
const directoryOf = path => path.slice(0, path.lastIndexOf('/')) || '/'
function newModule(id, filename) {
  return { id, filename, path: directoryOf(filename), exports: {}, loaded: false, children: [], paths: [] }
}
function runCommonJs(module, text, name) {
  const body = compile(text, name)
  const require = makeRequire(module.filename)
  module.require = require
  body.call(module.exports, module.exports, require, module, module.filename, module.path)
  module.loaded = true
}
const isSyntaxError = error => error instanceof SyntaxError
/** Whether the text, which is no CommonJS module, is an ECMAScript module. */
function isModuleText(text) {
  try {
    host.checkModule(text, 'node:internal')
    return true
  } catch {
    return false
  }
}
const kindOfPath = path =>
  /\.(?:[cm]?ts|tsx|jsx)$/.test(path) ? 'typed' : path.endsWith('.node') ? 'native' : path.endsWith('.json') ? 'json'
    : path.endsWith('.mjs') ? 'module' : path.endsWith('.cjs') ? 'commonjs' : host.isModulePackage(path) ? 'module' : 'auto'
function refuseKind(kind, path) {
  if (kind === 'typed') throw new SyntaxError(path + ': TypeScript and JSX are not run here. Write plain JavaScript.')
  if (kind === 'native') throw new Error(path + ': native packages cannot be loaded here.')
}
const requireModule = path =>
  Object.assign(new Error('require() of the ES module ' + path + ' is not supported here. Use import, or import().'), { code: 'ERR_REQUIRE_ESM' })
function loadFile(path) {
  if (cache[path]) return cache[path].exports
  const kind = kindOfPath(path)
  refuseKind(kind, path)
  if (kind === 'module') throw requireModule(path)
  const module = (cache[path] = newModule(path, path))
  try {
    const text = readText(path)
    if (kind === 'json') {
      try {
        module.exports = JSON.parse(text)
      } catch (error) {
        throw new SyntaxError(path + ': ' + error.message)
      }
    } else {
      try {
        runCommonJs(module, withoutHashbang(text), path)
      } catch (error) {
        if (kind === 'auto' && isSyntaxError(error) && isModuleText(withoutHashbang(text))) throw requireModule(path)
        throw error
      }
    }
  } catch (error) {
    delete cache[path]
    throw error
  }
  module.loaded = true
  return module.exports
}
hide(globalThis, Symbol.for('anchorage.require'), path => builtin(path) ?? loadFile(path))

let lastTimer = 0
const timers = new Map()
const immediates = []
class Timeout {
  constructor(id) { this.id = id }
  ref() { const timer = timers.get(this.id); if (timer) timer.isHeld = true; return this }
  unref() { const timer = timers.get(this.id); if (timer) timer.isHeld = false; return this }
  hasRef() { return timers.get(this.id)?.isHeld ?? false }
  [Symbol.toPrimitive]() { return this.id }
}
function addTimer(action, delay, args, isRepeated) {
  if (typeof action !== 'function') throw Object.assign(new TypeError('The "callback" argument must be of type function'), { code: 'ERR_INVALID_ARG_TYPE' })
  const milliseconds = Math.max(1, Math.min(2147483647, Number(delay) || 1))
  const id = ++lastTimer
  timers.set(id, { id, at: Date.now() + milliseconds, milliseconds, action, args, isRepeated, isHeld: true })
  return new Timeout(id)
}
const removeTimer = timer => { if (timer != null) timers.delete(Number(timer)) }
hide(globalThis, 'setTimeout', (action, delay, ...args) => addTimer(action, delay, args, false))
hide(globalThis, 'setInterval', (action, delay, ...args) => addTimer(action, delay, args, true))
hide(globalThis, 'clearTimeout', removeTimer)
hide(globalThis, 'clearInterval', removeTimer)
hide(globalThis, 'setImmediate', (action, ...args) => { const entry = { action, args }; immediates.push(entry); return entry })
hide(globalThis, 'clearImmediate', entry => { const at = immediates.indexOf(entry); if (at !== -1) immediates.splice(at, 1) })

// Globals of Node that the engine does not have.
hide(globalThis, 'global', globalThis)
for (const [name, module] of [['Buffer', 'buffer'], ['TextEncoder', 'util'], ['TextDecoder', 'util'], ['structuredClone', 'util'], ['process', 'process'], ['console', 'console'], ['URL', 'url'], ['URLSearchParams', 'url']])
  Object.defineProperty(globalThis, name, {
    configurable: true, enumerable: false,
    get: () => { const value = module === name ? builtin(module) : builtin(module)[name]; hide(globalThis, name, value); return value },
    set: value => hide(globalThis, name, value),
  })
for (const name of ['fetch', 'WebSocket', 'XMLHttpRequest']) hide(globalThis, name, refused(name, 'There is no network.'))
for (const name of ['std', 'os', 'bjson']) delete globalThis[name]

// The program.
let pendingMain = false
function evalGlobals() {
  for (const name of names)
    if (!name.includes('/') && !(name in globalThis))
      Object.defineProperty(globalThis, name, { configurable: true, enumerable: false, get: () => builtin(name), set: value => hide(globalThis, name, value) })
}
function runModule(text, path) {
  pendingMain = true
  host.runModule(text, path).then(() => { pendingMain = false }, error => { pendingMain = false; uncaught(error) })
}
function runAuto(module, text, name, kind, path) {
  if (kind === 'module') return runModule(text, path)
  try {
    compile(text, name)
  } catch (error) {
    if (kind !== 'auto' || !isSyntaxError(error)) throw error
    if (isModuleText(text)) {
      wrapped.delete(name)
      return runModule(text, path)
    }
    // Which of both errors helps depends on what the text wants to be.
    if (/^\s*(?:import|export)\b/m.test(text)) wrapped.delete(name), host.checkModule(text, name)
    throw error
  }
  runCommonJs(module, text, name)
}
function check(text, name, kind) {
  if (kind === 'json') return void JSON.parse(text)
  if (kind !== 'module')
    try {
      return void compile(text, name)
    } catch (error) {
      if (kind === 'commonjs' || (!isModuleText(text) && !/^\s*(?:import|export)\b/m.test(text))) throw error
    }
  host.checkModule(text, name)
}
function run() {
  const { source, purpose, inputType } = settings
  const process = builtin('process')
  if (source.kind === 'text') {
    const path = (settings.cwd === '/' ? '' : settings.cwd) + '/' + source.name
    const module = newModule(source.name, path)
    mainModule = module
    const text = withoutHashbang(source.text)
    if (purpose === 'check') return check(text, source.name, inputType)
    if (source.name === '[eval]') evalGlobals()
    if (purpose === 'print') {
      if (inputType === 'module') throw new Error('--print cannot be used with ES modules')
      hide(globalThis, 'require', makeRequire(path))
      hide(globalThis, 'module', module)
      hide(globalThis, 'exports', module.exports)
      builtin('console').log(host.evaluate(text, source.name))
      return
    }
    return runAuto(module, text, source.name, inputType, path)
  }
  const path = host.main(source.path)
  if (path === undefined) throw Object.assign(new Error("Cannot find module '" + source.path + "'"), { code: 'MODULE_NOT_FOUND' })
  process.argv.splice(1, 1, path)
  const kind = kindOfPath(path)
  refuseKind(kind, path)
  const text = withoutHashbang(readText(path))
  if (purpose === 'check') return check(text, path, kind)
  const module = (cache[path] = newModule('.', path))
  mainModule = module
  if (kind === 'json') { JSON.parse(text); return }
  runAuto(module, text, path, kind, path)
}
function turn() {
  if (immediates.length > 0) {
    const { action, args } = immediates.shift()
    action(...args)
    return
  }
  let next
  let isHeld = false
  for (const timer of timers.values()) {
    if (timer.isHeld) isHeld = true
    if (next === undefined || timer.at < next.at) next = timer
  }
  if (isHeld) {
    const wait = next.at - Date.now()
    if (wait > 0) host.sleep(wait)
    if (next.isRepeated) next.at = Date.now() + next.milliseconds
    else timers.delete(next.id)
    next.action(...next.args)
    return
  }
  const process = builtin('process')
  if (pendingMain) {
    print('stderr', 'Warning: Detected unsettled top-level await\n')
    return process.exitCode ?? 13
  }
  return ended(process.exitCode ?? 0)
}
let isEnding = false
function ended(code) {
  const process = builtin('process')
  if (!isEnding) {
    isEnding = true
    process.exitCode = code
    process.emit('exit', code)
  }
  return Number(process.exitCode ?? code)
}
internal.exit = code => host.exit(ended(code ?? builtin('process').exitCode ?? 0))
internal.settings = settings
/** Returns the exit code, or -1 if the program goes on. */
function fail(error) {
  const process = builtin('process')
  if (process.listenerCount('uncaughtException') > 0) {
    process.emit('uncaughtException', error, 'uncaughtException')
    return -1
  }
  print('stderr', 'Uncaught ' + builtin('util').inspect(error) + '\n')
  process.exitCode = 1
  return ended(1)
}
function uncaught(error) {
  const code = fail(error)
  if (code !== -1) host.exit(code)
}
function reject(reason) {
  const process = builtin('process')
  if (process.listenerCount('unhandledRejection') > 0) process.emit('unhandledRejection', reason, Promise.resolve())
  else uncaught(reason)
}
return { run, turn, reject, fail }
})`
