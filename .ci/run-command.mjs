// Starts child processes so that none outlives us: each gets its own process group, and all are killed on the way out.
import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'

export const root = fileURLToPath(new URL('..', import.meta.url))

/** The path of a command that the installed packages brought. */
export const bin = name => `${root}node_modules/.bin/${name}`

const running = new Set()

/**
 * Runs to the end and keeps what was printed; `live` prints it as it comes. Never rejects on a non-zero exit. What takes
 * too long is killed and says so, with all it printed until then.
 */
export function run(command, args = [], { cwd = root, env = {}, live = false, limitMinutes = 9 } = {}) {
  return new Promise((resolve, reject) => {
    const stdio = live ? 'inherit' : 'pipe'
    const child = start(command, args, {
      cwd,
      env: { ...(live ? {} : { NO_COLOR: '1' }), ...env },
      stdio: ['ignore', stdio, stdio],
    })
    const chunks = []
    child.stdout?.on('data', chunk => chunks.push(chunk))
    child.stderr?.on('data', chunk => chunks.push(chunk))
    const limit = setTimeout(() => {
      chunks.push(Buffer.from(`\nStopped: it took more than ${limitMinutes} minutes.\n`))
      stop(child)
    }, limitMinutes * 60_000)
    child.on('error', reject)
    child.on('close', code => {
      clearTimeout(limit)
      resolve({ code: code ?? 1, output: Buffer.concat(chunks).toString() })
    })
  })
}

/** Starts a server or the like. The caller ends it with `stop`. */
export function start(command, args = [], { cwd = root, env = {}, stdio = 'ignore' } = {}) {
  const child = spawn(command, args, { cwd, env: { ...process.env, ...env }, stdio, detached: true })
  running.add(child)
  child.on('close', () => running.delete(child))
  return child
}

export function stop(child) {
  try {
    process.kill(-child.pid, 'SIGKILL')
  } catch (error) {
    if (error.code !== 'ESRCH') throw error
  }
}

export function stopAll() {
  for (const child of running) stop(child)
}

for (const [signal, code] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
])
  process.once(signal, () => process.exit(code))
process.on('exit', stopAll)
