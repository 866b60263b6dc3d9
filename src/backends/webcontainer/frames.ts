// Reads the runner's frames from the terminal output: in pieces of any size, with CR LF, and between lines that are not frames.

import { framePrefix } from './runner.ts'

export type RunnerExit =
  | { readonly kind: 'exited'; readonly code: number }
  | { readonly kind: 'killed'; readonly signal: string }
  | { readonly kind: 'timed-out' }
  | { readonly kind: 'missing'; readonly why: string | undefined }
  /** The command survived being killed, and ends only with the container. */
  | { readonly kind: 'stuck' }

export type Frame =
  | { readonly kind: 'output'; readonly channel: 'stdout' | 'stderr'; readonly bytes: Uint8Array }
  | { readonly kind: 'probe'; readonly code: number; readonly output: string }
  | { readonly kind: 'exit'; readonly exit: RunnerExit }
  /** A line that the terminal wrote itself. */
  | { readonly kind: 'noise'; readonly text: string }

/** A frame is at most 4 kB; a line longer than this is endless noise. */
const maxLineCharacters = 64 * 1024

/** `add` returns the frames that `text` completes. */
export function createFrameReader(): { add(text: string): readonly Frame[]; rest(): string } {
  let pending = ''
  return {
    add(text) {
      const lines = (pending + text).split('\n')
      pending = (lines.pop() ?? '').slice(0, maxLineCharacters)
      return lines.map(line => frameOf(line.replace(/\r+$/, '')))
    },
    rest: () => pending,
  }
}

function frameOf(line: string): Frame {
  // A prompt or an echo of the terminal may precede it.
  const start = line.indexOf(framePrefix)
  const noise: Frame = { kind: 'noise', text: line }
  if (start === -1) return noise
  let data: unknown
  try {
    data = JSON.parse(line.slice(start + framePrefix.length))
  } catch {
    return noise
  }
  return output(data) ?? probe(data) ?? exit(data) ?? noise
}

function output(data: unknown): Frame | undefined {
  const [channel, base64] = [field(data, 'c'), field(data, 'b')]
  if ((channel !== 1 && channel !== 2) || typeof base64 !== 'string') return undefined
  try {
    const bytes = Uint8Array.from(atob(base64), character => character.charCodeAt(0))
    return { kind: 'output', channel: channel === 1 ? 'stdout' : 'stderr', bytes }
  } catch {
    return undefined
  }
}

function probe(data: unknown): Frame | undefined {
  const [code, text] = [field(field(data, 'p'), 'code'), field(field(data, 'p'), 'output')]
  return typeof code === 'number' && typeof text === 'string' ? { kind: 'probe', code, output: text } : undefined
}

function exit(data: unknown): Frame | undefined {
  const found = field(data, 'x')
  const [code, signal, why] = [field(found, 'code'), field(found, 'signal'), field(found, 'why')]
  if (typeof code === 'number') return { kind: 'exit', exit: { kind: 'exited', code } }
  if (typeof signal === 'string') return { kind: 'exit', exit: { kind: 'killed', signal } }
  if (field(found, 'timedOut') === true) return { kind: 'exit', exit: { kind: 'timed-out' } }
  if (field(found, 'stuck') === true) return { kind: 'exit', exit: { kind: 'stuck' } }
  if (field(found, 'missing') === true)
    return { kind: 'exit', exit: { kind: 'missing', why: typeof why === 'string' ? why : undefined } }
  return undefined
}

function field(value: unknown, name: string): unknown {
  return typeof value === 'object' && value !== null && Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined
}
