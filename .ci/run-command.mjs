// Starts child processes so that none outlives this one: each has a mark that all its descendants inherit, and is found and ended by the
// mark.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { endMarked, markVariable } from './processes.mjs'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** The path of a command in the installed packages. */
export const bin = name => `${root}node_modules/.bin/${name}`

const outerMark = process.env[markVariable]
const ownMark = outerMark === undefined ? `${process.pid}` : `${outerMark}/${process.pid}`
const marks = new WeakMap()
let started = 0
let reaper

/**
 * Runs a command to its end and keeps its output; `live` prints the output as it arrives. Never rejects on a non-zero exit. There is no
 * time limit, but a command that neither prints nor sends a message for `silenceMinutes` is ended, with all that it started, and the output
 * says so. With `onMessage` the child has a channel for `process.send`.
 */
export function run(command, args = [], { cwd = root, env = {}, live = false, onMessage, silenceMinutes = 5 } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = live ? 'inherit' : 'pipe'
    const child = start(command, args, {
      cwd,
      env: { ...(live ? {} : { NO_COLOR: '1' }), ...env },
      stdio: ['ignore', stdio, stdio, ...(onMessage === undefined ? [] : ['ipc'])],
    })
    const chunks = []
    const silence = setTimeout(() => {
      chunks.push(Buffer.from(`\nStopped: no progress for ${silenceMinutes} minutes.\n`))
      stop(child)
    }, silenceMinutes * 60_000)
    // Live output is not visible here.
    if (live) clearTimeout(silence)
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on('data', chunk => {
        silence.refresh()
        chunks.push(chunk)
      })
    }
    child.on('message', message => {
      silence.refresh()
      onMessage(message)
    })
    child.on('error', error => {
      clearTimeout(silence)
      reject(error)
    })
    // Its background processes may keep its pipes open.
    child.on('exit', () => stop(child))
    child.on('close', code => {
      clearTimeout(silence)
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() })
    })
  })
}

/** Starts a server or a similar program. The caller ends it with `stop`. */
export function start(command, args = [], { cwd = root, env = {}, stdio = 'ignore' } = {}) {
  const mark = `${ownMark}/${++started}`
  reaper ??= startReaper()
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env, [markVariable]: mark }, stdio, detached: true })
  marks.set(child, mark)
  return child
}

/** Ends it, and all that it started. */
export function stop(child) {
  endMarked(marks.get(child))
}

// A process that is killed cannot clean up.
function startReaper() {
  const child = spawn(process.execPath, [`${root}.ci/reaper.mjs`, ownMark], {
    stdio: ['pipe', 'ignore', 'ignore'],
    detached: true,
  })
  child.unref()
  child.stdin.unref()
  return child
}

for (const [signal, code] of [
  ['SIGHUP', 129],
  ['SIGINT', 130],
  ['SIGTERM', 143],
])
  process.once(signal, () => process.exit(code))
process.on('exit', () => {
  endMarked(ownMark)
  reaper?.kill()
})
