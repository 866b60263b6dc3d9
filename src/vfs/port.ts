// The filesystem port as a value: one row for each primitive. Whatever forwards all primitives, or all that change something, is
// derived from this table, so that a new primitive or argument is written once.

import type { VfsPath } from '../core/path.ts'
import type { VfsSync } from './backend.ts'

/** The primitives that change nothing. */
export const readingNames = ['lookup', 'list', 'read', 'readlink', 'realpath'] as const

/** The primitives that change something. */
export const changingNames = ['write', 'mkdir', 'remove', 'rename', 'link', 'symlink', 'setattr'] as const

export type ReadingName = (typeof readingNames)[number]
export type ChangingName = (typeof changingNames)[number]
export type PrimitiveName = ReadingName | ChangingName

export const primitiveNames: readonly PrimitiveName[] = [...readingNames, ...changingNames]

interface PrimitiveRow {
  /** Positions of the arguments that are paths. */
  readonly paths: readonly (0 | 1)[]
  /** The system call that an error names when the call is refused before anything was looked at. */
  readonly syscall: string
}

/** Every primitive of the port. Where only the names are needed, a bundle leaves this out. */
export const primitives: { readonly [K in keyof VfsSync]: PrimitiveRow } = {
  lookup: { paths: [0], syscall: 'stat' },
  list: { paths: [0], syscall: 'scandir' },
  read: { paths: [0], syscall: 'open' },
  readlink: { paths: [0], syscall: 'readlink' },
  realpath: { paths: [0], syscall: 'realpath' },
  write: { paths: [0], syscall: 'open' },
  mkdir: { paths: [0], syscall: 'mkdir' },
  remove: { paths: [0], syscall: 'unlink' },
  rename: { paths: [0, 1], syscall: 'rename' },
  link: { paths: [0, 1], syscall: 'link' },
  // The target of a symlink is text, not a path.
  symlink: { paths: [1], syscall: 'symlink' },
  setattr: { paths: [0], syscall: 'chmod' },
}

export type PrimitiveArguments = { readonly [K in PrimitiveName]: Parameters<VfsSync[K]> }
export type PrimitiveResults = { readonly [K in PrimitiveName]: ReturnType<VfsSync[K]> }

/** Some of the primitives, or all. Written as a map, which lets the compiler follow a name to its arguments and its result. */
export type Synchronous<N extends PrimitiveName = PrimitiveName> = {
  readonly [K in N]: (...args: PrimitiveArguments[K]) => PrimitiveResults[K]
}

/** The same, each answering in a promise. */
export type Waiting<N extends PrimitiveName = PrimitiveName> = {
  readonly [K in N]: (...args: PrimitiveArguments[K]) => Promise<PrimitiveResults[K]>
}

/**
 * Makes the primitives `names`: each calls `answer` with its own name and arguments.
 *
 * @example
 * mapPrimitives(primitiveNames, (name, args) => callPrimitive(inner, name, args))
 */
export function mapPrimitives<N extends PrimitiveName>(
  names: readonly N[],
  answer: <K extends N>(name: K, args: PrimitiveArguments[K]) => PrimitiveResults[K],
): Synchronous<N> {
  return mapNames(names, answer) as Synchronous<N>
}

/** The same for primitives that answer in promises. */
export function mapWaiting<N extends PrimitiveName>(
  names: readonly N[],
  answer: <K extends N>(name: K, args: PrimitiveArguments[K]) => Promise<PrimitiveResults[K]>,
): Waiting<N> {
  return mapNames(names, answer) as Waiting<N>
}

/** `fromEntries` cannot tell which function belongs to which key: the two functions above, which only forward, say it. */
function mapNames<N extends PrimitiveName>(names: readonly N[], answer: (name: N, args: never) => unknown): unknown {
  return Object.fromEntries(names.map(name => [name, (...args: never) => answer(name, args)]))
}

/** Calls the primitive `name`. */
export function callPrimitive<N extends PrimitiveName, K extends N>(
  fs: Synchronous<N>,
  name: K,
  args: PrimitiveArguments[K],
): PrimitiveResults[K] {
  return fs[name](...args)
}

/** The same where it answers in a promise. */
export function callWaiting<N extends PrimitiveName, K extends N>(
  fs: Waiting<N>,
  name: K,
  args: PrimitiveArguments[K],
): Promise<PrimitiveResults[K]> {
  return fs[name](...args)
}

/** The arguments of one call with every path among them replaced. */
export function withPaths<K extends PrimitiveName>(
  name: K,
  args: PrimitiveArguments[K],
  replace: (path: VfsPath) => VfsPath,
): PrimitiveArguments[K] {
  const replaced: unknown[] = [...args]
  for (const index of primitives[name].paths) replaced[index] = replace(replaced[index] as VfsPath)
  return replaced as PrimitiveArguments[K]
}

export function isReading(name: PrimitiveName): name is ReadingName {
  return (readingNames as readonly PrimitiveName[]).includes(name)
}

/** The paths among the arguments of one call, in order. */
export function pathsOf<K extends PrimitiveName>(name: K, args: PrimitiveArguments[K]): readonly VfsPath[] {
  return primitives[name].paths.map(index => args[index] as VfsPath)
}

/** Arguments for later. A caller may change its byte array as soon as its call has returned, so that array is copied. */
export function keptArguments<K extends PrimitiveName>(args: PrimitiveArguments[K]): PrimitiveArguments[K] {
  return args.map(value => (value instanceof Uint8Array ? new Uint8Array(value) : value)) as PrimitiveArguments[K]
}
