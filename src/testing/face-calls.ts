// Random calls of the synchronous, callback and promise functions of `fs`, with right, unusual and wrong arguments, on a tree that they
// change. A call is chosen without looking at a filesystem, so that the same calls run on several.

import { isDeepStrictEqual } from 'node:util'
import { seenStat, shown } from './handle-steps.ts'
import { losesTarget, type WholeFs } from './node-fs-subjects.ts'
import { createRandom, type Random } from './random.ts'
import {
  buffer,
  data,
  descriptor,
  encodingOptions,
  modes,
  mostly,
  names,
  pickFlags,
  place,
  plainPlace,
  removable,
  some,
  statOptions,
  times,
  withOptions,
} from './face-arguments.ts'

/** What the calls of one run share. */
export interface FaceRun {
  readonly fs: WholeFs
  readonly root: string
  /** Open descriptors. */
  readonly descriptors: number[]
}

export interface FaceCall {
  readonly text: string
  readonly act: (run: FaceRun) => Promise<unknown>
}

type Make = (random: Random, run: FaceRun) => readonly unknown[]
type AnyCall = (...args: readonly unknown[]) => unknown

/** By the name of the promise or callback function; the synchronous one has `Sync` behind it. */
const calls: Readonly<Record<string, Make>> = {
  access: (r, run) => some(r, place(r, run), mostly(r, [0, 1, 2, 4, 7, undefined, null, 8])),
  appendFile: (r, run) =>
    some(
      r,
      place(r, run),
      data(r),
      mostly(r, [...encodingOptions(r), { mode: r.pick(modes) }, { flag: pickFlags(r) }, { flush: mostly(r, [true, false]) }]),
    ),
  chmod: (r, run) => some(r, place(r, run), mostly(r, modes)),
  chown: (r, run) => [place(r, run), mostly(r, [-1]), r.pick([-1, 1.5, 'x'])],
  copyFile: (r, run) => [
    place(r, run, ['e', 'l', 'd/f', 'none', 'gone', 'e/', 'up/g']),
    place(r, run),
    ...some(r, mostly(r, [0, 1, 2, undefined, null, 9])).slice(r.below(2)),
  ],
  exists: (r, run) => [place(r, run)],
  lchown: (r, run) => [place(r, run), r.pick([-1, null]), r.pick([-1, 1.5, 'x'])],
  link: (r, run) =>
    some(
      r,
      place(
        r,
        run,
        names.filter(name => !/^(l|dl|gone|loop|up)$/.test(name)),
      ),
      place(r, run),
    ),
  lstat: (r, run) => withOptions(r, place(r, run), statOptions),
  lutimes: (r, run) => [place(r, run), mostly(r, times), mostly(r, times)],
  mkdir: (r, run) =>
    withOptions(r, place(r, run), [
      0o700,
      '700',
      { recursive: true },
      { recursive: true, mode: 0o711 },
      { recursive: 1 },
      { mode: 'z' },
      { mode: 0o750 },
    ]),
  mkdtemp: (r, run) => withOptions(r, plainPlace(r, run, ['d/t-', 'none/t-', 'e/t-', 't-é']), encodingOptions(r)),
  open: (r, run) => some(r, place(r, run), pickFlags(r), mostly(r, modes)),
  opendir: (r, run) =>
    withOptions(r, plainPlace(r, run), [...encodingOptions(r), { bufferSize: r.pick([1, 4]) }, { recursive: true }]),
  readFile: (r, run) =>
    withOptions(r, r.chance(0.2) ? descriptor(r, run) : place(r, run), [...encodingOptions(r), { flag: pickFlags(r) }]),
  readdir: (r, run) =>
    withOptions(
      r,
      plainPlace(
        r,
        run,
        names.filter(name => name !== 'd/..'),
      ),
      [
        ...encodingOptions(r),
        { withFileTypes: true },
        { recursive: true },
        { withFileTypes: true, recursive: true },
        { withFileTypes: true, encoding: 'buffer' },
      ],
    ),
  readlink: (r, run) => withOptions(r, place(r, run), encodingOptions(r)),
  realpath: (r, run) => withOptions(r, plainPlace(r, run), encodingOptions(r)),
  // Linux sees that one of two names is '.' before it sees that the other is too long.
  rename: (r, run) =>
    some(
      r,
      place(
        r,
        run,
        names.filter(name => name.length < 100),
      ),
      place(r, run),
    ),
  rm: (r, run) =>
    withOptions(r, plainPlace(r, run, removable), [
      { force: true },
      { recursive: true },
      { recursive: true, force: true },
      { recursive: 'x' },
      { maxRetries: mostly(r, [0]) },
      { retryDelay: mostly(r, [1]) },
    ]),
  rmdir: (r, run) => withOptions(r, place(r, run), [{}, { maxRetries: mostly(r, [0]) }, { recursive: false }]),
  stat: (r, run) => withOptions(r, place(r, run), statOptions),
  statfs: (r, run) => withOptions(r, place(r, run), [{}, { bigint: true }]),
  symlink: (r, run) =>
    some(
      r,
      mostly(r, ['e', 'none', '../x', 'd', '', Buffer.from('d/f')]),
      place(r, run),
      mostly(r, [undefined, null, 'file', 'dir', 'junction', 'zz']),
    ),
  truncate: (r, run) => some(r, place(r, run), mostly(r, [0, 2, 20, undefined, null, -3])),
  unlink: (r, run) => [place(r, run)],
  utimes: (r, run) => [place(r, run), mostly(r, times), mostly(r, times)],
  writeFile: (r, run) =>
    some(
      r,
      r.chance(0.15) ? descriptor(r, run) : place(r, run),
      data(r),
      mostly(r, [...encodingOptions(r), { mode: r.pick(modes) }, { flag: pickFlags(r) }, { flush: mostly(r, [true, false]) }]),
    ),
  close: () => [],
  fchmod: (r, run) => [descriptor(r, run), mostly(r, modes)],
  fchown: (r, run) => [descriptor(r, run), r.pick([-1, null]), r.pick([-1, 'x'])],
  fdatasync: (r, run) => [descriptor(r, run)],
  fstat: (r, run) => withOptions(r, descriptor(r, run), statOptions),
  fsync: (r, run) => [descriptor(r, run)],
  ftruncate: (r, run) => some(r, descriptor(r, run), mostly(r, [0, 4, 12, undefined, null, -2])),
  futimes: (r, run) => [descriptor(r, run), mostly(r, times), mostly(r, times)],
  read: (r, run) => [
    descriptor(r, run),
    buffer(r),
    ...r.pick<readonly unknown[]>([
      [],
      [0, r.pick([1, 2, 5]), r.pick([null, 0, 3, -1, undefined])],
      [{ length: r.pick([1, 2, 9]), position: r.pick([null, 1, 2]) }],
    ]),
  ],
  readv: (r, run) => some(r, descriptor(r, run), mostly(r, [[buffer(r)], [buffer(r), buffer(r)], []]), mostly(r, [null, 0, 2])),
  write: (r, run) => [
    descriptor(r, run),
    data(r),
    ...r.pick<readonly unknown[]>([
      [],
      [mostly(r, [0, 1, null])],
      [mostly(r, [0, null]), mostly(r, [1, 'utf8', 'hex', 'nope'])],
      [{ position: r.pick([null, 1]) }],
    ]),
  ],
  writev: (r, run) =>
    some(r, descriptor(r, run), mostly(r, [[buffer(r)], [buffer(r), Buffer.from('v')], []]), mostly(r, [null, 0, 2])),
}

const faces = ['Sync', 'Sync', 'callback', 'promises'] as const

export function faceCall(random: Random): FaceCall {
  const name = random.pick(Object.keys(calls))
  const picked = random.pick(faces)
  // Only memory knows its size at once.
  const face = picked === 'Sync' && name === 'statfs' ? 'callback' : picked
  const seed = random.below(2 ** 31)
  const isOfDescriptor = /^(close|f[cdsu][a-z]+|read|readv|write|writev|ftruncate)$/.test(name)
  const used = face === 'promises' && (isOfDescriptor || name === 'exists') ? 'callback' : face
  const make = (run: FaceRun): readonly unknown[] => calls[name]?.(createRandom(seed), run) ?? []
  const text = make({ root: '', descriptors: [] } as unknown as FaceRun)
    .map(shown)
    .join(', ')
  return {
    text: `${used} ${name}(${text})`,
    async act(run) {
      const args = name === 'close' ? closing(createRandom(seed), run) : make(run)
      // A number is a descriptor of the process, or a wrong path.
      if (used === 'promises' && typeof args[0] === 'number') return 'not called'
      if (name === 'copyFile' && losesTarget(run.fs, args[0])) return 'not called'
      // Of a descriptor that it cannot read Node 20 calls back with no bytes, or throws what nobody can catch.
      if (used === 'callback' && name === 'readFile' && typeof args[0] === 'number' && !isReadable(run.fs, args[0]))
        return 'not called'
      try {
        return noted(run, name, await called(run, name, used, args))
      } catch (error) {
        throw error instanceof Error ? withoutMachine(error, name, used) : error
      }
    },
  }
}

function isReadable(fs: WholeFs, descriptor: number): boolean {
  try {
    fs.readSync(descriptor, new Uint8Array(1), 0, 1, 0)
    return true
  } catch {
    return false
  }
}

/** Without random names, and without what Node 20 leaves out or words otherwise because it checks it in its native part. */
function withoutMachine(error: Error, name: string, face: string): Error {
  const { path, code } = error as { readonly path?: string; readonly code?: string }
  const isOfDescriptor = error.message.includes('"fd"')
  const isPathLost = name === 'opendir' && face === 'Sync'
  const plain = (text: string): string => text.replace(/\/t-(é?)[0-9a-zA-Z]{6}/, '/t-$1XXXXXX')
  const message = isPathLost
    ? error.message.replace(/, opendir .*$/, ', opendir')
    : isOfDescriptor
      ? error.message.replaceAll('_', '')
      : plain(error.message)
  const facts = { code, message, toString: () => (isOfDescriptor || isPathLost ? message : plain(String(error))) }
  const copy = Object.assign(Object.create(error) as Error, facts)
  return path === undefined ? copy : Object.assign(copy, { path: isPathLost ? undefined : plain(path) })
}

function closing(random: Random, run: FaceRun): readonly unknown[] {
  if (random.chance(0.3)) return [random.pick([undefined, null, -1, 1.5, Number.NaN, 2 ** 31, 9_999_999, '3', {}])]
  return [run.descriptors.pop() ?? 9_999_999]
}

/** The result, or everything that the callback got. */
async function called({ fs }: FaceRun, name: string, face: (typeof faces)[number], args: readonly unknown[]): Promise<unknown> {
  if (face === 'Sync') return (Reflect.get(fs, `${name}Sync`) as AnyCall)(...args)
  if (face === 'promises') return (Reflect.get(fs.promises, name) as AnyCall)(...args)
  // Descriptors given as undefined would put the callback in their place, as in any program.
  const given = await new Promise<readonly unknown[]>((resolve, reject) => {
    try {
      ;(Reflect.get(fs, name) as AnyCall)(...args, (...answer: readonly unknown[]) => resolve(answer))
    } catch (error) {
      reject(error)
    }
  })
  const [error, ...results] = given
  if (error instanceof Error) throw error
  return ['called back', error, ...results]
}

/** Remembers descriptors, and leaves out of the answer what the machine chooses. */
function noted(run: FaceRun, name: string, result: unknown): unknown {
  if (Array.isArray(result) && result[0] === 'called back')
    return ['called back', result[1], ...result.slice(2).map(value => noted(run, name, value))]
  if (name === 'open' && typeof result === 'number') {
    run.descriptors.push(result)
    return 'a descriptor'
  }
  if (name === 'open') return closed(result as { close(): Promise<void> })
  if (name === 'opendir') return entriesOf(result)
  if (name === 'mkdtemp') return temporaryName(run, result)
  if (name === 'readdir') return sorted(result as readonly unknown[])
  if (name === 'statfs')
    return [
      (result as object).constructor.name,
      ...Object.entries(result as object)
        .filter(([key]) => key !== 'frsize')
        .map(([key, value]) => `${key}: ${typeof value}`),
    ]
  return shortStat(seenStat(result))
}

/** A directory's size is the machine's. */
function shortStat(value: unknown): unknown {
  if (!Array.isArray(value) || !String(value[0]).endsWith('Stats')) return value
  const [name, size, mode, nlink, uid, gid, time] = value as readonly unknown[]
  const kind = Number(mode) & 0o170000
  return kind === 0o100000 ? [name, size, mode, nlink, uid, gid, time] : [name, typeof size, kind === 0o120000 ? kind : mode]
}

async function closed(handle: { close(): Promise<void> }): Promise<unknown> {
  await handle.close()
  return handle.constructor.name
}

interface AnyDir {
  readonly path: unknown
  readSync(): unknown
  closeSync(): void
}

function entriesOf(result: unknown): unknown {
  const directory = result as AnyDir
  const found: unknown[] = []
  for (let entry = directory.readSync(); entry !== null; entry = directory.readSync()) found.push(entry)
  directory.closeSync()
  return [directory.constructor.name, directory.path, sorted(found)]
}

/** The name is random, so nothing stays there. */
function temporaryName({ fs, root }: FaceRun, result: unknown): unknown {
  const text = Buffer.isBuffer(result) ? result.toString() : String(result)
  for (const directory of [root, `${root}/d`, `${root}/e`, `${root}/none`]) {
    for (const name of fs.statSync(directory, { throwIfNoEntry: false })?.isDirectory() ? fs.readdirSync(directory) : []) {
      if (/^t-é?[0-9a-zA-Z]{6}$/.test(name)) fs.rmdirSync(`${directory}/${name}`)
    }
  }
  return [typeof result, text.length, /[0-9a-zA-Z]{6}$/.test(text)]
}

interface AnyEntry {
  readonly name: unknown
  readonly parentPath: unknown
  isFile(): boolean
  isDirectory(): boolean
  isSymbolicLink(): boolean
}

/** Listings have no order in Linux. */
function sorted(values: readonly unknown[]): unknown {
  const seen = values.map(value => {
    if (typeof value !== 'object' || value === null || !('isFile' in value)) return value
    const entry = value as AnyEntry
    return [
      entry.constructor.name,
      typeof entry.name === 'string' ? entry.name.replace(/^t-(é?)[0-9a-zA-Z]{6}$/, 't-$1XXXXXX') : entry.name,
      entry.parentPath,
      entry.isFile(),
      entry.isDirectory(),
      entry.isSymbolicLink(),
    ]
  })
  const key = (value: unknown): string => (Buffer.isBuffer(value) ? value.toString('latin1') : JSON.stringify(value))
  return seen.toSorted((one, other) => (isDeepStrictEqual(one, other) ? 0 : key(one) < key(other) ? -1 : 1))
}

/** The tree before the first call. */
export function plantTree({ fs, root }: Omit<FaceRun, 'descriptors'>): void {
  fs.mkdirSync(`${root}/d`)
  fs.mkdirSync(`${root}/deep/a/b`, { recursive: true })
  for (const [name, text] of Object.entries({ 'd/f': '', e: 'text', g: '0123456789', 'deep/a/b/c': '1' }))
    fs.writeFileSync(`${root}/${name}`, text)
  for (const [name, target] of Object.entries({ l: 'e', dl: 'd', up: '.', gone: 'none', loop: 'loop' }))
    fs.symlinkSync(target, `${root}/${name}`)
}
