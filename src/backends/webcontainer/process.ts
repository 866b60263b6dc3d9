// One command in the container as a process of the port: through the runner with exact bytes, or in a terminal with its output unchanged.

import { AnchorageError } from '../../core/errors.ts'
import { OutputQueue } from '../../shell/output-queue.ts'
import type { ExitStatus, OutputChunk, ShellProcess } from '../../shell/shell.ts'
import { createFrameReader, type RunnerExit } from './frames.ts'
import type { ContainerLink } from './link.ts'
import { deferred } from '../../core/deferred.ts'

// A process that has not ended this long after `kill` cannot be ended. A busy machine reports an end late.
const killGraceMs = 3_000

const unkillable =
  'it did not end when it was killed, and a WebContainer has nothing stronger; only tearing the container down ends it, with everything in it'

export interface ProcessOptions {
  readonly link: ContainerLink
  readonly process: number
  readonly isFramed: boolean
  /** The output is shown in a terminal, which needs its carriage returns. */
  readonly keepsReturns?: boolean
  /** Called after the process's last output and before its exit is reported; its result is shown at the end. */
  readonly beforeExit?: () => Promise<readonly OutputChunk[]>
}

interface State {
  killedBy: 'SIGTERM' | 'SIGKILL' | undefined
  hasExited: boolean
  /** The exit as the runner reported it, before the runner's process ends. */
  told: RunnerExit | undefined
  /** Lines of the terminal itself, which are reported if no frame arrives. */
  noise: string
}

export function followProcess(options: ProcessOptions): ShellProcess {
  const { link, process, isFramed } = options
  const queue = new OutputQueue()
  const state: State = { killedBy: undefined, hasExited: false, told: undefined, noise: '' }
  const { promise: exit, resolve: resolveExit } = deferred<ExitStatus>()
  const finish = async (status: ExitStatus): Promise<void> => {
    if (state.hasExited) return
    state.hasExited = true
    try {
      for (const chunk of (await options.beforeExit?.()) ?? []) queue.push(chunk)
      queue.end()
      resolveExit(status)
    } catch (error) {
      queue.end()
      resolveExit({ kind: 'lost', why: error instanceof Error ? error.message : String(error) })
    }
  }
  const reader = isFramed ? framedOutput(queue, state) : options.keepsReturns === true ? rawOutput(queue) : plainOutput(queue)
  link.listenTo(process, {
    output: text => {
      // A failure is not reported here: it means that the link is lost, which is reported below.
      link.call('taken', [process, text.length]).catch(() => {})
      reader.add(text)
      if (state.told !== undefined) void finish(statusOf(state.told, state, queue))
    },
    exit: (code, why) => {
      reader.end()
      void finish(why === undefined ? ended(code, state, isFramed) : { kind: 'lost', why })
    },
    lost: why => void finish({ kind: 'lost', why }),
  })
  return {
    output: queue.output,
    exit,
    async write(bytes) {
      if (isFramed)
        throw new AnchorageError(
          'stdin-closed',
          'A command takes its input when it starts: give it as `stdin`, or ask for a terminal.',
        )
      await link.call('input', [process, new TextDecoder().decode(bytes)])
    },
    async kill(signal = 'term') {
      if (state.hasExited) return 'already-exited'
      state.killedBy ??= signal === 'kill' ? 'SIGKILL' : 'SIGTERM'
      try {
        if (isFramed && signal === 'term') await link.call('input', [process, 'kill SIGTERM\n'])
        else await link.call('kill', [process])
      } catch (error) {
        if (state.hasExited) return 'already-exited'
        throw error
      }
      if (signal === 'kill') setTimeout(() => void finish({ kind: 'lost', why: unkillable }), killGraceMs)
      return 'delivered'
    },
  }
}

interface Reader {
  add(text: string): void
  end(): void
}

function framedOutput(queue: OutputQueue, state: State): Reader {
  const reader = createFrameReader()
  return {
    add(text) {
      for (const frame of reader.add(text)) {
        if (frame.kind === 'output') queue.push({ channel: frame.channel, bytes: frame.bytes })
        else if (frame.kind === 'exit') state.told ??= frame.exit
        else if (frame.kind === 'noise' && state.noise.length < 64 * 1024) state.noise += `${frame.text}\n`
      }
    },
    end() {
      // The other output shows why the runner failed.
      const noise = `${state.noise}${reader.rest()}`
      if (state.told === undefined && noise.trim() !== '') queue.push(merged(noise))
    },
  }
}

function rawOutput(queue: OutputQueue): Reader {
  return { add: text => queue.push(merged(text)), end: () => undefined }
}

/** A terminal ends its lines with CR LF; a program's other carriage returns stay. */
function plainOutput(queue: OutputQueue): Reader {
  let hasReturn = false
  return {
    add(text) {
      const whole = hasReturn ? `\r${text}` : text
      hasReturn = whole.endsWith('\r')
      const shown = (hasReturn ? whole.slice(0, -1) : whole).replaceAll('\r\n', '\n')
      if (shown !== '') queue.push(merged(shown))
    },
    end() {
      if (hasReturn) queue.push(merged('\r'))
    },
  }
}

function merged(text: string): OutputChunk {
  return { channel: 'merged', bytes: new TextEncoder().encode(text) }
}

function statusOf(exit: RunnerExit, state: State, queue: OutputQueue): ExitStatus {
  switch (exit.kind) {
    case 'exited':
      return state.killedBy === undefined ? exit : { kind: 'killed', signal: state.killedBy, code: exit.code }
    case 'killed':
      return { kind: 'killed', signal: exit.signal }
    case 'timed-out':
      return exit
    case 'stuck':
      return { kind: 'lost', why: unkillable }
    case 'missing':
      queue.push({
        channel: 'stderr',
        bytes: new TextEncoder().encode(`jsh: command not found${exit.why === undefined ? '' : `: ${exit.why}`}\n`),
      })
      return { kind: 'exited', code: 127 }
  }
}

/** The process itself ended. A runner without a report was ended from outside, or never ran. */
function ended(code: number | undefined, state: State, isFramed: boolean): ExitStatus {
  if (state.killedBy !== undefined) return { kind: 'killed', signal: state.killedBy, ...(code === undefined ? {} : { code }) }
  if (code === undefined) return { kind: 'lost', why: 'the container did not say how it ended' }
  if (isFramed)
    return { kind: 'lost', why: `the runner in the container ended with code ${code} and did not say how the command did` }
  return { kind: 'exited', code }
}
