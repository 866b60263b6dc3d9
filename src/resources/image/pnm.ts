// The Netpbm family: P1 to P6 as text or bytes, and PAM (P7). Source: pbm(5), pgm(5), ppm(5), pam(5).

import { checkSize, ImageError, needBytes, newPixels, to8Bit, type Pixels } from './pixels.ts'

interface Header {
  readonly width: number
  readonly height: number
  /** 1: gray. 2: gray and alpha. 3: colour. 4: colour and alpha. */
  readonly channels: number
  readonly maximum: number
  /** The offset of the samples. */
  readonly start: number
}

export function decodePnm(bytes: Uint8Array): Pixels {
  const kind = bytes[1]
  switch (kind === undefined ? '' : String.fromCharCode(kind)) {
    case '1':
      return bitsAsText(bytes, plainHeader(bytes, 1, 1))
    case '2':
      return samplesAsText(bytes, plainHeader(bytes, 1))
    case '3':
      return samplesAsText(bytes, plainHeader(bytes, 3))
    case '4':
      return packedBits(bytes, plainHeader(bytes, 1, 1))
    case '5':
      return packedSamples(bytes, plainHeader(bytes, 1))
    case '6':
      return packedSamples(bytes, plainHeader(bytes, 3))
    case '7':
      return packedSamples(bytes, pamHeader(bytes))
    default:
      throw new ImageError('image-unsupported', 'its kind of Netpbm is unknown')
  }
}

/** Reads words between white space and comments. */
class Words {
  readonly #bytes: Uint8Array
  at: number

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes
    this.at = at
  }

  #skip(): void {
    for (; this.at < this.#bytes.length; this.at++) {
      const byte = this.#bytes[this.at] ?? 0
      if (byte === 0x23) {
        const end = this.#bytes.indexOf(0x0a, this.at)
        this.at = end === -1 ? this.#bytes.length : end
      } else if (!isSpace(byte)) return
    }
  }

  /** Throws if there is no number. */
  number(): number {
    this.#skip()
    const start = this.at
    let value = 0
    for (let byte = this.#bytes[this.at] ?? 0; byte >= 0x30 && byte <= 0x39; byte = this.#bytes[++this.at] ?? 0) {
      value = value * 10 + byte - 0x30
      if (value > 2 ** 32) throw new ImageError('image-damaged', 'a number in it is too large')
    }
    if (this.at === start) throw new ImageError('image-damaged', `a number is missing at byte ${start}`)
    return value
  }

  /** One digit; white space between digits is optional. */
  bit(): number {
    this.#skip()
    const byte = this.#bytes[this.at++]
    if (byte !== 0x30 && byte !== 0x31) throw new ImageError('image-damaged', `a bit is missing at byte ${this.at - 1}`)
    return byte - 0x30
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || (byte >= 0x09 && byte <= 0x0d)
}

function plainHeader(bytes: Uint8Array, channels: number, fixedMaximum?: number): Header {
  const words = new Words(bytes, 2)
  const width = words.number()
  const height = words.number()
  const maximum = fixedMaximum ?? words.number()
  return checked({ width, height, channels, maximum, start: words.at + 1 })
}

function pamHeader(bytes: Uint8Array): Header {
  const values = new Map<string, number>()
  let at = bytes.indexOf(0x0a) + 1
  for (let lines = 0; lines < 1000 && at > 0; lines++) {
    const end = bytes.indexOf(0x0a, at)
    if (end === -1) break
    const line = String.fromCharCode(...bytes.subarray(at, Math.min(end, at + 200))).trim()
    at = end + 1
    if (line === 'ENDHDR') {
      const [width = 0, height = 0, channels = 0, maximum = 0] = ['WIDTH', 'HEIGHT', 'DEPTH', 'MAXVAL'].map(name =>
        values.get(name),
      )
      return checked({ width, height, channels, maximum, start: at })
    }
    const [, name, number] = /^([A-Z]+)\s+(\d+)$/.exec(line) ?? []
    if (name !== undefined) values.set(name, Number(number))
  }
  throw new ImageError('image-damaged', 'its header has no end')
}

function checked(header: Header): Header {
  checkSize(header.width, header.height)
  if (header.maximum < 1 || header.maximum > 65_535)
    throw new ImageError('image-damaged', `its largest value is ${header.maximum}`)
  if (header.channels < 1 || header.channels > 4) throw new ImageError('image-unsupported', `it has ${header.channels} channels`)
  return header
}

function bitsAsText(bytes: Uint8Array, { width, height, start }: Header): Pixels {
  needBytes(bytes, start - 1 + width * height)
  const words = new Words(bytes, start - 1)
  return filled(width, height, 1, 1, () => 1 - words.bit())
}

function samplesAsText(bytes: Uint8Array, { width, height, channels, maximum, start }: Header): Pixels {
  // One digit each, with white space between them.
  needBytes(bytes, start - 1 + width * height * channels * 2 - 1)
  const words = new Words(bytes, start - 1)
  return filled(width, height, channels, maximum, () => words.number())
}

function packedBits(bytes: Uint8Array, { width, height, start }: Header): Pixels {
  const rowBytes = Math.ceil(width / 8)
  needBytes(bytes, start + rowBytes * height)
  let index = -1
  // 1 is black in this format, and white in all others.
  return filled(width, height, 1, 1, () => {
    index++
    const column = index % width
    const byte = bytes[start + Math.floor(index / width) * rowBytes + (column >> 3)] ?? 0
    return 1 - ((byte >> (7 - (column & 7))) & 1)
  })
}

function packedSamples(bytes: Uint8Array, { width, height, channels, maximum, start }: Header): Pixels {
  const sampleBytes = maximum > 255 ? 2 : 1
  needBytes(bytes, start + width * height * channels * sampleBytes)
  let at = start
  return filled(width, height, channels, maximum, () => {
    const high = bytes[at++] ?? 0
    return sampleBytes === 1 ? high : high * 256 + (bytes[at++] ?? 0)
  })
}

/** `next` returns the samples one by one. */
function filled(width: number, height: number, channels: number, maximum: number, next: () => number): Pixels {
  const pixels = newPixels(width, height)
  const { data } = pixels
  const isGray = channels < 3
  for (let to = 0; to < data.length; to += 4) {
    const red = to8Bit(next(), maximum)
    data[to] = red
    data[to + 1] = isGray ? red : to8Bit(next(), maximum)
    data[to + 2] = isGray ? red : to8Bit(next(), maximum)
    data[to + 3] = channels % 2 === 0 ? to8Bit(next(), maximum) : 255
  }
  return pixels
}
