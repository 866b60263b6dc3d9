// The only file that imports just-bash. The build replaces what it compiles to by one self-contained bundle (.ci/vendor-bundles.mjs),
// so its types are ours and plain: whoever imports them never needs just-bash.

import { Bash, getCommandNames } from 'just-bash/browser'
import type { Script } from './ast.ts'
import { containRedirections } from './contained-redirections.ts'
import { createDeadlines } from './deadlines.ts'
import { createDeviceFs } from './device-fs.ts'
import { engineCommands } from './commands/engine-commands.ts'
import { bytesOf, latin1Text } from './encoding.ts'
import { catchOutput } from './ordered-output.ts'
import { splitCommandNames } from './split-command-names.ts'
import { markPipedInput } from './piped-input.ts'
import type { EngineCommand } from './protocol.ts'
import type { JustBashFs } from '../../vfs/facades/just-bash.ts'

export interface EngineRequest {
  readonly script: string
  /** Added to the first command of `script` without being parsed. */
  readonly args?: readonly string[]
  readonly files: JustBashFs
  readonly cwd: string
  /** The whole environment, all of it exported. */
  readonly env: Readonly<Record<string, string>>
  readonly stdin?: Uint8Array
  readonly timeoutMs: number
  /** Ends a wait at once. */
  readonly signal: AbortSignal
  /** Asked before each command and each turn of a loop: how a busy script, which lets no event through, learns that it must end. */
  readonly isStopped: () => boolean
  /** Awaited before the script uses a file: where one that is busy on a shared thread lets other work through. */
  readonly pause: () => Promise<void>
  /** Called before the script sleeps. */
  readonly onWait?: () => void
  /** Beside its own, and before them. */
  readonly commands: readonly EngineCommand[]
  /** See `RunRequest` in protocol.ts. */
  readonly hasOwnPrograms: boolean
  /** In the order written. */
  readonly onOutput: (channel: 'stdout' | 'stderr', bytes: Uint8Array) => void
}

/** Runs a script to its end and gives its exit code. Never rejects: a failure of the files ends the script with code 1 and its message. */
export async function runScript(request: EngineRequest): Promise<number> {
  const { script, args, files, env, cwd, onOutput } = request
  const deadlines = createDeadlines()
  const signal = polled(request.signal, () => {
    deadlines.check()
    return request.isStopped()
  })
  const write = (channel: 'stdout' | 'stderr', bytes: Uint8Array): void => {
    onOutput(channel, channel === 'stderr' && signal.aborted ? withoutOwnWords(bytes) : bytes)
  }
  // The script itself; what it runs in turn (`bash -c`, `xargs`) is transformed too, and its output belongs to whoever runs it.
  let isShown = true
  const showNext = async <T>(work: () => Promise<T>): Promise<T> => {
    isShown = true
    try {
      return await work()
    } finally {
      isShown = false
    }
  }
  const custom = engineCommands(request.commands, { env, signal, deadlines, showNext })
  const commandNames = new Set([...getCommandNames(), ...custom.map(({ name }) => name)])
  const hostNames = new Set(request.commands.map(({ name }) => name))
  const { pause, hasOwnPrograms } = request
  const fs = createDeviceFs(files, { commands: commandNames, write, pause, hasOwnPrograms })
  const bash = new Bash({
    fs,
    cwd,
    env: { ...env },
    // Behind our own clock, so that it is one clock that says whether the time was over.
    executionLimits: { ...limits, maxExecutionTimeMs: Math.ceil(request.timeoutMs) + 1000 },
    sleep: durationMs => {
      request.onWait?.()
      return sleep(durationMs, signal)
    },
    // It would replace globals of the worker that our own tools run in, meanwhile.
    defenseInDepth: false,
    customCommands: [...custom],
  })
  bash.registerTransformPlugin({
    name: 'anchorage',
    transform: ({ ast }) => {
      const contained = markPipedInput(containRedirections(splitCommandNames(ast, script), script), hostNames)
      if (!isShown) return { ast: contained }
      isShown = false
      return { ast: catchOutput(contained, script) }
    },
  })
  try {
    const result = await bash.exec(script, {
      // Otherwise the white space that begins a line is removed, inside quotes and here-documents too.
      rawScript: true,
      signal,
      ...(args === undefined ? {} : { args: [...args] }),
      ...(request.stdin === undefined ? {} : { stdin: latin1Text(request.stdin), stdinKind: 'bytes' as const }),
    })
    write('stdout', bytesOf(result.stdout, undefined, 'stdout'))
    write('stderr', bytesOf(result.stderr, undefined, 'stderr'))
    return result.exitCode
  } catch (error) {
    if (signal.aborted) return stoppedCode
    // A redirection whose file cannot be written throws through the whole script.
    write('stderr', bytesOf(`bash: ${error instanceof Error ? error.message : String(error)}\n`, undefined, 'stderr'))
    return 1
  }
}

// Time is the bound that a command really has; these only stop what grows without end. The rest are just-bash's own: 512 MiB of strings
// held at a time, a million files visited, substitutions 50 deep.
const limits = {
  maxCommandCount: 50_000_000,
  maxLoopIterations: 50_000_000,
  maxAwkIterations: 50_000_000,
  maxSedIterations: 50_000_000,
  maxWorkUnits: 10_000_000_000,
  maxCallDepth: 500,
  // Four times what a caller keeps: the queue to a slow reader is bounded by it.
  maxOutputSize: 64 * 1024 * 1024,
  maxExtensionCleanupTimeMs: 20,
}

// As `timeout` answers.
const stoppedCode = 124

// That a script was stopped is the exit status's to say.
const ownWords = /^(?:(?:\S+: )?execution aborted|bash: \S+ exceeded (?:its )?execution deadline(?: \(\d+ms\))?)\n/gm

function withoutOwnWords(bytes: Uint8Array): Uint8Array {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
  const rest = text.replace(ownWords, '')
  return rest === text ? bytes : new TextEncoder().encode(rest)
}

/** `signal` whose `aborted` also asks `isStopped`. */
function polled(signal: AbortSignal, isStopped: () => boolean): AbortSignal {
  return new Proxy(signal, {
    get: (target, property) => {
      if (property === 'aborted') return target.aborted || isStopped()
      const value: unknown = Reflect.get(target, property, target)
      return typeof value === 'function' ? value.bind(target) : value
    },
  })
}

function sleep(durationMs: number, signal: AbortSignal): Promise<void> {
  return new Promise(resolve => {
    const done = (): void => {
      clearTimeout(timer)
      signal.removeEventListener('abort', done)
      resolve()
    }
    const timer = setTimeout(done, durationMs)
    signal.addEventListener('abort', done, { once: true })
    if (signal.aborted) done()
  })
}

/** The syntax tree of a script, with nothing run. `undefined` for one that cannot be read. */
export function parseTree(script: string): Script | undefined {
  try {
    const { ast } = new Bash({ defenseInDepth: false }).transform(script)
    return ast.statements.some(({ deferredError }) => deferredError !== undefined) ? undefined : ast
  } catch {
    // The interpreter's parser throws for what is no bash, and only for that: there is nothing else it could fail at.
    return undefined
  }
}
