// The frames of git's protocol: four hexadecimal digits of length, then the payload. `0000` ends a list.

import { joinBytes } from '../../core/bytes.ts'
import { decodeText, encodeText } from '../../shell/byte-text.ts'
import { fatal } from '../errors.ts'

export function packet(text: string): Uint8Array {
  const payload = encodeText(text)
  return joinBytes([encodeText((payload.length + 4).toString(16).padStart(4, '0')), payload])
}

export const flushPacket: Uint8Array = encodeText('0000')

export class PacketReader {
  readonly #bytes: Uint8Array
  #at = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
  }

  get isAtEnd(): boolean {
    return this.#at >= this.#bytes.length
  }

  /** The next payload; `undefined` for the end of a list. */
  next(): Uint8Array | undefined {
    const digits = decodeText(this.#bytes.subarray(this.#at, this.#at + 4))
    const length = /^[0-9a-f]{4}$/i.test(digits) ? Number.parseInt(digits, 16) : Number.NaN
    if (Number.isNaN(length) || (length > 0 && length < 4) || this.#at + length > this.#bytes.length) {
      throw fatal('protocol error: bad line length character: the server does not speak the protocol of git')
    }
    const start = this.#at + 4
    this.#at += Math.max(4, length)
    return length === 0 ? undefined : this.#bytes.subarray(start, this.#at)
  }

  /** As text, without the line feed at its end. */
  nextText(): string | undefined {
    const payload = this.next()
    return payload === undefined ? undefined : decodeText(payload).replace(/\n$/, '')
  }

  /** Reads the data channel to its end. Throws a message of the error channel. */
  channel(): Uint8Array {
    const parts: Uint8Array[] = []
    while (!this.isAtEnd) {
      const payload = this.next()
      if (payload === undefined) break
      if (payload[0] === 1) parts.push(payload.subarray(1))
      else if (payload[0] === 3) throw fatal(`remote error: ${decodeText(payload.subarray(1)).trim()}`)
    }
    return joinBytes(parts)
  }
}
