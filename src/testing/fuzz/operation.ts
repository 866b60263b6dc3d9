// Random operations on a filesystem, as plain data, so that a stream of them can be printed, shortened and run again.

import { parsePath, type VfsPath } from '../../core/path.ts'
import type { Random } from '../random.ts'

export type Step =
  | {
      readonly verb: 'write'
      readonly at: VfsPath
      readonly text: string
      readonly create?: 'exclusive' | 'never'
      readonly append?: boolean
      readonly parents?: boolean
      readonly mode?: number
    }
  /** A write based on the current revision, on an old one, or on "does not exist". */
  | { readonly verb: 'write-if'; readonly at: VfsPath; readonly text: string; readonly rev: 'current' | 'old' | 'missing' }
  | { readonly verb: 'mkdir'; readonly at: VfsPath; readonly mode: number }
  | { readonly verb: 'unlink' | 'rmdir' | 'read' | 'list' | 'stat' | 'lstat' | 'readlink' | 'realpath'; readonly at: VfsPath }
  | { readonly verb: 'rename' | 'rename-new' | 'link'; readonly at: VfsPath; readonly to: VfsPath }
  | { readonly verb: 'symlink'; readonly at: VfsPath; readonly target: string }
  | { readonly verb: 'chmod'; readonly at: VfsPath; readonly mode: number }
  | { readonly verb: 'utimes'; readonly at: VfsPath; readonly mtimeMs: number; readonly follow: boolean }

/** Single steps, or several in a batch that is committed or fails at its end. */
export type Operation = Step | { readonly verb: 'batch'; readonly steps: readonly Step[]; readonly isKept: boolean }

const names = ['a', 'b', 'c']
const oddNames = [
  '__proto__',
  'constructor',
  '...',
  ' ',
  'é',
  'e\u0301',
  '\n',
  '💾',
  '-rf',
  'a.b',
  '%2e%2e',
  '\\',
  'n'.repeat(255),
]

// The owner always has all permissions, so that the operating system has no reason to refuse.
const modes = [0o700, 0o755, 0o750, 0o777, 0o711]
const fileModes = [0o600, 0o644, 0o755, 0o700]

const verbs = [
  ...repeated('write', 6),
  ...repeated('mkdir', 6),
  ...repeated('rename', 6),
  ...repeated('symlink', 4),
  ...repeated('write-if', 2),
  ...repeated('unlink', 3),
  ...repeated('rmdir', 2),
  ...repeated('link', 3),
  ...repeated('stat', 2),
  ...(['rename-new', 'chmod', 'utimes', 'read', 'list', 'lstat', 'readlink', 'realpath'] as const),
] as const

function repeated<const T extends Operation['verb']>(value: T, times: number): readonly T[] {
  return Array.from({ length: times }, () => value)
}

export function randomOperation(random: Random): Operation {
  if (!random.chance(0.06)) return randomStep(random)
  const steps = Array.from({ length: 1 + random.below(5) }, () => randomStep(random))
  return { verb: 'batch', steps, isKept: random.chance(0.7) }
}

function randomStep(random: Random): Step {
  const verb = random.pick(verbs)
  const at = randomPath(random)
  switch (verb) {
    case 'write':
      return {
        verb,
        at,
        text: randomText(random),
        ...(random.chance(0.3) ? { append: true } : {}),
        ...(random.chance(0.25) ? { create: random.pick(['exclusive', 'never'] as const) } : {}),
        ...(random.chance(0.1) ? { parents: true } : {}),
        ...(random.chance(0.2) ? { mode: random.pick(fileModes) } : {}),
      }
    case 'write-if':
      return { verb, at, text: randomText(random), rev: random.pick(['current', 'current', 'old', 'missing'] as const) }
    case 'mkdir':
      return { verb, at, mode: random.pick(modes) }
    case 'chmod':
      return { verb, at, mode: random.pick(modes) }
    case 'rename':
    case 'rename-new':
    case 'link':
      // Moves into itself, onto itself and to a parent are what other implementations get wrong.
      return { verb, at, to: random.chance(0.15) ? parsePath(`${at}/${random.pick(names)}`) : randomPath(random) }
    case 'symlink':
      return { verb, at, target: randomTarget(random) }
    case 'utimes':
      return { verb, at, mtimeMs: 1_000_000_000_000 + random.below(1_000_000_000), follow: random.chance(0.5) }
    default:
      return { verb, at }
  }
}

function randomText(random: Random): string {
  return random.chance(0.1) ? '' : random.pick(['x', 'yy', 'line\r\n', '\uFEFFé', 'z'.repeat(30)])
}

function randomName(random: Random): string {
  if (random.chance(0.06)) return '..'
  return random.chance(0.05) ? random.pick(oddNames) : random.pick(names)
}

function randomNames(random: Random, atMost: number): string {
  const rest = Array.from({ length: random.below(atMost) }, () => randomName(random))
  // Paths that begin with '..' are not useful, because nothing is above a root.
  return [random.chance(0.05) ? random.pick(oddNames) : random.pick(names), ...rest].join('/')
}

function randomPath(random: Random): VfsPath {
  return parsePath(random.chance(0.02) ? '/' : `/${randomNames(random, random.pick([1, 2, 2, 3, 4]))}`)
}

function randomTarget(random: Random): string {
  const start = random.pick(['', '', '', '', '/', '/', './', '//', '../'])
  return `${start}${randomNames(random, 3)}${random.chance(0.1) ? '/' : ''}`
}

/** As code, so that a stream that was found can be copied into a table. */
export function print(operations: readonly Operation[]): string {
  return operations.map(operation => `  ${JSON.stringify(operation)},`).join('\n')
}
