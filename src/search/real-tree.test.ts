// Compared with ripgrep on real source code: the same files and the same lines, for patterns made from words that occur. By default the
// sources of this repository; in the deep run its node_modules too.

import { spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'

import { afterAll, beforeAll, expect, test } from 'vitest'

import { isDeep, seeds } from '../testing/depth.ts'
import { createRandom, type Random } from '../testing/random.ts'
import { installedCommand } from '../testing/search-oracle/installed-command.ts'
import { BlockIndex } from './index/block-index.ts'
import { lineEndingsOf } from './lines.ts'
import type { Region } from './lines.ts'
import { searchSteps } from './matcher.ts'
import { compilePattern, type Pattern } from './pattern.ts'
import { describeUnless, whyNotInstalled } from '../testing/suites.ts'

const repository = resolve(fileURLToPath(import.meta.url), '../../..')
const roots = isDeep ? ['src', 'demo', 'e2e', 'node_modules'] : ['src/search', 'src/session', 'src/core']
const patternCount = seeds({ quick: 12, deep: 60 })
/** The part of node_modules that is searched. */
const maxTotalBytes = isDeep ? 50_000_000 : 2_000_000
const maxFileBytes = 4 * 1024 * 1024
/** Binary files, and the caches in node_modules, whose files come and go while other tests run. */
const leftOut = /\.(?:wasm|node|png|jpg|woff2?|gz|zip)$|\/node_modules\/\./

const rg = installedCommand('rg') ?? ''

interface SourceFile {
  readonly name: string
  readonly bytes: Uint8Array
  readonly hasReturns: boolean
}

/** Why a file is left out: where we differ from ripgrep on purpose. */
function reasonToSkip(bytes: Uint8Array): string | undefined {
  if (bytes.includes(0)) return 'a null byte: ripgrep looks for it beyond the first 8 KiB'
  if (lineEndingsOf(bytes) === 'any') return 'a lone carriage return: ends a line here, not in ripgrep'
  if (bytes[0] === 0xff || bytes[0] === 0xfe) return 'UTF-16: ripgrep transcodes it'
  try {
    new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch (error) {
    if (error instanceof TypeError) return 'invalid UTF-8: reads as U+FFFD here, as nothing in ripgrep'
    throw error
  }
  return undefined
}

function readTree(): readonly SourceFile[] {
  const files: SourceFile[] = []
  const skipped: Record<string, number> = {}
  let total = 0
  for (const root of roots) {
    for (const entry of readdirSync(join(repository, root), { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name)
      if (!entry.isFile() || leftOut.test(path) || statSync(path).size > maxFileBytes) continue
      const bytes = new Uint8Array(readFileSync(path))
      const reason = reasonToSkip(bytes)
      if (reason !== undefined) {
        skipped[reason] = (skipped[reason] ?? 0) + 1
        continue
      }
      if (total + bytes.length > maxTotalBytes) continue
      total += bytes.length
      files.push({ name: relative(repository, path), bytes, hasReturns: bytes.includes(13) })
    }
  }
  if (isDeep) console.log(`${files.length} files, ${(total / 1e6).toFixed(1)} MB; left out:`, skipped)
  return files
}

describeUnless(whyNotInstalled(rg, 'rg'), 'finds in real sources what ripgrep finds', () => {
  const files = readTree()
  // A copy, because the sources may change while ripgrep reads them.
  let copy = ''
  beforeAll(() => {
    copy = mkdtempSync(join(tmpdir(), 'real-tree-'))
    for (const { name, bytes } of files) {
      mkdirSync(dirname(join(copy, name)), { recursive: true })
      writeFileSync(join(copy, name), bytes)
    }
  })
  afterAll(() => rmSync(copy, { recursive: true }))
  const random = createRandom(20_260_801)
  const index = new BlockIndex({ maxBytes: 1e9 })
  for (const { name, bytes } of files) index.addFile(name, '1', bytes)
  const patterns = Array.from({ length: patternCount }, () => randomPattern(random, files))

  test(`${patterns.length} patterns`, { timeout: 3_600_000 }, () => {
    const wrong: string[] = []
    let matches = 0
    for (const { source, ignoreCase } of patterns) {
      const compiled = compilePattern(source, { ignoreCase })
      if (compiled.kind === 'error') throw new Error(`${source}: ${compiled.message}`)
      const spansLines = compiled.pattern.scope === 'text'
      // In a file with several kinds of line breaks, a pattern that names one has another meaning in ripgrep.
      const asked = spansLines ? files.filter(file => !file.hasReturns) : files
      const theirs = ripgrep(copy, source, ignoreCase, spansLines)
      for (const file of asked) {
        const expected = theirs.get(file.name) ?? ''
        const actual = search(file.bytes, compiled.pattern)
        const indexed = searchIndexed(index, file, compiled.pattern)
        matches += expected === '' ? 0 : 1
        if (actual !== expected || indexed !== expected) {
          wrong.push(
            `${source}${ignoreCase ? ' (i)' : ''} in ${file.name}: ripgrep ${expected}; ours ${actual}; indexed ${indexed}`,
          )
        }
      }
    }
    expect(wrong.slice(0, 20)).toEqual([])
    expect(matches).toBeGreaterThan(patterns.length)
    if (isDeep) console.log(`${matches} files with matches, over ${patterns.length} patterns`)
  })
})

function search(bytes: Uint8Array, pattern: Pattern, regions?: readonly Region[]): string {
  const lines: number[] = []
  const steps = searchSteps(bytes, pattern, ({ lineNumber }) => lines.push(lineNumber) > 0, { regions })
  while (steps.next().done !== true);
  return lines.join(' ')
}

function searchIndexed(index: BlockIndex, { name, bytes }: SourceFile, pattern: Pattern): string {
  const candidate = index.query(pattern).candidate(name, '1')
  if (candidate.kind === 'none') return ''
  return search(bytes, pattern, candidate.kind === 'regions' ? candidate.regions : undefined)
}

/** The entries of the directory, so that ripgrep prints no leading `./`. */
function topLevel(directory: string): readonly string[] {
  return readdirSync(directory)
}

/** File → its matching lines. */
function ripgrep(directory: string, source: string, ignoreCase: boolean, spansLines: boolean): ReadonlyMap<string, string> {
  const options = ['-nH0', '--no-heading', '--no-config', '--no-ignore', '--hidden', '--max-columns', '1', '--max-filesize', '4M']
  const flags = [...(ignoreCase ? ['-i'] : []), ...(spansLines ? ['-U'] : ['--crlf'])]
  const { stdout, status, stderr } = spawnSync(rg, [...options, ...flags, '-e', source, ...topLevel(directory)], {
    cwd: directory,
    maxBuffer: 1 << 30,
  })
  if (status === 2) throw new Error(`rg ${source}: ${String(stderr)}`)
  const found = new Map<string, string>()
  for (const row of String(stdout).split('\n')) {
    const match = /^([^\0]+)\0(\d+):/.exec(row)
    if (match?.[1] === undefined) continue
    const before = found.get(match[1])
    found.set(match[1], before === undefined ? `${match[2]}` : `${before} ${match[2]}`)
  }
  return found
}

function randomPattern(random: Random, files: readonly SourceFile[]): { source: string; ignoreCase: boolean } {
  const word = (): string => {
    for (;;) {
      const { bytes } = random.pick(files)
      const at = random.below(Math.max(1, bytes.length - 200))
      const words =
        new TextDecoder()
          .decode(bytes.subarray(at, at + 200))
          .match(/[\p{L}\p{N}_]{3,20}/gu)
          ?.slice(1, -1) ?? []
      if (words.length > 0) return random.pick(words)
    }
  }
  const cut = (text: string): string => text.slice(0, 1 + random.below(text.length))
  const source = random.pick([
    () => word(),
    () => word(),
    () => `\\b${word()}\\b`,
    () => `${word()}|${word()}|${word()}`,
    () => `(?:${word()}|${word()})\\s*\\(`,
    () => `${word()}.*${word()}`,
    () => `.*${cut(word())}.*${cut(word())}`,
    () => `^\\s*${word()}`,
    () => `${word()}$`,
    () => `${cut(word())}[;,)]$`,
    () => `\\w+${cut(word())}\\(`,
    () => `[A-Z]\\w*${cut(word())}`,
    () => `\\b[A-Z]{3,}_[A-Z]+\\b`,
    () => `[0-9a-f]{${4 + random.below(6)}}-`,
    () => `(\\w+)\\.${cut(word())}\\(`,
    () => `(?i:${cut(word())})${cut(word())}`,
    () => `["'\`]${word()}["'\`]`,
    () => `[^\\x00-\\x7F]+ ${cut(word())}`,
    () => `\\p{Lu}\\p{Ll}+ ${cut(word())}`,
    () => `\\B${cut(word())}\\B`,
    () => `\\d{${1 + random.below(4)}}\\.\\d+`,
    () => `[—–…→] ?\\w+`,
    () => `(?:${cut(word())})+\\W${cut(word())}?`,
    () => `\\W\\W\\W${cut(word())}`,
    () => `^.{${20 + random.below(100)}}${cut(word())}`,
    () => `^(\\w+\\s?)*$`,
    () => `(.*${cut(word()).slice(0, 2)}){${2 + random.below(8)}}`,
    () => `${cut(word())}.*\\n.*${cut(word())}`,
    () => `[{;]\\n\\s*${cut(word())}`,
    () => `^\\}\\n\\n${cut(word())}?`,
    () => `${word()}[\\s\\S]{0,40}${word()}\\n`,
  ])()
  return { source, ignoreCase: random.chance(0.3) }
}
