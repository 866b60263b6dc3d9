// Options with patterns: differences that add or remove a text (`-S`, `-G`), lines to ignore (`-I`), and what a word is.

import { decodeText, encodeText } from '../../shell/byte-text.ts'
import { diffLines } from '../../text/git-diff/diff-lines.ts'
import { hunksOf } from '../../text/git-diff/hunks.ts'
import { lineAt } from '../../text/git-diff/lines.ts'
import { fatal, GitFailure } from '../errors.ts'
import type { Options } from '../options.ts'
import { posixPattern } from '../revs/posix-pattern.ts'
import type { DiffSettings } from './settings.ts'

export function pickaxeOf(options: Options): DiffSettings['pickaxe'] {
  const text = options.value('pickaxe-string')
  const pattern = options.value('pickaxe-pattern')
  if (text === undefined && pattern === undefined) return undefined
  if ((text !== undefined && pattern !== undefined) || options.has('find-object'))
    throw fatal("options '-G', '-S', and '--find-object' cannot be used together")
  if (pattern !== undefined && options.has('pickaxe-regex'))
    throw fatal("options '-G' and '--pickaxe-regex' cannot be used together, use '--pickaxe-regex' with '-S'")
  const keepsAll = options.has('pickaxe-all')
  const isPattern = pattern !== undefined || options.has('pickaxe-regex')
  const source = pattern ?? text ?? ''
  const flags = options.has('ignore-case') ? 'gim' : 'gm'
  const test = isPattern
    ? patternCounter(posixPattern(source, 'extended', flags))
    : flags === 'gm' || source === ''
      ? counterOf(source)
      : patternCounter(posixPattern(source, 'fixed', flags))
  return { kind: pattern === undefined ? 'string' : 'pattern', test, keepsAll }
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

function patternCounter(pattern: RegExp): (bytes: Uint8Array) => number {
  return bytes => [...decodeText(bytes).matchAll(pattern)].length
}

/** Whether a changed line matches, for `-G`. */
export function changesMatch(before: Uint8Array, after: Uint8Array, test: (bytes: Uint8Array) => number): boolean {
  const diff = diffLines(before, after)
  return hunksOf(diff, { context: 0 }).some(({ beforeStart, beforeEnd, afterStart, afterEnd }) => {
    for (let line = beforeStart; line < beforeEnd; line++) if (test(lineAt(diff.before, line)) > 0) return true
    for (let line = afterStart; line < afterEnd; line++) if (test(lineAt(diff.after, line)) > 0) return true
    return false
  })
}

export function ignoredLine(sources: readonly string[]): DiffSettings['isIgnoredLine'] {
  if (sources.length === 0) return undefined
  const patterns = sources.map(source => {
    try {
      return posixPattern(source, 'extended', '')
    } catch (error) {
      if (!(error instanceof GitFailure)) throw error
      throw new GitFailure(`error: invalid regex given to -I: '${source}'`, 129)
    }
  })
  return line => {
    const text = decodeText(line).replace(/\n$/, '')
    return patterns.some(pattern => pattern.test(text))
  }
}

export function wordsOf(options: Options, usual: string | undefined): DiffSettings['words'] {
  const given = options.given.findLast(({ key }) => key === 'word-diff' || key === 'color-words')
  const mode = given === undefined ? undefined : given.key === 'color-words' ? 'color' : (given.value ?? 'plain')
  const source = options.given.findLast(
    ({ key, value }) => key === 'word-diff-regex' || (key === 'color-words' && value !== undefined),
  )?.value
  if (mode === 'none' || (mode === undefined && source === undefined)) return undefined
  if (mode !== undefined && mode !== 'plain' && mode !== 'porcelain' && mode !== 'color')
    throw new GitFailure(`error: bad --word-diff argument: ${mode}`, 129)
  const pattern = source ?? usual
  return { mode: mode ?? 'plain', word: pattern === undefined ? undefined : posixPattern(pattern, 'extended', 'gm') }
}
