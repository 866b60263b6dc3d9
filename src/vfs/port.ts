// The filesystem port as a value: one row for each primitive. Code that forwards all primitives, or all that change something, is derived
// from this table, so that a new primitive or argument is written once.

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
  /** The system call in the error of a call that is refused before it starts. */
  readonly syscall: string
}

/** Every primitive of the port. A bundle leaves this table out if it only needs the names. */
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

/** Some or all of the primitives. A mapped type, so that the compiler derives arguments and result from a name. */
export type Synchronous<N extends PrimitiveName = PrimitiveName> = {
  readonly [K in N]: (...args: PrimitiveArguments[K]) => PrimitiveResults[K]
}

/** The same, each answering in a promise. */
export type Waiting<N extends PrimitiveName = PrimitiveName> = {
  readonly [K in N]: (...args: PrimitiveArguments[K]) => Promise<PrimitiveResults[K]>
}

type MapPrimitives = <N extends PrimitiveName>(
  names: readonly N[],
  answer: <K extends N>(name: K, args: PrimitiveArguments[K]) => PrimitiveResults[K],
) => Synchronous<N>

type MapWaiting = <N extends PrimitiveName>(
  names: readonly N[],
  answer: <K extends N>(name: K, args: PrimitiveArguments[K]) => Promise<PrimitiveResults[K]>,
) => Waiting<N>

/**
 * Makes the primitives `names`: each calls `answer` with its own name and arguments.
 *
 * @example
 * mapPrimitives(primitiveNames, (name, args) => callPrimitive(inner, name, args))
 */
export const mapPrimitives: MapPrimitives = mapNames as MapPrimitives

/** The same for primitives that answer in promises. */
export const mapWaiting: MapWaiting = mapNames as MapWaiting

/** `fromEntries` cannot tell which function belongs to which key, so the two names above declare it. */
function mapNames<N extends PrimitiveName>(names: readonly N[], answer: (name: N, args: never) => unknown): unknown {
  return Object.fromEntries(names.map(name => [name, (...args: never) => answer(name, args)]))
}

/** Primitives without their types, to call one by a name that is a variable. None takes more than three arguments. */
export type Untyped = Readonly<Record<PrimitiveName, (first: unknown, second?: unknown, third?: unknown) => unknown>>

/**
 * Makes the primitives `names`: each calls the same one of the filesystem that `inner` returns. Such a call takes half the time of one
 * through `mapPrimitives`, because no array of arguments is made.
 */
export function forwarded<N extends PrimitiveName>(names: readonly N[], inner: () => Synchronous<N>): Synchronous<N> {
  const fs = inner as unknown as () => Untyped
  const made: Partial<Untyped> = Object.fromEntries(
    names.map(name => [name, (first: unknown, second?: unknown, third?: unknown) => fs()[name](first, second, third)]),
  )
  return made as Synchronous<N>
}

export function callPrimitive<N extends PrimitiveName, K extends N>(
  fs: Synchronous<N>,
  name: K,
  args: PrimitiveArguments[K],
): PrimitiveResults[K] {
  return fs[name](...args)
}

/** The same for primitives that return a promise. */
export function callWaiting<N extends PrimitiveName, K extends N>(
  fs: Waiting<N>,
  name: K,
  args: PrimitiveArguments[K],
): Promise<PrimitiveResults[K]> {
  return fs[name](...args)
}

/** The arguments of one call with every path in them replaced. */
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

/** The paths in the arguments of one call, in order. */
export function pathsOf<K extends PrimitiveName>(name: K, args: PrimitiveArguments[K]): readonly VfsPath[] {
  return primitives[name].paths.map(index => args[index] as VfsPath)
}

/** A copy of the arguments for later use. A caller may change its byte array after its call has returned, so that array is copied. */
export function keptArguments<K extends PrimitiveName>(args: PrimitiveArguments[K]): PrimitiveArguments[K] {
  return args.map(value => (ArrayBuffer.isView(value) ? new Uint8Array(value as Uint8Array) : value)) as PrimitiveArguments[K]
}
