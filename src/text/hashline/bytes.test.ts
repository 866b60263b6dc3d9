// The guarantee of every edit: text that the script does not name keeps its bytes. The oracle here does not use documents: it divides the
// raw bytes at line ends and searches for each unnamed piece, in order, in the resulting bytes.

import { readdirSync, readFileSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { decodeText, documentOf, encodeText, textOf } from '../../core/text.ts'
import { seeds } from '../../testing/depth.ts'
import { createRandom, forSeeds, type Random } from '../../testing/random.ts'
import { applyHunks } from './apply.ts'
import type { Hunk } from './hunk.ts'
import { parseScript } from './parse.ts'

/** Lines with their endings, as a regular expression sees them. */
const pieces = (text: string): readonly string[] => text.match(/[^\r\n]*(?:\r\n|\r|\n)|[^\r\n]+/g) ?? []
const latin1 = new TextDecoder('latin1')

describe('outside the edited lines nothing changes', () => {
  const alphabet = [
    'a',
    'B',
    ' ',
    '\t',
    '  ',
    '{',
    '}',
    '"',
    "'",
    '\u00E9',
    '日',
    '😀',
    '\u00A0',
    '\u2028',
    '\u0085',
    '\f',
    '\u200B',
    '\uFEFF',
  ]
  const endings = ['\n', '\r\n', '\r', '\n\n', '\r\r', '\r\n\n', '\n\r']
  const nasty = (random: Random): string => {
    const kinds = [random.pick(endings), random.pick(endings), '\n']
    const line = (): string => Array.from({ length: random.below(6) }, () => random.pick(alphabet)).join('')
    const body = Array.from({ length: random.below(14) }, () => line() + random.pick(kinds)).join('')
    return (random.chance(0.2) ? '\uFEFF' : '') + body + (random.chance(0.4) ? line() : '')
  }

  it('mixed endings, lone CR, BOM, no final newline, tabs, odd characters', async () => {
    await forSeeds(seeds({ quick: 300, deep: 20_000 }), (random, seed) => {
      const text = nasty(random)
      const document = documentOf(text)
      const lineCount = document.lines.length
      if (lineCount === 0) return
      const start = 1 + random.below(lineCount)
      const end = Math.min(lineCount, start + random.below(4))
      const rows = Array.from({ length: 1 + random.below(3) }, () => random.pick(['new', '', '\tx  ', '日本', '}']))
      const at = { place: random.chance(0.5) ? 'before' : 'after', line: start } as const
      const hunk: Hunk = random.pick<Hunk>([
        { kind: 'replace', start, end, rows, scriptLine: 2 },
        { kind: 'delete', start, end, scriptLine: 2 },
        { kind: 'insert', at, rows, scriptLine: 2 },
      ])
      const edited = textOf(applyHunks(document, [hunk], { repairs: false }).document)
      if (document.bom) expect(edited.charAt(0)).toBe('\uFEFF')
      const result = document.bom ? edited.slice(1) : edited
      // The BOM belongs to the file, not to its first line.
      const bom = document.bom ? '\uFEFF' : ''
      const all = pieces(text.slice(bom.length))
      const [cut, next] =
        hunk.kind !== 'insert' ? [start - 1, end] : at.place === 'before' ? [start - 1, start - 1] : [start, start]
      const head = all.slice(0, cut).join('')
      const tail = all.slice(next).join('')
      const context = { seed, text, hunk, result }
      // What may have to change because of the lines: if the last line had no ending, the new last line has none; and one CR is added if a
      // CR and an LF would otherwise join to one line ending.
      const keepsHead = result.startsWith(head) || result === withoutEnding(head)
      expect({ ...context, keepsHead }).toEqual({ ...context, keepsHead: true })
      const keepsTail = result.endsWith(tail)
      expect({ ...context, keepsTail }).toEqual({ ...context, keepsTail: true })
    })
  })

  const withoutEnding = (text: string): string => text.replace(/(?:\r\n|\r|\n)$/, '')

  it('a lone surrogate stays one in the text', () => {
    const document = documentOf('a\uD800\nb\nc\uDC00')
    const edited = applyHunks(document, [{ kind: 'replace', start: 2, end: 2, rows: ['B'], scriptLine: 2 }]).document
    expect(textOf(edited)).toBe('a\uD800\nB\nc\uDC00')
  })

  it.each([
    ['NUL', [0x61, 0x0a, 0x00, 0x0a]],
    ['Latin-1', [0x63, 0x61, 0x66, 0xe9, 0x0a]],
    ['half a sequence', [0x61, 0xe6, 0x97]],
    ['a surrogate', [0x61, 0xed, 0xa0, 0x80]],
    ['overlong', [0xc0, 0xaf]],
  ])('%s is no text and never becomes a document', (_, bytes) => {
    expect(decodeText(Uint8Array.from(bytes)).kind).toBe('binary')
  })

  it('any bytes: a document or none, and a document gives back its bytes', async () => {
    await forSeeds(seeds({ quick: 100, deep: 5000 }), random => {
      const bytes = Uint8Array.from({ length: random.below(40) }, () =>
        random.chance(0.7) ? random.pick([0x0a, 0x0d, 0x20, 0x61, 0x7d]) : random.below(256),
      )
      const decoded = decodeText(bytes)
      if (decoded.kind === 'text') expect(latin1.decode(encodeText(decoded.document))).toBe(latin1.decode(bytes))
    })
  })
})

describe('mutations of real sources come out byte for byte', () => {
  const count = seeds({ quick: 200, deep: 2000 })
  const sources = realSources()

  it(`${count} seeds over ${sources.length} files of this repository and its dependencies`, () => {
    let editedLines = 0
    for (let seed = 1; seed <= count; seed++) {
      const random = createRandom(seed)
      const { path, text } = random.pick(sources)
      const mutation = mutate(text, random)
      const [section] = parseScript(`[${path}#0000]\n${mutation.script}`).sections
      const bytes = new TextEncoder().encode(text)
      const decoded = decodeText(bytes)
      if (decoded.kind !== 'text') throw new Error(`${path} is not text`)
      const edited = encodeText(applyHunks(decoded.document, section?.hunks ?? [], { repairs: false }).document)
      if (latin1.decode(edited) !== latin1.decode(new TextEncoder().encode(mutation.text))) {
        expect({ seed, path, script: mutation.script, text: new TextDecoder().decode(edited) }).toEqual({
          seed,
          path,
          script: mutation.script,
          text: mutation.text,
        })
      }
      editedLines += mutation.script.split('\n').length
    }
    console.log(`round trip: ${count} of ${count} equal, ${editedLines} script lines`)
  })

  /** Repairs are for mistakes; a correct script must give the same result with them, or the result must report a repair. */
  it('with repairs: equal, or the result says what was done', () => {
    let repaired = 0
    for (let seed = 1; seed <= count; seed++) {
      const random = createRandom(seed)
      const { path, text } = random.pick(sources)
      const mutation = mutate(text, random)
      const [section] = parseScript(`[${path}#0000]\n${mutation.script}`).sections
      const applied = applyHunks(documentOf(text), section?.hunks ?? [])
      if (textOf(applied.document) === mutation.text) continue
      repaired++
      expect({ seed, warnings: applied.warnings.join() }).toEqual({
        seed,
        warnings: expect.stringContaining('without a partner'),
      })
    }
    console.log(`repairs took ${repaired} of ${count} mutations for slips`)
    expect(repaired).toBeLessThan(count / 20)
  })
})

/** Divides the text into lines by itself, changes some, and records its changes. */
function mutate(text: string, random: Random): { readonly script: string; readonly text: string } {
  const lines = [...pieces(text)]
  const ending = lines[0]?.match(/\r\n|\n|\r/)?.[0] ?? '\n'
  const script: string[] = []
  const result: string[] = []
  const steps = 1 + random.below(4)
  const starts = Array.from({ length: steps }, () => random.below(lines.length)).sort((left, right) => left - right)
  let done = 0
  for (const start of starts) {
    // Never the last line: another test covers whether it has an ending.
    if (start < done || start >= lines.length - 1) continue
    result.push(...lines.slice(done, start))
    const count = Math.min(1 + random.below(5), lines.length - 1 - start)
    const rows = Array.from({ length: 1 + random.below(4) }, () => {
      const source = pieces(text)[random.below(lines.length)]?.replace(/[\r\n]+$/, '') ?? ''
      return random.chance(0.5) ? source : `${source.slice(0, random.below(40))}/* ${random.below(1000)} */`
    }).map(row => (row.isWellFormed() ? row : 'x'))
    const body = rows.map(row => `+${row}`)
    const written = rows.map(row => row + ending)
    const kind = random.below(4)
    if (kind === 0) {
      script.push(`delete ${start + 1}..${start + count}`)
      done = start + count
    } else if (kind === 1) {
      script.push(`replace ${start + 1}..${start + count}:`, ...body)
      result.push(...written)
      done = start + count
    } else if (kind === 2) {
      script.push(`insert before ${start + 1}:`, ...body)
      result.push(...written, lines[start] ?? '')
      done = start + 1
    } else {
      script.push(`insert after ${start + 1}:`, ...body)
      result.push(lines[start] ?? '', ...written)
      done = start + 1
    }
  }
  if (script.length === 0) {
    script.push('insert head:', '+first')
    result.push(`first${ending}`)
  }
  result.push(...lines.slice(done))
  return { script: script.join('\n'), text: result.join('') }
}

/** Files with one kind of line ending, because the oracle above supports only one. */
function realSources(): readonly { readonly path: string; readonly text: string }[] {
  const source = fileURLToPath(new URL('../..', import.meta.url))
  const dependency = dirname(createRequire(import.meta.url).resolve('diff/package.json'))
  const own = readdirSync(source, { recursive: true, encoding: 'utf8' }).map(name => join(source, name))
  const foreign = readdirSync(dependency, { recursive: true, encoding: 'utf8' }).map(name => join(dependency, name))
  return [...own, ...foreign].flatMap(path => {
    if (!/\.(?:ts|js|mjs|json|md)$/.test(path) || statSync(path).size > 200_000) return []
    const text = readFileSync(path, 'utf8')
    const kinds = new Set(text.match(/\r\n|\r|\n/g))
    return kinds.size === 1 && pieces(text).length > 2 && !text.includes('\0') ? [{ path: 'f', text }] : []
  })
}
