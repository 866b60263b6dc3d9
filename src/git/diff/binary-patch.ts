// `GIT binary patch`: both contents, deflated, in base 85.

import { joinBytes } from '../../core/bytes.ts'
import { deflate } from '../store/deflate.ts'
import { inflate, InflateError } from '../store/inflate.ts'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~'
const lineBytes = 52

export function binaryPatch(before: Uint8Array, after: Uint8Array): string {
  return `GIT binary patch\n${literal(after)}\n${literal(before)}\n`
}

function literal(bytes: Uint8Array): string {
  const packed = deflate(bytes)
  const lines = [`literal ${bytes.length}`]
  for (let at = 0; at < packed.length; at += lineBytes) {
    const line = packed.subarray(at, at + lineBytes)
    const length = line.length <= 26 ? String.fromCharCode(64 + line.length) : String.fromCharCode(96 + line.length - 26)
    lines.push(length + encode85(line))
  }
  return `${lines.join('\n')}\n`
}

function encode85(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 4) {
    let value = 0
    for (let index = 0; index < 4; index++) value = value * 256 + (bytes[at + index] ?? 0)
    let group = ''
    for (let index = 0; index < 5; index++) {
      group = (alphabet[value % 85] ?? '') + group
      value = Math.floor(value / 85)
    }
    text += group
  }
  return text
}

/** The content of a `literal` or `delta`; `undefined` if it is broken. */
export function decodeBinary(lines: readonly string[], sizeBytes: number): Uint8Array | undefined {
  const parts: Uint8Array[] = []
  for (const line of lines) {
    const letter = line.charCodeAt(0)
    const length = letter >= 97 ? letter - 96 + 26 : letter - 64
    const part = decode85(line.slice(1))
    if (length < 1 || length > lineBytes || part === undefined || part.length < length) return undefined
    parts.push(part.subarray(0, length))
  }
  try {
    return inflate(joinBytes(parts), 0, sizeBytes).bytes
  } catch (error) {
    if (error instanceof InflateError) return undefined
    throw error
  }
}

function decode85(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(Math.ceil(text.length / 5) * 4)
  for (let at = 0; at < text.length; at += 5) {
    let value = 0
    for (let index = 0; index < 5; index++) {
      const digit = alphabet.indexOf(text[at + index] ?? '')
      if (digit === -1 || at + index >= text.length) return undefined
      value = value * 85 + digit
    }
    new DataView(bytes.buffer).setUint32((at / 5) * 4, value)
  }
  return bytes
}
