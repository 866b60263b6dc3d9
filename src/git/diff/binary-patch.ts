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
