// A process of a WebContainer writes to a terminal: both streams are one, and each piece is decoded separately, so that a divided character
// is lost (stackblitz/webcontainer-core#971; client 1.6.4). So a small Node program inside the container runs the command with real pipes,
// and reports on the terminal, in plain ASCII, the output of each. See docs/webcontainer.md, "Processes".

/** The folder for all our files in the container. The filesystem does not show it. */
export const runtimeFolder = '.anchorage-runtime'
export const runnerPath: string = `${runtimeFolder}/runner.mjs`

/** Begins each line that is a frame. Other lines are from the terminal itself: an echo, or a warning of Node. */
export const framePrefix = '@a '

export interface RunnerJob {
  readonly script?: string
  readonly file?: string
  readonly args?: readonly string[]
  /** Base64. */
  readonly stdin?: string
  readonly timeoutMs?: number
  /** Scripts to run one after the other instead of a command; each gets a frame. */
  readonly probes?: readonly string[]
}

/**
 * `node runner.mjs <job in base64 | @file>`. Frames: `{"c":1|2,"b":base64}` is output, `{"p":{code,output}}` is the result of a probe, and
 * the last one is `{"x":{code}|{signal}|{timedOut}|{missing}|{stuck}}`. A line `kill SIGTERM` on its input ends the command.
 */
export const runnerSource: string = `import { spawn } from 'node:child_process'
import { readFileSync } from 'node:fs'

const argument = process.argv[2]
const text = argument.startsWith('@') ? readFileSync(argument.slice(1), 'utf8') : Buffer.from(argument, 'base64').toString('utf8')
const job = JSON.parse(text)
const say = frame => process.stdout.write('${framePrefix}' + JSON.stringify(frame) + '\\n')
const send = (channel, bytes) => {
  for (let at = 0; at < bytes.length; at += 3072) say({ c: channel, b: bytes.subarray(at, at + 3072).toString('base64') })
}
const begin = task =>
  task.file === undefined
    ? spawn('jsh', ['-c', task.script], { stdio: ['pipe', 'pipe', 'pipe'] })
    : spawn(task.file, task.args, { stdio: ['pipe', 'pipe', 'pipe'] })

function run(task, onOutput) {
  return new Promise(resolve => {
    const child = begin(task)
    let timedOut = false
    let asked
    const end = signal => {
      child.kill(signal)
      setTimeout(() => resolve({ stuck: true }), 500).unref()
    }
    const onInput = data => {
      const wanted = /^kill (SIG[A-Z]+)/m.exec(String(data))
      if (wanted === null || asked !== undefined) return
      asked = wanted[1]
      end(asked)
    }
    const timer = task.timeoutMs === undefined ? undefined : setTimeout(() => { timedOut = true; end('SIGKILL') }, task.timeoutMs)
    process.stdin.on('data', onInput)
    child.stdout.on('data', bytes => onOutput(1, bytes))
    child.stderr.on('data', bytes => onOutput(2, bytes))
    child.stdin.on('error', () => {})
    child.stdin.end(Buffer.from(task.stdin ?? '', 'base64'))
    const done = result => {
      clearTimeout(timer)
      process.stdin.off('data', onInput)
      resolve(result)
    }
    child.on('error', error => done(error.code === 'ENOENT' ? { missing: true } : { missing: true, why: error.message }))
    const status = (code, signal) =>
      timedOut ? { timedOut } : asked !== undefined ? { signal: asked } : signal !== null ? { signal } : { code }
    // A grandchild may keep the pipes open after the child has ended.
    child.on('exit', (code, signal) => setTimeout(() => done(status(code, signal)), 200).unref())
    child.on('close', (code, signal) => done(status(code, signal)))
  })
}

process.stdin.setRawMode?.(true)
process.stdin.resume()
if (job.probes === undefined) say({ x: await run(job, send) })
else {
  for (const script of job.probes) {
    let output = ''
    const { code = 1 } = await run({ script, timeoutMs: 5000 }, (_channel, bytes) => { output += bytes.toString('utf8') })
    say({ p: { code, output } })
  }
  say({ x: { code: 0 } })
}
process.stdout.write('', () => process.exit(0))
`
