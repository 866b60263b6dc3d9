// Random streams of `createReadStream` and `createWriteStream`: the order of their events, their content, and what they leave. A call is
// chosen without looking at a filesystem, so that the same calls run on several.

import { shown } from './handle-steps.ts'
import type { WholeFs } from './node-fs-subjects.ts'
import { createRandom, type Random } from './random.ts'
import { deferred } from '../core/deferred.ts'

export interface StreamRun {
  readonly fs: WholeFs
  readonly root: string
}

export interface StreamCall {
  readonly text: string
  readonly act: (run: StreamRun) => Promise<unknown>
}

interface AnyStream extends NodeJS.EventEmitter, AsyncIterable<unknown> {
  readonly bytesRead?: number
  readonly bytesWritten?: number
  readonly pending: boolean
  readonly destroyed: boolean
  readonly closed: boolean
  readonly path: unknown
  readonly flags: unknown
  readonly mode: unknown
  readonly start: unknown
  readonly end: unknown
  readonly pos: unknown
  readonly autoClose: unknown
  readonly fd: unknown
  read(): unknown
  write(chunk: unknown, callback: (error?: unknown) => void): unknown
  destroy(error?: Error): void
  close(callback: (error?: unknown) => void): void
}

type Options = Record<string, unknown>

const odd = [undefined, null, -1, 1.5, 'x', '3', true, {}, Number.NaN] as const
const events = ['open', 'ready', 'end', 'finish', 'error', 'close'] as const

function mostly(random: Random, values: readonly unknown[]): unknown {
  return random.chance(0.1) ? random.pick(odd) : random.pick(values)
}

const flags = ['r', 'r+', 'w', 'a', 'wx', 'a+', 'q', 0, 1, 2, 66, 0o200000, -1] as const

function optionsOf(random: Random, isRead: boolean): Options {
  const options: Options = {}
  const maybe = (name: string, chance: number, values: readonly unknown[]): void => {
    if (random.chance(chance)) options[name] = mostly(random, values)
  }
  maybe('start', 0.4, [0, 2, 5, 20])
  maybe('end', 0.3, [0, 3, 8, Infinity])
  maybe('highWaterMark', 0.4, [1, 3, 64, 0])
  maybe('encoding', 0.3, ['utf8', 'hex', 'nope', 'base64'])
  maybe('autoClose', 0.3, [true, false])
  maybe('emitClose', 0.3, [true, false])
  maybe('flags', 0.4, flags)
  maybe('mode', 0.2, [0o600, '640'])
  maybe('flush', 0.1, [true, false])
  // Node waits for ever for the first byte of a reader that wants none.
  if (isRead && options['highWaterMark'] === 0) options['highWaterMark'] = 2
  if (random.chance(0.05)) options['fs'] = random.pick([null, undefined, {}, { open: 1 }])
  return options
}

/** What the program does with the stream. */
const readActs = [
  'data',
  'data',
  'readable',
  'iterate',
  'iterate and leave',
  'destroy',
  'close',
  'destroy later',
  'fail later',
] as const
const writeActs = ['end', 'end', 'end with more', 'wrong chunk', 'destroy', 'close', 'destroy later', 'fail later'] as const
const signals = [
  'none',
  'none',
  'none',
  'none',
  'none',
  'none',
  'aborted',
  'aborted later',
  'never aborted',
  'no signal',
] as const

export function streamCall(random: Random): StreamCall {
  const isRead = random.chance(0.5)
  const seed = random.below(2 ** 31)
  // Made anew for each subject, because a stream may keep its options.
  const make = (): unknown => {
    const own = createRandom(seed)
    return own.chance(0.08) ? own.pick([undefined, null, 'utf8', 'nope', 5, true]) : optionsOf(own, isRead)
  }
  const name = mostly(random, ['f', 'f', 'f', 'd', 'none', 'd/x', 'l', 'f/', 'gone'])
  const act = isRead ? random.pick(readActs) : random.pick(writeActs)
  const signal = random.pick(signals)
  const opened = random.chance(0.15) ? random.pick(['r', 'r+', 'w', 'a+']) : undefined
  const text = `${isRead ? 'read' : 'write'} ${shown(name)} ${shown(make())}, ${act}, signal ${signal}, fd ${opened ?? 'none'}`
  return {
    text,
    async act(run) {
      const { fs, root } = run
      await plant(run)
      const given = make()
      const controller = new AbortController()
      let opening: Promise<void> | undefined
      let fd: number | undefined
      if (typeof given === 'object' && given !== null) {
        const options = given as Options
        if (signal === 'aborted') controller.abort()
        if (signal === 'aborted' && opened === undefined) {
          const known = withKnownOpening(fs)
          options['fs'] = known.fs
          opening = known.opening
        }
        if (signal !== 'none') options['signal'] = signal === 'no signal' ? 1 : controller.signal
        if (opened !== undefined) options['fd'] = fd = fs.openSync(`${root}/f`, opened)
      }
      const path = typeof name === 'string' ? `${root}/${name}` : name
      const open = (isRead ? fs.createReadStream : fs.createWriteStream) as (...args: readonly unknown[]) => unknown
      try {
        const stream = open(path, given) as AnyStream
        const late = signal === 'aborted later' ? controller : undefined
        const seen = await played(stream, act, isRead ? reading : writing, late, opening)
        if (fd === undefined) closeIfOpen(fs, stream.fd)
        return [seen, fs.readFileSync(`${root}/f`, 'latin1'), fs.readdirSync(root), fs.readdirSync(`${root}/d`)]
      } finally {
        if (fd !== undefined) closeIfOpen(fs, fd)
      }
    },
  }
}

async function plant({ fs, root }: StreamRun): Promise<void> {
  for (const name of fs.readdirSync(root)) fs.rmSync(`${root}/${name}`, { recursive: true, force: true })
  fs.mkdirSync(`${root}/d`)
  fs.writeFileSync(`${root}/f`, '0123456789', { mode: 0o644 })
  fs.symlinkSync('f', `${root}/l`)
  fs.symlinkSync('none', `${root}/gone`)
}

/** A stream that is aborted before it opens its file is closed while Node still opens it. */
function withKnownOpening(fs: WholeFs): { readonly fs: WholeFs; readonly opening: Promise<void> } {
  const { promise: opening, resolve: opened } = deferred<void>()
  const open = (...args: readonly unknown[]): void => {
    const callback = args.at(-1) as (...results: readonly unknown[]) => void
    const answer = (...results: readonly unknown[]): void => {
      callback(...results)
      opened()
    }
    try {
      Reflect.apply(fs.open, fs, [...args.slice(0, -1), answer])
    } catch (error) {
      opened()
      throw error
    }
  }
  return { fs: { ...fs, open } as unknown as WholeFs, opening }
}

function closeIfOpen(fs: WholeFs, fd: unknown): void {
  if (typeof fd !== 'number') return
  try {
    fs.closeSync(fd)
  } catch (error) {
    if ((error as { readonly code?: unknown }).code !== 'EBADF') throw error
  }
}

type See = (what: unknown) => void
/** May return what is heard of the stream besides its events, whose place among them is not fixed. */
type Play = (stream: AnyStream, act: string, see: See) => Promise<unknown> | void

/** The events of a stream in their order, and its facts after it has ended and after it is closed. */
async function played(
  stream: AnyStream,
  act: string,
  play: Play,
  controller?: AbortController,
  opening?: Promise<void>,
): Promise<unknown> {
  const seen: unknown[] = []
  const see: See = what => seen.push(what)
  const ended = new Promise<void>(resolve => {
    for (const event of events) {
      stream.on(event, (value: unknown) => {
        see([event, typeof value === 'number' ? 'number' : value])
        if (event !== 'open' && event !== 'ready') resolve()
      })
    }
  })
  const heard = play(stream, act, see)
  controller?.abort()
  // A stream that tells nothing more when it is destroyed is looked at instead.
  await Promise.race([ended, untilClosed(stream)])
  if (!stream.destroyed && !stream.autoClose) {
    see(factsOf(stream))
    stream.destroy()
  }
  await untilClosed(stream)
  await opening
  return [seen, await heard, factsOf(stream)]
}

/** Far more than a stream takes: a stream that never closes shall end the test, with the name of its call. */
const mostTurns = 200_000

async function untilClosed(stream: AnyStream): Promise<void> {
  for (let count = 0; !stream.closed; count++) {
    if (count === mostTurns) throw new Error('The stream never closes.')
    await turn()
  }
  // Callbacks of the last event are called in tasks of their own.
  await turn()
  await turn()
}

const turn = (): Promise<void> =>
  new Promise(resolve => {
    setImmediate(resolve)
  })

function factsOf(stream: AnyStream): readonly unknown[] {
  const { bytesRead, bytesWritten, pending, destroyed, path, flags: used, mode, start, end, pos, autoClose, fd } = stream
  const shownEnd = typeof end === 'function' ? 'function' : end
  return [
    stream.constructor.name,
    bytesRead,
    bytesWritten,
    pending,
    destroyed,
    path,
    used,
    mode,
    start,
    shownEnd,
    pos,
    autoClose,
    fd === null,
  ]
}

const reading: Play = (stream, act, see) => {
  if (act.startsWith('iterate')) return iterated(stream, act === 'iterate and leave', see)
  if (act === 'readable') {
    stream.on('readable', () => {
      for (let chunk = stream.read(); chunk !== null; chunk = stream.read()) see(chunk)
    })
    return undefined
  }
  stream.on('data', (chunk: unknown) => {
    see(chunk)
    if (act === 'destroy later') stream.destroy()
    if (act === 'fail later') stream.destroy(new Error('a failure of the program'))
  })
  endEarly(stream, act, see)
  return undefined
}

async function iterated(stream: AnyStream, isLeft: boolean, see: See): Promise<unknown> {
  try {
    for await (const chunk of stream) {
      see(chunk)
      if (isLeft) break
    }
    return 'iterated'
  } catch (error) {
    return error
  }
}

const writing: Play = (stream, act, see) => {
  const write = (chunk: unknown, after?: () => void): void => {
    try {
      const written = stream.write(chunk, error => {
        see(['written', error])
        after?.()
      })
      see(written)
    } catch (error) {
      see(error)
    }
  }
  write('ab')
  write(Buffer.from('cde'))
  if (act === 'wrong chunk') write(5)
  if (act === 'destroy' || act === 'close') return endEarly(stream, act, see)
  if (act.endsWith('later')) {
    write('f', () => stream.destroy(act === 'fail later' ? new Error('a failure of the program') : undefined))
    return
  }
  const end = stream.end as (...args: readonly unknown[]) => unknown
  end.call(stream, act === 'end with more' ? 'zz' : undefined, (error: unknown) => see(['ended', error]))
}

function endEarly(stream: AnyStream, act: string, see: See): void {
  if (act === 'destroy') stream.destroy()
  if (act === 'close') stream.close(error => see(['closed', error]))
}
