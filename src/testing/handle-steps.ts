// Random calls on open handles of `fs.promises`, and on the names of their files meanwhile. A step is chosen without looking at a
// filesystem, so that the same steps run on several.

import type { FileHandle } from 'node:fs/promises'
import type { WholeFs } from './node-fs-subjects.ts'
import { createRandom, type Random } from './random.ts'

/** What the steps of one run share. */
export interface HandleRun {
  readonly fs: WholeFs
  readonly root: string
  /** Closed handles stay here, because calls on them are steps too. */
  readonly handles: (FileHandle | undefined)[]
}

export interface HandleStep {
  readonly text: string
  readonly act: (run: HandleRun) => Promise<unknown>
}

type Call = (handle: FileHandle, run: HandleRun) => unknown

/** A call by its name, with arguments that types do not allow. */
const calling =
  (name: string, ...args: readonly unknown[]): Call =>
  handle =>
    (Reflect.get(handle, name) as (...given: readonly unknown[]) => unknown).apply(handle, [...args])

const names = ['f', 'g', 'd/h', 'l'] as const
const flags = [
  'r',
  'r',
  'r+',
  'r+',
  'w',
  'w+',
  'wx',
  'wx+',
  'a',
  'a+',
  'ax',
  'rs',
  'rs+',
  'as',
  'as+',
  0,
  1,
  2,
  3,
  64,
  66,
  578,
  1025,
] as const
/** No size above 2 GiB, which is the limit of a file here. */
const odd = [undefined, null, 0, 1, -1, 1.5, Number.NaN, '', 'x', '3', true, {}, [], 3n, -1n] as const
const positions = [undefined, null, null, -1, 0, 1, 3, 9, 20, 0n, 2n, -1n] as const
const texts = ['', 'a', 'héllo', 'line\n', 'x\r\ny\r\n', '\u{1f600}', 'abcdefghij'] as const
const encodings = [undefined, null, 'utf8', 'latin1', 'hex', 'base64', 'utf16le', 'buffer', 'nope', 'UTF-8', ''] as const

function mostly(random: Random, values: readonly unknown[]): unknown {
  return random.chance(0.12) ? random.pick(odd) : random.pick(values)
}

function bytes(random: Random): ArrayBufferView {
  const buffer = Uint8Array.from({ length: random.below(9) }, () => 97 + random.below(26))
  return random.pick([
    () => buffer,
    () => Buffer.from(buffer),
    () => new DataView(buffer.buffer),
    () => new Uint16Array(buffer.buffer.slice(0, buffer.length & ~1)),
    () => new Uint8Array(buffer.buffer, buffer.length >> 1),
  ])()
}

/** Node 20 ignores a bigint here, which newer versions do not. */
const readPositions = positions.filter(value => typeof value !== 'bigint')

function given(random: Random, places: readonly unknown[]): Record<string, unknown> {
  const options: Record<string, unknown> = {}
  if (random.chance(0.6)) options['offset'] = random.pick([undefined, null, 0, 1, 2, -1, 1.5, 'x'])
  // Node 20 ends the process for a length that is no small integer.
  if (random.chance(0.6)) options['length'] = random.pick([undefined, null, 0, 1, 2, 3, 8, -1])
  if (random.chance(0.6)) options['position'] = random.pick(places)
  return options
}

const some = (random: Random, ...values: readonly unknown[]): readonly unknown[] =>
  values.slice(0, 1 + random.below(values.length))

/** Each gives the arguments of a method of a handle. They are made anew for each subject, because reads change buffers. */
const methods: Readonly<Record<string, (random: Random) => readonly unknown[]>> = {
  read: random =>
    random.pick([
      () =>
        some(
          random,
          bytes(random),
          mostly(random, [0, 1, null, undefined]),
          random.pick([0, 1, 3, 8, -1, null, undefined]),
          random.pick(readPositions),
        ),
      () => [bytes(random), mostly(random, [given(random, readPositions)])],
      () => [mostly(random, [{ ...given(random, readPositions), buffer: bytes(random) }])],
      () => [mostly(random, [given(random, readPositions)])],
      () => [],
    ])(),
  readv: random => some(random, mostly(random, [[], [bytes(random)], [bytes(random), bytes(random)]]), mostly(random, positions)),
  write: random =>
    random.pick([
      () => some(random, mostly(random, texts), mostly(random, positions), mostly(random, encodings)),
      () =>
        some(
          random,
          bytes(random),
          mostly(random, [0, 1, 2, null, undefined]),
          mostly(random, [0, 1, 3, 8, null, undefined]),
          mostly(random, positions),
        ),
      () => [bytes(random), mostly(random, [given(random, positions)])],
    ])(),
  writev: random =>
    some(random, mostly(random, [[], [bytes(random)], [bytes(random), bytes(random)]]), mostly(random, positions)),
  writeFile: random => content(random),
  appendFile: random => content(random),
  readFile: random =>
    some(random, mostly(random, [...encodings, { encoding: mostly(random, encodings) }, {}, { signal: AbortSignal.abort() }])),
  truncate: random => some(random, mostly(random, [0, 1, 4, 30, undefined, -3])),
  stat: random => some(random, random.pick([undefined, {}, { bigint: true }, { bigint: false }, 'x'])),
  utimes: random => [mostly(random, [1, '2', new Date(5000)]), mostly(random, [1, '2.5', new Date(7000)])],
  chmod: random => [mostly(random, [0o644, 0o600, '755', '0640', 0o777, 'x', '8'])],
  // Owners are not stored by every backend.
  chown: random => [random.pick([-1, -1, 'x', 1.5, null, -2]), random.pick([-1, -1, {}, 2 ** 32, undefined])],
  sync: () => [],
  datasync: () => [],
  close: () => [],
}

function content(random: Random): readonly unknown[] {
  const data = mostly(random, [...texts, bytes(random), [random.pick(texts), random.pick(texts)], [bytes(random)]])
  return some(
    random,
    data,
    mostly(random, [...encodings, { encoding: mostly(random, encodings) }, {}, { signal: AbortSignal.abort() }, { flush: true }]),
  )
}

/** Right ones only: Node never closes a handle whose stream it refused. */
function streamOptions(random: Random): Record<string, unknown> {
  const options: Record<string, unknown> = {}
  const start = random.below(6)
  if (random.chance(0.4)) options['start'] = start
  if (random.chance(0.3)) options['end'] = random.pick([start, start + 3, start + 12, Infinity])
  if (random.chance(0.4)) options['highWaterMark'] = random.pick([1, 3, 64, undefined])
  if (random.chance(0.3)) options['encoding'] = random.pick([undefined, null, 'utf8', 'latin1', 'hex', 'base64', 'utf16le'])
  if (random.chance(0.3)) options['autoClose'] = random.chance(0.5)
  if (random.chance(0.2)) options['emitClose'] = random.chance(0.5)
  return options
}

interface AnyStream extends NodeJS.EventEmitter {
  readonly bytesRead?: number
  readonly bytesWritten?: number
  readonly pending: boolean
  readonly destroyed: boolean
  readonly path: unknown
  write(chunk: unknown): boolean
  end(): void
  destroy(): void
}

const streamEvents = ['open', 'ready', 'end', 'finish', 'error', 'close'] as const

/** The order of a stream's events and its content, until it has ended. */
async function streamed(
  stream: AnyStream,
  handle: FileHandle,
  chunks: readonly unknown[] | undefined,
  { autoClose, emitClose }: Record<string, unknown>,
): Promise<unknown> {
  const seen: unknown[] = []
  for (const event of streamEvents) stream.on(event, value => seen.push([event, typeof value === 'number' ? 'number' : value]))
  const isClosing = autoClose !== false && emitClose !== false
  const last = isClosing ? 'close' : chunks === undefined ? 'end' : 'finish'
  const ended = new Promise<void>(resolve => {
    stream.once(last, resolve)
    stream.once('error', () => setImmediate(resolve))
  })
  if (chunks === undefined) stream.on('data', chunk => seen.push(chunk))
  else {
    for (const chunk of chunks) stream.write(chunk)
    stream.end()
  }
  await ended
  const facts = [stream.bytesRead, stream.bytesWritten, stream.pending, stream.destroyed, stream.path]
  // A handle stays in use until its stream is closed.
  stream.destroy()
  await handle.close()
  return [seen, ...(isClosing ? facts : []), handle.fd]
}

async function collected(values: AsyncIterable<unknown>): Promise<unknown[]> {
  const found: unknown[] = []
  for await (const value of values) found.push(value instanceof ArrayBuffer ? new Uint8Array(value) : value)
  return found
}

/** Calls that end in another way than by one promise, each on a handle of its own. */
function longCall(random: Random): readonly [text: string, (run: HandleRun) => Promise<unknown>] {
  const options = streamOptions(random)
  const chunks = Array.from({ length: random.below(4) }, () => Buffer.from(random.pick(texts) || 'z'))
  const name = random.pick(names)
  const flag = random.pick(['r+', 'r+', 'a+', 'w+'])
  const [text, act] = random.pick<readonly [string, (handle: FileHandle) => Promise<unknown>]>([
    ['readLines', handle => collected(handle.readLines() as AsyncIterable<unknown>)],
    // Without `type: 'bytes'` Node 20 ends the process when such a handle is closed.
    [
      'readableWebStream',
      async handle => {
        const pieces = await collected(handle.readableWebStream({ type: 'bytes' }) as AsyncIterable<unknown>)
        await handle.close()
        return Buffer.concat(pieces as Uint8Array[])
      },
    ],
    [
      `createReadStream ${shown(options)}`,
      handle => streamed(handle.createReadStream(options as object) as unknown as AnyStream, handle, undefined, options),
    ],
    [
      `createWriteStream ${shown(options)} ${shown(chunks)}`,
      handle => streamed(handle.createWriteStream(options as object) as unknown as AnyStream, handle, chunks, options),
    ],
  ])
  const isMoved = random.chance(0.4)
  return [
    `${text} of ${name} ${flag}${isMoved ? ' moved' : ''}`,
    async ({ fs, root }) => {
      const handle = await fs.promises.open(`${root}/${name}`, flag)
      if (isMoved) await handle.read(Buffer.alloc(2))
      return act(handle)
    },
  ]
}

/** What happens to the names of files while they are open. */
function nameCall(random: Random): readonly [text: string, (run: HandleRun) => Promise<unknown>] {
  const [one, other] = [random.pick(names), random.pick(names)]
  const text = random.pick(texts)
  return random.pick<readonly [string, (run: HandleRun) => Promise<unknown>]>([
    [`rename ${one} ${other}`, ({ fs, root }) => fs.promises.rename(`${root}/${one}`, `${root}/${other}`)],
    [`unlink ${one}`, ({ fs, root }) => fs.promises.unlink(`${root}/${one}`)],
    [
      `link ${one} ${other}`,
      ({ fs, root }) => (one === 'l' ? Promise.resolve() : fs.promises.link(`${root}/${one}`, `${root}/${other}`)),
    ],
    [`writeFile ${one} ${shown(text)}`, ({ fs, root }) => fs.promises.writeFile(`${root}/${one}`, text)],
    [`truncate ${one}`, ({ fs, root }) => fs.promises.truncate(`${root}/${one}`, 3)],
    [`copyFile ${one} ${other}`, ({ fs, root }) => fs.promises.copyFile(`${root}/${one}`, `${root}/${other}`)],
    [`rename d`, ({ fs, root }) => fs.promises.rename(`${root}/d`, `${root}/e`)],
    [`rename e`, ({ fs, root }) => fs.promises.rename(`${root}/e`, `${root}/d`)],
    [`rm d`, ({ fs, root }) => fs.promises.rm(`${root}/d`, { recursive: true })],
    [`chmod ${one}`, ({ fs, root }) => fs.promises.chmod(`${root}/${one}`, 0o640)],
    [`readFile ${one}`, ({ fs, root }) => fs.promises.readFile(`${root}/${one}`, 'latin1')],
    [`stat ${one}`, async ({ fs, root }) => seenStat(await fs.promises.stat(`${root}/${one}`))],
  ])
}

export function handleStep(random: Random): HandleStep {
  const index = random.below(2)
  const kind = random.below(100)
  if (kind < 12) return opening(random, index)
  if (kind < 28) {
    const [text, act] = nameCall(random)
    return { text, act }
  }
  if (kind < 35) {
    const [text, act] = longCall(random)
    return { text, act }
  }
  const name = random.pick(Object.keys(methods))
  const seed = random.below(2 ** 31)
  const make = (): readonly unknown[] => methods[name]?.(createRandom(seed)) ?? []
  return onHandle(index, `${name}(${make().map(shown).join(', ')})`, () => calling(name, ...make()))
}

function opening(random: Random, index: number): HandleStep {
  const name = random.pick(names)
  const flag = random.pick(flags)
  const mode = random.pick([undefined, 0o600, '640'])
  return {
    text: `${index}: open ${name} ${flag} ${shown(mode)}`,
    async act(run) {
      await run.handles[index]?.close()
      run.handles[index] = undefined
      const handle = await run.fs.promises.open(`${run.root}/${name}`, flag, mode)
      run.handles[index] = handle
      return typeof handle.fd
    },
  }
}

function onHandle(index: number, text: string, make: () => Call): HandleStep {
  return {
    text: `${index}: ${text}`,
    async act(run) {
      const handle = run.handles[index]
      return handle === undefined ? 'no handle' : seenStat(await make()(handle, run))
    },
  }
}

/** Times that a program set, and facts that the machine does not choose. */
export function seenStat(value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('mtimeMs' in value)) return value
  const { size, mode, nlink, uid, gid, mtimeMs } = value as Record<string, number | bigint>
  const { constructor } = value as { readonly constructor: { readonly name: string } }
  const time = (ms: number | bigint | undefined): unknown => (Number(ms) > 1e12 ? 'now' : ms)
  return [constructor.name, size, mode, nlink, uid, gid, time(mtimeMs)]
}

export function shown(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(shown).join(', ')}]`
  if (ArrayBuffer.isView(value)) return `${value.constructor.name}(${value.byteLength})`
  if (typeof value === 'bigint') return `${value}n`
  if (value instanceof AbortSignal) return 'aborted'
  if (value instanceof URL) return value.href
  if (value instanceof Date) return `Date(${value.getTime()})`
  if (typeof value === 'object' && value !== null) {
    return `{${Object.entries(value)
      .map(([key, item]) => `${key}: ${shown(item)}`)
      .join(', ')}}`
  }
  return typeof value === 'string' ? JSON.stringify(value) : String(value)
}
