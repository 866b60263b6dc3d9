// The stand-in's processes: jsh over the stand-in's files, and the only program that `node` can run here, our framed runner. The runner is
// simulated: its protocol is spoken, but its code is not executed (backends/webcontainer/runner.test.ts runs it in a real Node).

import { deferred } from '../../core/deferred.ts'
import { joinPath, parsePath } from '../../core/path.ts'
import { justBash } from '../../backends/just-bash/index.ts'
import { framePrefix, runnerPath } from '../../backends/webcontainer/runner.ts'
import type { Shell, ShellCommand, ShellProcess } from '../../shell/shell.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import { field, insideWorkdir, workdir } from './files.ts'
import { judgeScript } from './jsh.ts'
import { moved, remote } from './numeric-wire.ts'
import { delay, type Quirks } from './quirks.ts'

type Push = (chunk: unknown) => void
type Write = (channel: 1 | 2, bytes: Uint8Array) => void

interface Program {
  /** Its exit code. May never resolve. */
  readonly exit: Promise<number>
  readonly kill: () => void
  readonly input: (text: string) => void
}

const encoder = new TextEncoder()
const decoder = new TextDecoder()

export interface Processes {
  readonly run: (spec: unknown, stdout: unknown, stderr: unknown, output: unknown) => Promise<unknown>
  readonly dispose: () => Promise<void>
}

export function createProcesses(fs: Vfs, quirks: Quirks): Processes {
  // In this thread, because a worker for each script would cost more than the scripts.
  const shell = justBash({ worker: 'none' })({ fs, root: workdir })
  const programs = new Set<Program>()
  return {
    async run(spec, _stdout, _stderr, output) {
      const [command, args] = [String(field(spec, 'command')), textList(field(spec, 'args'))]
      const cwd = field(spec, 'cwd')
      const directory = typeof cwd === 'string' ? insideWorkdir(cwd) : workdir
      const env = textRecord(field(spec, 'env'))
      const terminal = typeof output === 'function' ? createTerminal(chunk => output(chunk), quirks) : undefined
      const context: Context = { fs, shell: await shell, quirks, directory, env, write: bytes => terminal?.write(bytes) }
      const program = await start(context, command, args)
      programs.add(program)
      const exit = program.exit.finally(() => programs.delete(program))
      const ended = exit.then(async code => {
        if (!quirks.has('late-chunks')) terminal?.close()
        await quirks.pause()
        return code
      })
      const exitAsked = deferred<undefined>()
      // A timer fires after the promises that report the exit code, however busy the machine is.
      if (quirks.has('late-chunks'))
        void Promise.allSettled([ended, exitAsked.promise])
          .then(() => delay(quirks.random.below(20)))
          .then(() => terminal?.close())
      const process = {
        get onExit() {
          exitAsked.resolve(undefined)
          return ended
        },
        write: (text: unknown) => program.input(String(text)),
        kill: program.kill,
        resize: () => {},
      }
      return remote(process, 'in order')
    },
    async dispose() {
      for (const program of programs) program.kill()
      await (await shell).dispose()
    },
  }
}

interface Context {
  readonly fs: Vfs
  readonly shell: Shell
  readonly quirks: Quirks
  readonly directory: ReturnType<typeof parsePath>
  readonly env: Readonly<Record<string, string>>
  readonly write: (bytes: Uint8Array) => void
}

async function start(context: Context, command: string, args: readonly string[]): Promise<Program> {
  const write: Write = (_channel, bytes) => context.write(bytes)
  if (['jsh', '/bin/jsh', 'sh', 'bash'].includes(command)) {
    const script = args[0] === '-c' ? args[1] : undefined
    return script === undefined
      ? interactive(context, write, args.includes('--osc'))
      : runScript(context, { kind: 'script', script }, write)
  }
  if (command === 'node') return await runNode(context, args)
  if (command.startsWith('no-such')) throw new Error(`spawn ${command} ENOENT`)
  return await runScript(context, { kind: 'file', file: command, args }, write)
}

interface ScriptProgram extends Program {
  readonly hasTimedOut: () => boolean
}

interface ScriptOptions {
  readonly stdin?: Uint8Array
  /** A busy loop blocks all events, so if loops can be ended, they must end themselves. */
  readonly timeoutMs?: number
}

async function runScript(
  context: Context,
  command: ShellCommand,
  write: Write,
  { stdin, timeoutMs = 120_000 }: ScriptOptions = {},
): Promise<ScriptProgram> {
  const { quirks, shell, directory, env } = context
  const verdict =
    command.kind === 'script'
      ? judgeScript(command.script, {
          isRestricted: quirks.has('restricted-shell'),
          isUnkillable: quirks.has('unkillable-loops'),
        })
      : undefined
  if (verdict?.kind === 'stuck') return { exit: new Promise(() => {}), kill: () => {}, input: () => {}, hasTimedOut: () => false }
  if (verdict?.kind === 'refused') {
    write(2, encoder.encode(verdict.message))
    return { exit: Promise.resolve(verdict.code), kill: () => {}, input: () => {}, hasTimedOut: () => false }
  }
  const process = await shell.start(verdict?.kind === 'run' ? { kind: 'script', script: verdict.script } : command, {
    cwd: directory,
    env: { PATH: '/bin', HOME: '/home', ...env },
    ...(stdin === undefined ? {} : { stdin }),
    timeoutMs,
  })
  let isTimeOver = false
  const code = forward(process, write).then(async () => {
    const exit = await process.exit
    isTimeOver = exit.kind === 'timed-out'
    return exit.kind === 'exited' ? exit.code : 137
  })
  return {
    exit: code,
    kill: () => void process.kill('kill'),
    input: () => {},
    hasTimedOut: () => isTimeOver,
  }
}

async function forward(process: ShellProcess, write: Write): Promise<void> {
  for await (const { channel, bytes } of process.output) write(channel === 'stderr' ? 2 : 1, bytes)
}

/** A shell at a terminal: input is echoed, and each line is run. */
/** `--osc`: it says when it waits and how a command ended. The sequences are those of the service. */
async function interactive(context: Context, write: Write, isTelling: boolean): Promise<Program> {
  const { shell, quirks, directory, env } = context
  const session = await shell.openSession?.('jsh', { cwd: directory, env })
  if (session === undefined) throw new Error('unreachable: just-bash has sessions')
  let line = ''
  const say = (text: string): void => write(1, encoder.encode(text))
  const tell = (text: string): void => {
    if (isTelling) say(`\u001b]654;${text}\u0007`)
  }
  const prompt = (): void => {
    tell('prompt')
    say('❯ ')
  }
  void (async () => {
    for await (const { channel, bytes } of session.output) write(channel === 'stderr' ? 2 : 1, bytes)
  })()
  tell('interactive')
  prompt()
  const runLine = async (text: string): Promise<void> => {
    const verdict = judgeScript(text, {
      isRestricted: quirks.has('restricted-shell'),
      isUnkillable: quirks.has('unkillable-loops'),
    })
    if (verdict.kind === 'refused') say(verdict.message)
    else if (text !== '') await session.run(text)
    await session.drained()
    const code = verdict.kind === 'refused' ? verdict.code : (session.exitCode ?? 0)
    if (text !== '') tell(`exit=-1:${code}`)
    prompt()
  }
  return {
    exit: session.ended.then(exit => (exit.kind === 'exited' ? exit.code : 137)),
    kill: () => void session.close(),
    input: text => {
      for (const character of text) {
        if (session.isBusy || character === '\u0003') {
          if (character === '\u0003' && line !== '') prompt()
          line = ''
          void session.write(character)
        } else if (character === '\u0004') void session.close()
        else if (character !== '\r' && character !== '\n') {
          line += character
          say(character)
        } else {
          const typed = line
          line = ''
          say('\n')
          void runLine(typed)
        }
      }
    },
  }
}

/** Only the framed runner, because there is no Node here. */
async function runNode(context: Context, args: readonly string[]): Promise<Program> {
  const { fs, quirks, write } = context
  const [program = '', argument = ''] = args
  const isRunner = program.endsWith(runnerPath) && (await fs.exists(joinPath(workdir, runnerPath)))
  if (!isRunner || quirks.has('no-runner')) {
    write(encoder.encode(`node: the stand-in has no Node, it cannot run ${program}\n`))
    return { exit: Promise.resolve(1), kill: () => {}, input: () => {} }
  }
  const job: unknown = JSON.parse(
    argument.startsWith('@') ? await fs.readText(argument.slice(1)) : decoder.decode(fromBase64(argument)),
  )
  const say = (frame: unknown): void => write(encoder.encode(`${framePrefix}${JSON.stringify(frame)}\n`))
  const frame: Write = (channel, bytes) => {
    for (let at = 0; at < bytes.length; at += 3072) say({ c: channel, b: toBase64(bytes.subarray(at, at + 3072)) })
  }
  const probes = field(job, 'probes')
  if (Array.isArray(probes)) return { exit: runProbes(context, probes, say), kill: () => {}, input: () => {} }
  return await runJob(context, job, frame, say)
}

async function runProbes(context: Context, probes: readonly unknown[], say: (frame: unknown) => void): Promise<number> {
  for (const script of probes) {
    let output = ''
    const write: Write = (_channel, bytes) => {
      output += decoder.decode(bytes)
    }
    const code = await (await runScript(context, { kind: 'script', script: String(script) }, write)).exit
    say({ p: { code, output } })
  }
  say({ x: { code: 0 } })
  return 0
}

async function runJob(context: Context, job: unknown, frame: Write, say: (frame: unknown) => void): Promise<Program> {
  const [file, script, stdin, timeoutMs] = ['file', 'script', 'stdin', 'timeoutMs'].map(name => field(job, name))
  const command: ShellCommand =
    typeof file === 'string'
      ? { kind: 'file', file, args: textList(field(job, 'args')) }
      : { kind: 'script', script: String(script) }
  if (typeof file === 'string' && file.startsWith('no-such')) {
    say({ x: { missing: true } })
    return { exit: Promise.resolve(127), kill: () => {}, input: () => {} }
  }
  const input = typeof stdin === 'string' ? fromBase64(stdin) : new Uint8Array()
  const ownTime = typeof timeoutMs === 'number' ? { timeoutMs } : {}
  const program = await runScript(context, command, frame, { stdin: input, ...ownTime })
  let signal: string | undefined
  let isTimeOver = false
  const { promise: gaveUp, resolve: finish } = deferred<number>()
  // As in the runner: a child that survives being killed is reported and left behind.
  const end = (): void => {
    program.kill()
    setTimeout(() => {
      say({ x: { stuck: true } })
      finish(1)
    }, 500)
  }
  const timer = setTimeout(
    () => {
      isTimeOver = true
      end()
    },
    typeof timeoutMs === 'number' ? timeoutMs : 2 ** 31 - 1,
  )
  const ended = program.exit.then(code => {
    clearTimeout(timer)
    if (isTimeOver || program.hasTimedOut()) say({ x: { timedOut: true } })
    else if (signal !== undefined) say({ x: { signal } })
    else say({ x: { code } })
    return 0
  })
  return {
    exit: Promise.race([ended, gaveUp]),
    kill: program.kill,
    input: text => {
      const wanted = /^kill (SIG[A-Z]+)/m.exec(text)?.[1]
      if (wanted === undefined || signal !== undefined) return
      signal = wanted
      end()
    },
  }
}

/** Changes a program's output on its way to the client, as a terminal does. */
function createTerminal(push: Push, quirks: Quirks): { write(bytes: Uint8Array): void; close(): void } {
  let last: Promise<unknown> = Promise.resolve()
  let isClosed = false
  return {
    write(bytes) {
      const spoilt = quirks.has('crlf') ? withReturns(bytes) : bytes
      last = last.then(async () => {
        if (quirks.has('latency') && quirks.random.chance(1 / 16)) await delay(quirks.random.below(5))
        for (const chunk of chunksOf(spoilt, quirks)) push(moved(chunk))
      })
    },
    close() {
      if (isClosed) return
      isClosed = true
      void last.then(() => push(null))
    },
  }
}

function withReturns(bytes: Uint8Array): Uint8Array {
  const spoilt: number[] = []
  for (const byte of bytes) {
    if (byte === 0x0a) spoilt.push(0x0d)
    spoilt.push(byte)
  }
  return Uint8Array.from(spoilt)
}

function chunksOf(bytes: Uint8Array, quirks: Quirks): Uint8Array<ArrayBuffer>[] {
  const chunks: Uint8Array<ArrayBuffer>[] = []
  for (let at = 0; at < bytes.length;) {
    const inCharacter = bytes.subarray(at).findIndex(byte => (byte & 0xc0) === 0x80)
    let sizeBytes = bytes.length
    if (quirks.has('split-characters')) sizeBytes = inCharacter > 0 ? inCharacter : 1 + quirks.random.below(8192)
    chunks.push(new Uint8Array(bytes.slice(at, at + sizeBytes)))
    at += sizeBytes
  }
  return chunks
}

function textList(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : []
}

function textRecord(value: unknown): Readonly<Record<string, string>> {
  if (typeof value !== 'object' || value === null) return {}
  return Object.fromEntries(Object.entries(value).map(([name, content]) => [name, String(content)]))
}

function fromBase64(text: string): Uint8Array {
  return Uint8Array.from(atob(text), character => character.charCodeAt(0))
}

function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, byte => String.fromCharCode(byte)).join(''))
}
