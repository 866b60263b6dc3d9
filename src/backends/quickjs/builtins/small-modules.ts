// Modules of a few lines each.

export const fsPromisesModule: string = `(function (exports, require, module) {
module.exports = require('fs').promises
})`

export const osModule: string = String.raw`(function (exports) {
'use strict'
Object.assign(exports, {
  EOL: '\n', platform: () => 'linux', type: () => 'Linux', arch: () => 'wasm32', release: () => '0', tmpdir: () => process.env.TMPDIR ?? '/tmp',
  homedir: () => process.env.HOME ?? '/', hostname: () => 'localhost', cpus: () => [], availableParallelism: () => 1, totalmem: () => 268435456, freemem: () => 268435456,
  uptime: () => process.uptime(), endianness: () => 'LE', loadavg: () => [0, 0, 0], networkInterfaces: () => ({}),
  userInfo: () => ({ username: process.env.USER ?? 'user', uid: 0, gid: 0, shell: '/bin/bash', homedir: process.env.HOME ?? '/' }),
})
})`

export const assertModule: string = String.raw`(function (exports, require, module, internal) {
'use strict'
const { inspect } = require('util')
class AssertionError extends Error {
  constructor({ message, actual, expected, operator }) {
    super(message)
    Object.assign(this, { generatedMessage: false, code: 'ERR_ASSERTION', actual, expected, operator })
  }
  get name() { return 'AssertionError' }
}
function check(holds, message, actual, expected, operator, text) {
  if (holds) return
  if (message instanceof Error) throw message
  throw new AssertionError({ message: message ?? text, actual, expected, operator })
}
const both = (actual, expected) => '\n\n' + inspect(actual) + '\n\nshould be\n\n' + inspect(expected) + '\n'
function matches(error, expected) {
  if (expected === undefined) return true
  if (expected instanceof RegExp) return expected.test(String(error))
  if (typeof expected === 'function') return expected.prototype !== undefined && error instanceof expected ? true : Error.isPrototypeOf(expected) ? false : expected.call({}, error) === true
  return Object.keys(expected).every(key => (expected[key] instanceof RegExp && typeof error[key] === 'string' ? expected[key].test(error[key]) : internal.isDeepEqual(error[key], expected[key], true)))
}
function caught(error, expected, message) {
  const given = typeof expected === 'string' ? undefined : expected
  if (matches(error, given)) return
  if (given instanceof RegExp || typeof given === 'object') check(false, message, error, expected, 'throws', 'The error does not match:' + both(error, expected))
  throw error
}
const assert = module.exports = (value, message) => check(value, message, value, true, '==', 'The expression evaluated to a falsy value: ' + inspect(value))
Object.assign(assert, {
  AssertionError,
  ok: assert,
  equal: (actual, expected, message) => check(actual == expected || (actual !== actual && expected !== expected), message, actual, expected, '==', inspect(actual) + ' == ' + inspect(expected)),
  notEqual: (actual, expected, message) => check(actual != expected, message, actual, expected, '!=', inspect(actual) + ' != ' + inspect(expected)),
  strictEqual: (actual, expected, message) => check(Object.is(actual, expected), message, actual, expected, 'strictEqual', 'Expected values to be strictly equal:' + both(actual, expected)),
  notStrictEqual: (actual, expected, message) => check(!Object.is(actual, expected), message, actual, expected, 'notStrictEqual', 'Expected values not to be strictly equal: ' + inspect(actual)),
  deepEqual: (actual, expected, message) => check(internal.isDeepEqual(actual, expected, false), message, actual, expected, 'deepEqual', 'Expected values to be loosely deep-equal:' + both(actual, expected)),
  deepStrictEqual: (actual, expected, message) => check(internal.isDeepEqual(actual, expected, true), message, actual, expected, 'deepStrictEqual', 'Expected values to be strictly deep-equal:' + both(actual, expected)),
  notDeepEqual: (actual, expected, message) => check(!internal.isDeepEqual(actual, expected, false), message, actual, expected, 'notDeepEqual', 'Expected values not to be loosely deep-equal: ' + inspect(actual)),
  notDeepStrictEqual: (actual, expected, message) => check(!internal.isDeepEqual(actual, expected, true), message, actual, expected, 'notDeepStrictEqual', 'Expected values not to be strictly deep-equal: ' + inspect(actual)),
  match: (text, pattern, message) => check(pattern.test(text), message, text, pattern, 'match', inspect(text) + ' does not match ' + pattern),
  doesNotMatch: (text, pattern, message) => check(!pattern.test(text), message, text, pattern, 'doesNotMatch', inspect(text) + ' matches ' + pattern),
  fail: message => check(false, message ?? 'Failed', undefined, undefined, 'fail'),
  ifError: error => { if (error !== null && error !== undefined) throw error },
  throws: (action, expected, message) => {
    let error
    try { action() } catch (thrown) { error = [thrown] }
    check(error !== undefined, typeof expected === 'string' ? expected : message, undefined, expected, 'throws', 'Missing expected exception.')
    caught(error[0], expected, message)
  },
  doesNotThrow: action => { action() },
  rejects: async (action, expected, message) => {
    let error
    try { await (typeof action === 'function' ? action() : action) } catch (thrown) { error = [thrown] }
    check(error !== undefined, typeof expected === 'string' ? expected : message, undefined, expected, 'rejects', 'Missing expected rejection.')
    caught(error[0], expected, message)
  },
  doesNotReject: async action => { await (typeof action === 'function' ? action() : action) },
})
assert.strict = Object.assign((...args) => assert(...args), assert, { equal: assert.strictEqual, notEqual: assert.notStrictEqual, deepEqual: assert.deepStrictEqual, notDeepEqual: assert.notDeepStrictEqual })
assert.strict.strict = assert.strict
})`

export const strictAssertModule: string = `(function (exports, require, module) {
module.exports = require('assert').strict
})`

export const urlModule: string = String.raw`(function (exports, require, module, internal) {
'use strict'
Object.assign(exports, {
  fileURLToPath: url => {
    const text = typeof url === 'string' ? url : url.href
    if (!text.startsWith('file://')) throw Object.assign(new TypeError('The URL must be of scheme file'), { code: 'ERR_INVALID_URL_SCHEME' })
    return decodeURIComponent(text.slice(7).replace(/[?#].*$/, ''))
  },
  pathToFileURL: path => {
    const href = 'file://' + require('path').resolve(path).split('/').map(encodeURIComponent).join('/')
    return { href, protocol: 'file:', pathname: href.slice(7), toString: () => href, toJSON: () => href }
  },
  URL: class URL {
    constructor(text, base) {
      // Programs look for files beside a module with it.
      const from = typeof base === 'string' ? base : base?.href
      if (/^\.{0,2}\//.test(String(text)) && from?.startsWith('file://'))
        return exports.pathToFileURL(require('path').resolve(require('path').dirname(exports.fileURLToPath(from)), decodeURIComponent(String(text))))
      if (String(text).startsWith('file:///')) return exports.pathToFileURL(exports.fileURLToPath(String(text)))
      internal.refused('URL', 'Only URLs of files are: new URL("./name", import.meta.url).')()
    }
  },
  URLSearchParams: internal.refused('URLSearchParams'),
})
})`

export const readlineModule: string = String.raw`(function (exports, require) {
'use strict'
const EventEmitter = require('events')
class Interface extends EventEmitter {
  #lines
  #isClosed = false
  constructor(input) {
    super()
    this.input = input
    // After the listeners were added.
    setImmediate(() => { if (!this.#isClosed && !this.isIterated) this.#emitAll() })
  }
  #read() { return this.#lines ??= linesOf(this.input) }
  #emitAll() {
    for (const line of this.#read().splice(0)) { if (this.#isClosed) return; this.emit('line', line) }
    this.close()
  }
  question(query, options, callback) {
    const answer = typeof options === 'function' ? options : callback
    this.isIterated = true
    process.stdout.write(query)
    setImmediate(() => answer(this.#read().shift() ?? ''))
  }
  async *[Symbol.asyncIterator]() {
    this.isIterated = true
    for (let lines = this.#read(); lines.length > 0;) yield lines.shift()
    this.close()
  }
  close() { if (!this.#isClosed) { this.#isClosed = true; this.emit('close') } }
  setPrompt(text) { this.text = text }
  prompt() { process.stdout.write(this.text ?? '> ') }
  pause() { return this }
  resume() { return this }
  write() {}
}
function linesOf(input) {
  if (input !== process.stdin) throw new Error('readline reads only process.stdin here. For a file: readFileSync(path, "utf8").split("\\n").')
  const lines = String(input.all()).split(/\r\n|\n|\r/)
  if (lines.at(-1) === '') lines.pop()
  return lines
}
const createInterface = options => new Interface(options.input ?? options)
Object.assign(exports, { createInterface, Interface, promises: { createInterface: options => {
  const made = createInterface(options)
  const question = made.question.bind(made)
  made.question = query => new Promise(resolve => question(query, resolve))
  return made
} } })
})`

export const readlinePromisesModule: string = `(function (exports, require, module) {
module.exports = require('readline').promises
})`

export const timersModule: string = String.raw`(function (exports, require) {
Object.assign(exports, { setTimeout, setInterval, setImmediate, clearTimeout, clearInterval, clearImmediate })
Object.defineProperty(exports, 'promises', { enumerable: true, get: () => require('timers/promises') })
})`

export const timersPromisesModule: string = String.raw`(function (exports) {
const { setTimeout, setImmediate } = globalThis
Object.assign(exports, {
  setTimeout: (delay, value) => new Promise(resolve => setTimeout(resolve, delay, value)),
  setImmediate: value => new Promise(resolve => setImmediate(resolve, value)),
})
})`

export const performanceModule: string = `(function (exports) {
exports.performance = performance
})`
