// The verbs of a filesystem that take and give plain data, by name, each with its own reading of the arguments. Maps and not objects:
// a verb named `constructor` is simply not there.

import { AnchorageError } from '../core/errors.ts'
import type { BatchFs, Vfs, VfsSnapshot } from '../vfs/vfs.ts'
import { giveBytes } from './bytes.ts'
import { asData, asNumber, asOptionalText, asOptions, asText } from './checks.ts'

type Arguments = readonly unknown[]
export type VerbTable<F> = ReadonlyMap<string, (fs: F, args: Arguments) => Promise<unknown>>

type Readable = Pick<VfsSnapshot, 'readFile' | 'readText' | 'stat' | 'lstat' | 'readdir' | 'exists'>

const path = (args: Arguments): string => asText(args[0], 'path')
const range = (args: Arguments): { start?: number; end?: number } | undefined =>
  asOptions(args[1], { start: 'number', end: 'number' }, 'range')

const readVerbs: readonly [string, (fs: Readable, args: Arguments) => Promise<unknown>][] = [
  ['readFile', async (fs, args) => giveBytes(await fs.readFile(path(args), range(args)))],
  ['readText', (fs, args) => fs.readText(path(args))],
  ['stat', (fs, args) => fs.stat(path(args))],
  ['lstat', (fs, args) => fs.lstat(path(args))],
  ['readdir', (fs, args) => fs.readdir(path(args))],
  ['exists', (fs, args) => fs.exists(path(args))],
]

const writeFields = {
  mode: 'number',
  create: ['if-missing', 'exclusive', 'never'],
  ifRev: 'number',
  append: 'boolean',
  parents: 'boolean',
} as const
const mkdirFields = { recursive: 'boolean', mode: 'number' } as const
const rmFields = { recursive: 'boolean', force: 'boolean', emptyDirectory: 'boolean' } as const
const recursiveForce = { recursive: 'boolean', force: 'boolean' } as const

const changeVerbs: readonly [string, (fs: BatchFs, args: Arguments) => Promise<unknown>][] = [
  ['writeFile', (fs, args) => fs.writeFile(path(args), asData(args[1], 'data'), asOptions(args[2], writeFields, 'options'))],
  ['mkdir', (fs, args) => fs.mkdir(path(args), asOptions(args[1], mkdirFields, 'options'))],
  ['rm', (fs, args) => fs.rm(path(args), asOptions(args[1], rmFields, 'options'))],
  ['rename', (fs, args) => fs.rename(asText(args[0], 'from'), asText(args[1], 'to'))],
  ['symlink', (fs, args) => fs.symlink(asText(args[0], 'target'), asText(args[1], 'path'))],
  ['readlink', (fs, args) => fs.readlink(path(args))],
  ['realpath', (fs, args) => fs.realpath(path(args))],
  ['chmod', (fs, args) => fs.chmod(path(args), asNumber(args[1], 'mode'))],
  ['utimes', (fs, args) => fs.utimes(path(args), asNumber(args[1], 'mtimeMs'))],
]

export const snapshotVerbs: VerbTable<Readable> = new Map(readVerbs)

export const batchVerbs: VerbTable<BatchFs> = new Map([...readVerbs, ...changeVerbs])

export const fileVerbs: VerbTable<Vfs> = new Map<string, (fs: Vfs, args: Arguments) => Promise<unknown>>([
  ...readVerbs,
  ...changeVerbs,
  ['caps', (fs, args) => fs.caps(asOptionalText(args[0], 'path'))],
  ['copy', (fs, args) => fs.copy(asText(args[0], 'from'), asText(args[1], 'to'), asOptions(args[2], recursiveForce, 'options'))],
  ['link', (fs, args) => fs.link(asText(args[0], 'existing'), asText(args[1], 'path'))],
  ['usage', fs => fs.usage()],
  ['flush', fs => fs.flush()],
])

/** Runs one verb of `table`, or throws `wire-refused` for a name that is not in it. */
export async function runVerb<F>(table: VerbTable<F>, fs: F, verb: unknown, args: Arguments): Promise<unknown> {
  const run = table.get(asText(verb, 'verb'))
  if (run === undefined) {
    throw new AnchorageError(
      'wire-refused',
      `There is no filesystem function ${JSON.stringify(verb)}. Next: use one of ${[...table.keys()].join(', ')}.`,
    )
  }
  return await run(fs, args)
}
