// Bytes written as letters of an alphabet: base64, base32, base16 and base2. Both directions take their input in parts.

import type { ShellCommandContext, ShellInput } from '../../../../shell/commands.ts'
import { openInput } from '../filter/input.ts'
import { type Arguments, has, type OptionTable, optionTable, valueOf } from '../options.ts'
import { paceOf } from '../pace.ts'
import { complain } from '../program.ts'
import { reasonOf } from '../../errno.ts'

export interface Base {
  readonly alphabet: string
  readonly bits: number
  /** The letters of a whole group; a shorter last group is filled with `=`. */
  readonly groupLength: number
  readonly isLowestFirst?: boolean
  /** Whether the letters of a last group that is too short are decoded, before it is reported. */
  readonly decodesPartOfGroup?: boolean
}

const digits = '0123456789'
const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ'

type BaseName = 'base64' | 'base64url' | 'base32' | 'base32hex' | 'base16' | 'base2msbf' | 'base2lsbf'

export const bases: Readonly<Record<BaseName, Base>> = {
  base64: { alphabet: `${letters}${letters.toLowerCase()}${digits}+/`, bits: 6, groupLength: 4, decodesPartOfGroup: true },
  base64url: { alphabet: `${letters}${letters.toLowerCase()}${digits}-_`, bits: 6, groupLength: 4, decodesPartOfGroup: true },
  base32: { alphabet: `${letters}234567`, bits: 5, groupLength: 8 },
  base32hex: { alphabet: `${digits}${letters.slice(0, 22)}`, bits: 5, groupLength: 8 },
  base16: { alphabet: `${digits}ABCDEF`, bits: 4, groupLength: 2 },
  base2msbf: { alphabet: '01', bits: 1, groupLength: 8 },
  base2lsbf: { alphabet: '01', bits: 1, groupLength: 8, isLowestFirst: true },
}

export const baseOptions: OptionTable = optionTable('-d --decode: d, -i --ignore-garbage: i, -w --wrap: width=')

/** Does what `baseOptions` ask for, with the operand of `parsed` or standard input. */
export async function convert(context: ShellCommandContext, command: string, parsed: Arguments, base: Base): Promise<number> {
  const [name = '-', extra] = parsed.operands
  if (extra !== undefined) return complain(context, command, `extra operand '${extra}'`)
  const width = valueOf(parsed, 'width') ?? '76'
  if (!/^\d+$/.test(width)) return complain(context, command, `invalid wrap size: '${width}'`)
  let input: ShellInput
  try {
    input = await openInput(name, context)
  } catch (error) {
    return complain(context, command, `${name}: ${reasonOf(error)}`)
  }
  const coder = has(parsed, 'd') ? new Decoder(base, has(parsed, 'i')) : new Encoder(base, Number(width))
  const pace = paceOf(context.signal)
  for (let piece = await input.read(); piece !== undefined && coder.isRight; piece = await input.read()) {
    for (let from = 0; from < piece.length && coder.isRight; from += partBytes) {
      await context.stdout.write(coder.take(piece.subarray(from, from + partBytes)))
      if (pace.isDue(4 * partBytes)) await pace.rest()
    }
  }
  const end = coder.end()
  if (end.length > 0) await context.stdout.write(end)
  return coder.isRight ? 0 : complain(context, command, 'invalid input')
}

const partBytes = 64 * 1024

class Encoder {
  readonly isRight = true
  readonly #codes: Uint8Array
  readonly #base: Base
  readonly #columns: number
  #column = 0
  #letterCount = 0
  #value = 0
  #bits = 0

  /** `columns`: the letters of a line; 0 for all on one line without a newline. */
  constructor(base: Base, columns: number) {
    this.#base = base
    this.#columns = columns === 0 ? Infinity : columns
    this.#codes = Uint8Array.from(base.alphabet, letter => letter.charCodeAt(0))
  }

  take(bytes: Uint8Array): Uint8Array {
    const { bits: letterBits, isLowestFirst = false } = this.#base
    const mask = (1 << letterBits) - 1
    const most = Math.ceil((bytes.length * 8) / letterBits) + 1
    const text = new Uint8Array(most + Math.ceil(most / this.#columns) + 1)
    let [length, value, bits, column] = [0, this.#value, this.#bits, this.#column]
    for (const byte of bytes) {
      value = (value << 8) | (isLowestFirst ? reversed(byte) : byte)
      for (bits += 8; bits >= letterBits;) {
        bits -= letterBits
        text[length++] = this.#codes[(value >> bits) & mask] ?? 0
        column += 1
        this.#letterCount += 1
        if (column < this.#columns) continue
        column = 0
        text[length++] = newline
      }
      value &= (1 << bits) - 1
    }
    this.#value = value
    this.#bits = bits
    this.#column = column
    return text.subarray(0, length)
  }

  end(): Uint8Array {
    const text: number[] = []
    const add = (code: number): void => {
      text.push(code)
      this.#column += 1
      this.#letterCount += 1
      if (this.#column < this.#columns) return
      this.#column = 0
      text.push(newline)
    }
    const { bits: letterBits, groupLength } = this.#base
    if (this.#bits > 0) add(this.#codes[(this.#value << (letterBits - this.#bits)) & ((1 << letterBits) - 1)] ?? 0)
    while (this.#letterCount % groupLength > 0) add(filler)
    if (this.#column > 0 && this.#columns < Infinity) text.push(newline)
    return Uint8Array.from(text)
  }
}

/** In a whole group, what stands before the first wrong letter is decoded too. */
class Decoder {
  isRight = true
  readonly #values: Int8Array
  readonly #base: Base
  readonly #ignoresGarbage: boolean
  readonly #group: Uint8Array
  /** The letters of the group that is being read, `=` included. */
  #count = 0

  constructor(base: Base, ignoresGarbage: boolean) {
    this.#base = base
    this.#ignoresGarbage = ignoresGarbage
    this.#group = new Uint8Array(base.groupLength)
    this.#values = new Int8Array(256).fill(-1)
    for (const [value, letter] of Array.from(base.alphabet).entries()) this.#values[letter.charCodeAt(0)] = value
  }

  take(text: Uint8Array): Uint8Array {
    const { bits, groupLength } = this.#base
    const bytes = new Uint8Array(Math.ceil((text.length * bits) / 8) + groupLength)
    let length = 0
    for (const code of text) {
      if (code === newline || (this.#ignoresGarbage && code !== filler && (this.#values[code] ?? -1) < 0)) continue
      this.#group[this.#count++] = code
      if (this.#count < groupLength) continue
      length = this.#decodeGroup(bytes, length)
      if (!this.isRight) break
      this.#count = 0
    }
    return bytes.subarray(0, length)
  }

  end(): Uint8Array {
    if (this.#count === 0 || !this.isRight) return new Uint8Array()
    const bytes = new Uint8Array(this.#base.groupLength)
    const length = this.#base.decodesPartOfGroup === true ? this.#decodeGroup(bytes, 0) : 0
    this.isRight = false
    return bytes.subarray(0, length)
  }

  /** Returns the new length of `bytes`. */
  #decodeGroup(bytes: Uint8Array, from: number): number {
    const { bits: letterBits, isLowestFirst = false } = this.#base
    let length = from
    let [value, bits, at] = [0, 0, 0]
    for (; at < this.#count; at++) {
      const digit = this.#values[this.#group[at] ?? 0] ?? -1
      if (digit < 0) break
      value = (value << letterBits) | digit
      bits += letterBits
      if (bits < 8) continue
      bits -= 8
      const byte = (value >> bits) & 255
      bytes[length++] = isLowestFirst ? reversed(byte) : byte
      value &= (1 << bits) - 1
    }
    // The letters before `=` are whole bytes and less than one letter more.
    this.isRight = at === this.#count || (at > 0 && bits < letterBits && this.#isFilledFrom(at))
    return length
  }

  #isFilledFrom(start: number): boolean {
    for (let at = start; at < this.#count; at++) if (this.#group[at] !== filler) return false
    return true
  }
}

const newline = 10
const filler = 61

function reversed(byte: number): number {
  let result = 0
  for (let bit = 0; bit < 8; bit++) result |= ((byte >> bit) & 1) << (7 - bit)
  return result
}
