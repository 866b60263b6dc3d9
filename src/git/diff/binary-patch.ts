// `GIT binary patch`: both contents, deflated, in base 85.

import { zlibSync } from 'fflate'

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz!#$%&()*+-;<=>?@^_`{|}~'
const lineBytes = 52

export function binaryPatch(before: Uint8Array, after: Uint8Array): string {
  return `GIT binary patch\n${literal(after)}\n${literal(before)}\n`
}

function literal(bytes: Uint8Array): string {
  const packed = zlibSync(bytes, { level: 9 })
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

/** The bytes of one line; `undefined` when it is malformed. */
export function decode85(text: string, length: number): Uint8Array | undefined {
  const bytes: number[] = []
  for (let at = 0; at < text.length; at += 5) {
    let value = 0
    for (let index = 0; index < 5; index++) {
      const digit = alphabet.indexOf(text[at + index] ?? '\0')
      if (digit === -1) return undefined
      value = value * 85 + digit
    }
    bytes.push(Math.floor(value / 2 ** 24) & 255, (value >>> 16) & 255, (value >>> 8) & 255, value & 255)
  }
  return bytes.length < length ? undefined : Uint8Array.from(bytes.slice(0, length))
}
