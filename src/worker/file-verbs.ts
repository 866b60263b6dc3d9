// The filesystem's part of the wire: every function with plain data as arguments and result, and how the worker reads its arguments. The
// types come from the filesystem's interface, so a missing or wrong row does not compile. The worker's side and the page's side derive from
// these tables.

import { AnchorageError } from '../core/errors.ts'
import { isRecord } from '../core/record.ts'
import type { BatchFs, Vfs, VfsSnapshot } from '../vfs/vfs.ts'
import { giveBytes, sendBytes } from './bytes.ts'
import { asData, asNumber, asOptionalText, asOnlyOptions, asText } from './checks.ts'
import type { Reader } from './protocol.ts'

type Method = (...args: never[]) => Promise<unknown>

/** Functions with live arguments or results are in `protocol.ts`; `dispose` closes live objects. */
type LiveFunction = 'walk' | 'watch' | 'hash' | 'batch' | 'snapshot' | 'diff' | 'dispose'

/** The functions of `F` that have a row in a table. */
export type PlainFunctions<F> = {
  readonly [K in keyof F as K extends LiveFunction ? never : F[K] extends Method ? K : never]: F[K]
}

export type FileVerbs<F> = { readonly [K in keyof PlainFunctions<F>]: Readers<F[K]> }

type Readers<F> = F extends (...args: infer A) => unknown ? ReadersOf<A> : never

type ReadersOf<A extends readonly unknown[]> = { readonly [I in keyof A]-?: Reader<A[I]> }

const text =
  (what: string): Reader<string> =>
  value =>
    asText(value, what)

const number =
  (what: string): Reader<number> =>
  value =>
    asNumber(value, what)

const optionalNumber =
  (what: string): Reader<number | undefined> =>
  value =>
    value === undefined ? undefined : asNumber(value, what)

const path = text('path')

const recursiveForce = { recursive: 'boolean', force: 'boolean' } as const

const readingVerbs: FileVerbs<VfsSnapshot> = {
  readFile: [path, value => asOnlyOptions(value, { start: 'number', end: 'number' }, 'range')],
  readText: [path],
  read: [path],
  stat: [path],
  lstat: [path],
  readdir: [path],
  exists: [path],
  readlink: [path],
}

export const snapshotVerbs: FileVerbs<VfsSnapshot> = readingVerbs

export const batchVerbs: FileVerbs<BatchFs> = {
  ...readingVerbs,
  writeFile: [
    path,
    value => asData(value, 'data'),
    value =>
      asOnlyOptions(
        value,
        {
          mode: 'number',
          create: ['if-missing', 'exclusive', 'never'],
          ifRev: 'number',
          append: 'boolean',
          parents: 'boolean',
          transfer: 'boolean',
        },
        'options',
      ),
  ],
  mkdir: [path, value => asOnlyOptions(value, { recursive: 'boolean', mode: 'number' }, 'options')],
  rm: [path, value => asOnlyOptions(value, { ...recursiveForce, emptyDirectory: 'boolean' }, 'options')],
  rename: [text('from'), text('to')],
  symlink: [text('target'), path],
  realpath: [path],
  chmod: [path, number('mode')],
  utimes: [path, number('mtimeMs'), optionalNumber('atimeMs')],
}

export const fileVerbs: FileVerbs<Vfs> = {
  ...batchVerbs,
  caps: [value => asOptionalText(value, 'path')],
  copy: [text('from'), text('to'), value => asOnlyOptions(value, recursiveForce, 'options')],
  link: [text('existing'), path],
  usage: [],
  flush: [],
}

type AnyReaders = readonly Reader<unknown>[]

/** The worker's side: calls one function of `files`, or throws `wire-refused` for a name that is not in the table. */
export async function runVerb<F>(verbs: FileVerbs<F>, files: F, verb: string, args: readonly unknown[]): Promise<unknown> {
  if (!Object.hasOwn(verbs, verb)) {
    throw new AnchorageError(
      'wire-refused',
      `There is no function ${JSON.stringify(verb)}. Next: use one of ${Object.keys(verbs).join(', ')}.`,
    )
  }
  const readers: AnyReaders = Reflect.get(verbs, verb)
  const method: (...args: readonly unknown[]) => Promise<unknown> = Reflect.get(Object(files), verb)
  const [unread] = args.slice(readers.length)
  if (isRecord(unread)) asOnlyOptions(unread, {}, 'options')
  const result = await method.apply(
    files,
    readers.map((read, index) => read(args[index])),
  )
  return result instanceof Uint8Array ? giveBytes(result) : result
}

/** The page's side: each function of the table sends its arguments. */
export function sendingVerbs<F>(
  verbs: FileVerbs<F>,
  send: (verb: string, args: readonly unknown[]) => Promise<unknown>,
): PlainFunctions<F> {
  const functions = Object.keys(verbs).map(
    verb => [verb, async (...args: unknown[]) => await send(verb, sendBytes(args, args.some(isTransfer)))] as const,
  )
  // The worker calls the function of the same name on an object of this type.
  return Object.fromEntries(functions) as unknown as PlainFunctions<F>
}

function isTransfer(argument: unknown): boolean {
  return isRecord(argument) && argument['transfer'] === true
}
