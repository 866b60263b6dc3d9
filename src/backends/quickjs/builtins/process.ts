// The module `process`.

export const processModule: string = String.raw`(function (exports, require, module, internal) {
'use strict'
const { print, ask, settings, refused } = internal
const EventEmitter = require('events')
const { resolve } = require('path')
let directory = settings.cwd
let isKnown = false
function cwd() {
  if (isKnown) return directory
  try { ask('stat', [directory]) } catch (error) {
    throw Object.assign(new Error(error.code + ': no such file or directory, uv_cwd'), { code: error.code, errno: -2, syscall: 'uv_cwd' })
  }
  isKnown = true
  return directory
}
const process = module.exports = new EventEmitter()
class Output extends EventEmitter {
  constructor(channel, fd) { super(); this.channel = channel; this.fd = fd; this.isTTY = false; this.writable = true; this.columns = undefined }
  write(data, encoding, callback) {
    print(this.channel, typeof data === 'string' && typeof encoding === 'string' ? Buffer.from(data, encoding) : data)
    const done = typeof encoding === 'function' ? encoding : callback
    if (done) queueMicrotask(() => done())
    return true
  }
  end(data) { if (data !== undefined) this.write(data) }
}
class Input extends EventEmitter {
  constructor() { super(); this.fd = 0; this.isTTY = false; this.encoding = undefined; this.isStarted = false }
  setEncoding(encoding) { this.encoding = encoding; return this }
  all() {
    const bytes = Buffer.from(ask('stdin', []))
    return this.encoding === undefined ? bytes : bytes.toString(this.encoding)
  }
  start() {
    if (this.isStarted) return
    this.isStarted = true
    setImmediate(() => {
      const data = this.all()
      if (data.length > 0) this.emit('data', data)
      this.emit('end')
      this.emit('close')
    })
  }
  on(name, listener) {
    super.on(name, listener)
    if (name === 'data' || name === 'end') this.start()
    return this
  }
  resume() { this.start(); return this }
  pause() { return this }
  unref() { return this }
  ref() { return this }
  pipe(output) { this.on('data', data => output.write(data)); return output }
  read() { return this.isStarted ? null : (this.isStarted = true, this.all()) }
  async *[Symbol.asyncIterator]() {
    this.isStarted = true
    const data = this.all()
    if (data.length > 0) yield data
  }
}
Input.prototype.addListener = Input.prototype.on
const started = performance.now()
const hrtime = previous => {
  const now = performance.now() - started
  const time = [Math.floor(now / 1000), Math.floor((now % 1000) * 1e6)]
  if (!previous) return time
  const nanoseconds = (time[0] - previous[0]) * 1e9 + time[1] - previous[1]
  return [Math.floor(nanoseconds / 1e9), nanoseconds % 1e9]
}
hrtime.bigint = () => BigInt(Math.floor((performance.now() - started) * 1e6))
Object.assign(process, {
  title: 'js',
  argv: settings.source.name === '[eval]' ? ['/usr/bin/js', ...settings.args] : ['/usr/bin/js', settings.source.path ?? '-', ...settings.args],
  argv0: 'js', execPath: '/usr/bin/js', execArgv: [], env: settings.env, pid: 1, ppid: 0,
  platform: 'linux', arch: 'wasm32', version: 'v0.0.0', versions: { quickjs: 'ng' }, release: { name: 'quickjs' }, exitCode: undefined,
  stdout: new Output('stdout', 1), stderr: new Output('stderr', 2), stdin: new Input(),
  cwd,
  chdir: path => {
    const next = resolve(String(path))
    if (ask('stat', [next]).kind !== 'directory') throw Object.assign(new Error("ENOTDIR: not a directory, chdir '" + path + "'"), { code: 'ENOTDIR' })
    directory = next
    isKnown = true
  },
  exit: code => { internal.exit(code); for (;;); },
  abort: () => process.exit(134),
  kill: refused('process.kill'),
  nextTick: (action, ...args) => queueMicrotask(() => action(...args)),
  uptime: () => (performance.now() - started) / 1000,
  hrtime, umask: () => 18, getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0,
  memoryUsage: () => ({ rss: 0, heapTotal: 0, heapUsed: 0, external: 0, arrayBuffers: 0 }),
  cpuUsage: () => ({ user: Math.floor((performance.now() - started) * 1000), system: 0 }),
  emitWarning: warning => print('stderr', 'Warning: ' + (warning?.message ?? warning) + '\n'),
})
})`
