// Handmade old Office files for tests: a container of sectors, and the minimum that each program would put into it.

const sector = 512
const endOfChain = 0xfffffffe
const freeSector = 0xffffffff

class Bytes {
  readonly #bytes: number[] = []

  get length(): number {
    return this.#bytes.length
  }

  add(bytes: Iterable<number>): this {
    for (const byte of bytes) this.#bytes.push(byte)
    return this
  }

  u16(...values: readonly number[]): this {
    for (const value of values) this.#bytes.push(value & 255, (value >> 8) & 255)
    return this
  }

  u32(...values: readonly number[]): this {
    for (const value of values) this.u16(value & 0xffff, value >>> 16)
    return this
  }

  f64(value: number): this {
    return this.add(new Uint8Array(Float64Array.of(value).buffer))
  }

  padTo(length: number): this {
    while (this.#bytes.length < length) this.#bytes.push(0)
    return this
  }

  done(): Uint8Array {
    return Uint8Array.from(this.#bytes)
  }
}

function utf16(text: string): Uint8Array {
  const bytes = new Bytes()
  for (let index = 0; index < text.length; index++) bytes.u16(text.charCodeAt(index))
  return bytes.done()
}

/** A compound file. Streams are padded until they no longer count as small. */
export function madeCompound(streams: Readonly<Record<string, Uint8Array>>): Uint8Array {
  const entries = Object.entries(streams).map(([name, bytes]) => ({
    name,
    bytes: new Bytes()
      .add(bytes)
      .padTo(Math.max(4096, Math.ceil(bytes.length / sector) * sector))
      .done(),
  }))
  const next: number[] = [0xfffffffd]
  const chain = (count: number): number => {
    const first = next.length
    for (let index = 1; index <= count; index++) next.push(index === count ? endOfChain : first + index)
    return first
  }
  const directorySectors = Math.ceil((entries.length + 1) / 4)
  const directoryStart = chain(directorySectors)
  const starts = entries.map(({ bytes }) => chain(bytes.length / sector))
  const head = new Bytes().add([0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1]).padTo(24)
  head.u16(0x3e, 3, 0xfffe, 9, 6).padTo(44).u32(1, directoryStart, 0, 4096, endOfChain, 0, endOfChain, 0, 0)
  while (head.length < sector) head.u32(freeSector)
  const table = new Bytes().u32(...next)
  while (table.length < sector) table.u32(freeSector)
  const directory = new Bytes()
  const entry = (name: string, type: number, start: number, sizeBytes: number): void => {
    const at = directory.length
    directory.add(utf16(name)).padTo(at + 64)
    directory
      .u16((name.length + 1) * 2)
      .add([type, 1])
      .u32(freeSector, freeSector, freeSector)
      .padTo(at + 116)
      .u32(start, sizeBytes, 0)
  }
  entry('Root Entry', 5, endOfChain, 0)
  for (const [index, { name, bytes }] of entries.entries()) entry(name, 2, starts[index] ?? 0, bytes.length)
  directory.padTo(directorySectors * sector)
  return new Bytes()
    .add(head.done())
    .add(table.done())
    .add(directory.done())
    .add(entries.flatMap(({ bytes }) => [...bytes]))
    .done()
}

/** A Word file of two pieces: the first of single bytes, the second of UTF-16. */
export function madeDoc(narrow: string, wide: string, lengths: readonly number[] = [narrow.length + wide.length]): Uint8Array {
  const textStart = 1024
  const main = new Bytes()
    .u16(0xa5ec, 0xc1)
    .padTo(10)
    .u16(0)
    .padTo(0x4c)
    .u32(...lengths)
    .padTo(0x1a2)
  const clx = new Bytes()
    .add([1])
    .u16(2)
    .u16(0)
    .add([2])
    .u32(3 * 4 + 2 * 8)
  clx.u32(0, narrow.length, narrow.length + wide.length)
  clx
    .u16(0)
    .u32(textStart * 2 + 0x40000000)
    .u16(0)
  clx
    .u16(0)
    .u32(textStart + narrow.length + (narrow.length % 2))
    .u16(0)
  main.u32(0, clx.length).padTo(textStart)
  main.add([...narrow].map(character => character.charCodeAt(0))).padTo(textStart + narrow.length + (narrow.length % 2))
  return madeCompound({ WordDocument: main.add(utf16(wide)).done(), '0Table': clx.done() })
}

/** An Excel file with a sheet of every kind of cell. */
export function madeXls(): Uint8Array {
  const record = (type: number, content: Uint8Array): Uint8Array => new Bytes().u16(type, content.length).add(content).done()
  const bof = (kind: number): Uint8Array => record(0x809, new Bytes().u16(0x600, kind).padTo(16).done())
  const eof = record(0x0a, new Uint8Array())
  const name = 'Costs'
  const letters = [...name].map(letter => letter.charCodeAt(0))
  // The second shared text continues after the end of its record, with two bytes for each character.
  const shared = [
    record(0xfc, new Bytes().u32(2, 2).u16(2).add([0]).add([0x68, 0x69]).u16(4).add([0]).add([0x61, 0x62]).done()),
    record(0x3c, new Bytes().add([1]).add(utf16('漢字')).done()),
  ]
  const globals = (offset: number): Uint8Array[] => [
    bof(5),
    record(0x85, new Bytes().u32(offset).add([0, 0, letters.length, 0]).add(letters).done()),
    record(
      0x41e,
      new Bytes()
        .u16(164)
        .u16(10)
        .add([0])
        .add([...'yyyy-mm-dd'].map(letter => letter.charCodeAt(0)))
        .done(),
    ),
    record(0xe0, new Bytes().u16(0, 0).padTo(20).done()),
    record(0xe0, new Bytes().u16(0, 164).padTo(20).done()),
    ...shared,
    eof,
  ]
  const at = globals(0).reduce((sum, bytes) => sum + bytes.length, 0)
  const sheet = [
    bof(0x10),
    record(0xfd, new Bytes().u16(0, 0, 0).u32(0).done()),
    record(0xfd, new Bytes().u16(0, 1, 0).u32(1).done()),
    record(0x203, new Bytes().u16(1, 0, 0).f64(1.25).done()),
    record(
      0x27e,
      new Bytes()
        .u16(1, 1, 1)
        .u32((45322 << 2) | 2)
        .done(),
    ),
    record(
      0xbd,
      new Bytes()
        .u16(2, 0)
        .u16(0)
        .u32((7 << 2) | 2)
        .u16(0)
        .u32((725 << 2) | 3)
        .u16(1)
        .done(),
    ),
    record(0x06, new Bytes().u16(3, 0, 0).add([0, 0, 0, 0, 0, 0, 0xff, 0xff]).u16(0).u32(0).u16(0).done()),
    record(0x207, new Bytes().u16(3).add([0]).add([0x66, 0x78, 0x21]).done()),
    record(0x06, new Bytes().u16(3, 1, 0).f64(2.5).u16(0).u32(0).u16(0).done()),
    record(0x205, new Bytes().u16(4, 0, 0).add([1, 0]).done()),
    record(0x205, new Bytes().u16(4, 1, 0).add([42, 1]).done()),
    eof,
  ]
  return madeCompound({ Workbook: Uint8Array.from([...globals(at), ...sheet].flatMap(bytes => [...bytes])) })
}

/** A presentation whose slides have a title and points: in the list of slides, or in the boxes of each slide. */
export function madePpt(
  slides: readonly (readonly [title: string, points: string])[],
  where: 'list' | 'boxes' = 'list',
): Uint8Array {
  const record = (type: number, content: Uint8Array, version = 0, instance = 0): Uint8Array =>
    new Bytes()
      .u16(version | (instance << 4), type)
      .u32(content.length)
      .add(content)
      .done()
  const text = (kind: number, content: string): Uint8Array =>
    new Bytes()
      .add(record(3999, new Bytes().u32(kind).done()))
      .add(record(4000, utf16(content)))
      .done()
  const texts = slides.map(([title, points]) => new Bytes().add(text(0, title)).add(text(1, points)).done())
  const stream = new Bytes()
  const list = texts.flatMap((each, index) => [
    ...record(1011, new Bytes().u32(index + 1, 0, 0, 0, 0).done()),
    ...(where === 'list' ? each : []),
  ])
  stream.add(record(1000, record(4080, Uint8Array.from(list), 15, 0), 15))
  if (where === 'boxes') {
    const starts = new Map<number, number>()
    // An older version of the content, which no directory refers to.
    stream.add(record(1006, text(1, 'outdated'), 15))
    // The last slide comes first: only the directory shows the order.
    for (const [index, each] of [...texts.entries()].toReversed()) {
      starts.set(index, stream.length)
      stream.add(record(1006, each, 15))
    }
    const places = texts.map((_each, index) => starts.get(index) ?? 0)
    stream.add(record(6002, new Bytes().u32(1 | (texts.length << 20), ...places).done()))
  }
  return madeCompound({ 'PowerPoint Document': stream.done() })
}
