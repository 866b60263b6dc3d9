// `-S` and `-G`: differences that add or remove a text.

import type { Options } from '../options.ts'
import type { DiffSettings } from './settings.ts'
import { decodeText, encodeText } from '../../shell/byte-text.ts'
import { posixPattern } from '../revs/posix-pattern.ts'

export function pickaxeOf(options: Options): DiffSettings['pickaxe'] {
  const text = options.value('pickaxe-string')
  const pattern = options.value('pickaxe-pattern')
  if (text === undefined && pattern === undefined) return undefined
  const keepsAll = options.has('pickaxe-all')
  const isPattern = pattern !== undefined || options.has('pickaxe-regex')
  const source = pattern ?? text ?? ''
  if (!isPattern) return { kind: 'string', test: counterOf(source), keepsAll }
  return { kind: pattern === undefined ? 'string' : 'pattern', test: patternCounter(source), keepsAll }
}

function counterOf(text: string): (bytes: Uint8Array) => number {
  const wanted = encodeText(text)
  const [first] = wanted
  return bytes => {
    let count = 0
    if (first === undefined) return 0
    for (let at = bytes.indexOf(first); at !== -1; at = bytes.indexOf(first, at + 1)) {
      let length = 1
      while (length < wanted.length && bytes[at + length] === wanted[length]) length++
      if (length < wanted.length) continue
      count++
      at += wanted.length - 1
    }
    return count
  }
}

function patternCounter(source: string): (bytes: Uint8Array) => number {
  const pattern = posixPattern(source, 'extended', 'gm')
  return bytes => [...decodeText(bytes).matchAll(pattern)].length
}
