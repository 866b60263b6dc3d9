// Starts the runner in the container: how a job becomes a process there, and how its terminal output is read.

import { AnchorageError } from '../../core/errors.ts'
import { createFrameReader, type Frame } from './frames.ts'
import type { ContainerLink } from './link.ts'
import { runnerPath, runtimeFolder, type RunnerJob } from './runner.ts'
import type { ProcessSpec } from './wire.ts'
import { pushAll } from '../../core/many.ts'

/** A longer job is written to a file, because the maximum length of an argument is unknown. */
const maxArgumentBytes = 16 * 1024
const encoder = new TextEncoder()
let jobs = 0

/** `cwd` is relative to the container's working directory. */
export function runnerSpec(job: RunnerJob, cwd: string, env: Readonly<Record<string, string>>, workdir: string): ProcessSpec {
  const bytes = encoder.encode(JSON.stringify(job))
  const isLong = bytes.length > maxArgumentBytes
  const path = `${runtimeFolder}/job-${crypto.randomUUID().slice(0, 8)}-${++jobs}.json`
  return {
    command: 'node',
    args: [`${workdir}/${runnerPath}`, isLong ? `@${workdir}/${path}` : toBase64(bytes)],
    cwd,
    env: { ...quietTerminal, ...env },
    // Wide, so that the terminal does not break lines.
    terminal: { columns: 250, rows: 50 },
    ...(isLong ? { jobFile: { path, bytes } } : {}),
  }
}

/** Disables colours and progress bars in programs that check these. */
const quietTerminal: Readonly<Record<string, string>> = { NO_COLOR: '1', TERM: 'dumb', CI: '1' }

export interface ProbeResult {
  readonly code: number
  readonly output: string
}

/** The results of a job of probes; `undefined` if the runner does not work in this container. */
export async function runFramed(
  link: ContainerLink,
  job: RunnerJob,
  timeoutMs: number,
): Promise<readonly ProbeResult[] | undefined> {
  const { workdir } = await link.facts
  let process: number
  try {
    process = await link.call('start', [runnerSpec(job, '', {}, workdir)])
  } catch (error) {
    if (link.ended !== undefined) throw link.ended
    if (error instanceof AnchorageError) return undefined
    throw error
  }
  const frames: Frame[] = []
  const reader = createFrameReader()
  const ended = new Promise<void>(resolve => {
    link.listenTo(process, {
      output: text => {
        link.call('taken', [process, text.length]).catch(() => {})
        pushAll(frames, reader.add(text))
        if (frames.some(({ kind }) => kind === 'exit')) resolve()
      },
      exit: () => resolve(),
      lost: () => resolve(),
    })
  })
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>(resolve => {
    timer = setTimeout(resolve, timeoutMs)
  })
  await Promise.race([ended, late])
  clearTimeout(timer)
  if (link.ended !== undefined) throw link.ended
  if (!frames.some(({ kind }) => kind === 'exit')) {
    await link.call('kill', [process])
    return undefined
  }
  return frames.flatMap(frame => (frame.kind === 'probe' ? [{ code: frame.code, output: frame.output }] : []))
}

export function toBase64(bytes: Uint8Array): string {
  const parts: string[] = []
  for (let at = 0; at < bytes.length; at += 8192) parts.push(String.fromCharCode(...bytes.subarray(at, at + 8192)))
  return btoa(parts.join(''))
}
