import { describe, expect, it } from 'vitest'
import { documentOf, type TextDocument } from '../../core/text.ts'
import { seeds } from '../../testing/depth.ts'
import { forSeeds, type Random } from '../../testing/random.ts'
import { diffDocuments } from '../diff.ts'
import { ToolError } from '../../core/errors.ts'
import { applyHunks } from './apply.ts'
import type { BlockResolver } from './blocks.ts'
import { formatOperation, type Operation } from './hunk.ts'
import { parseScript } from './parse.ts'
import { previewScript } from './preview.ts'

const files: ReadonlyMap<string, TextDocument> = new Map(
  ['a', 'b'].map(path => [path, documentOf(Array.from({ length: 30 }, (_, index) => `${path}${index + 1} {\n`).join(''))]),
)
const lookup = (path: string): TextDocument | undefined => files.get(path)
/** A block is a line and the next two. */
const resolver: BlockResolver = (document, lineNumber) =>
  lineNumber + 2 > document.lines.length ? undefined : { start: lineNumber, end: lineNumber + 2 }
const options = { resolveBlock: () => resolver }

function randomScript(random: Random): string {
  const operation = (): string => {
    const line = 1 + random.below(32)
    const operations: readonly Operation[] = [
      { kind: 'replace', start: line, end: line + random.below(3) },
      { kind: 'delete', start: line, end: line + random.below(3) },
      { kind: 'insert', at: { place: 'after', line } },
      { kind: 'insert', at: { place: 'tail' } },
      { kind: 'replace-block', line },
      { kind: 'delete-block', line },
      { kind: 'insert-after-block', line },
    ]
    const chosen = random.pick(operations)
    const rows = Array.from({ length: 1 + random.below(3) }, () => `+${random.pick(['x', '', 'delete 3', '[a#00AA]', '}'])}`)
    return [
      formatOperation(chosen),
      ...(chosen.kind.startsWith('delete') ? [] : rows),
      ...(random.chance(0.05) ? ['bare'] : []),
    ].join('\n')
  }
  const sections = Array.from({ length: 1 + random.below(3) }, () => {
    const hunks = Array.from({ length: 1 + random.below(4) }, operation)
    return [`[${random.pick(['a', 'b', 'unknown'])}#00AA]`, ...hunks].join('\n')
  })
  return sections.join('\n') + random.pick(['', '\n', '\n*** End Patch\n'])
}

it('any beginning of a script has a preview, and the whole script has that of the edit', async () => {
  let whole = 0
  await forSeeds(seeds({ quick: 20, deep: 200 }), random => {
    const script = randomScript(random)
    for (let length = 0; length < script.length; length++) {
      previewScript(script.slice(0, length), lookup, { ...options, isGrowing: length % 2 === 0 })
    }
    const previews = previewScript(script, lookup, options)
    try {
      const edits = parseScript(script).sections.flatMap(({ path, tag, hunks }) => {
        const document = lookup(path)
        if (document === undefined) return []
        const applied = applyHunks(document, hunks, { resolveBlock: resolver })
        return [{ path, tag, diff: diffDocuments(document, applied.document, path) }]
      })
      expect(previews).toEqual(edits)
      whole++
    } catch (error) {
      if (!(error instanceof ToolError)) throw error
    }
  })
  expect(whole).toBeGreaterThan(2)
})

describe('while the script grows', () => {
  const shown = (partial: string, isGrowing: boolean): string =>
    previewScript(partial, lookup, { isGrowing })
      .map(({ path, diff }) => `${path} -${diff.removed} +${diff.added}`)
      .join(', ')
  // script so far, result if more will come, result if the script is complete
  it.each<[string, string, string?]>([
    ['', ''],
    ['[', ''],
    ['[a#00A', ''],
    ['[a#00AA]', ''],
    ['[a#00AA]\nrepl', ''],
    ['[a#00AA]\nreplace 1..2:', ''],
    ['[a#00AA]\nreplace 1..2:\n', ''],
    ['[a#00AA]\nreplace 1..2:\n+', 'a -2 +1'],
    ['[a#00AA]\nreplace 1..2:\n+one\n+tw', 'a -2 +2'],
    ['[a#00AA]\nreplace 1..2:\n+one\nins', 'a -2 +1', 'a -2 +2'],
    ['[a#00AA]\nreplace 1..2:\n+one\ninsert after 9', 'a -2 +1'],
    ['[a#00AA]\nreplace 1..2:\n+one\ninsert after 99:\n+x', 'a -2 +1'],
    ['[a#00AA]\nreplace 1..2:\n+one\n\n[b#00', 'a -2 +1', 'a -2 +3'],
    ['[a#00AA]\nreplace 1..2:\n+one\n\n[b#00BB]\ndelete 4', 'a -2 +1', 'a -2 +1, b -1 +0'],
    ['[a#00AA]\ndelete 1\n[nobody#00BB]\ndelete 4\n', 'a -1 +0'],
    ['[a#00AA]\ndelete 1\ndelete block 4\n', 'a -1 +0'],
    ['*** Begin Patch\n[a#00AA]\ndelete 1\n*** End', 'a -1 +0'],
    ['[a#00AA]\ndelete 1\n@@ -1 +1 @@\ndelete 2\n', 'a -1 +0'],
  ])('%j', (partial, growing, whole = growing) => {
    expect(shown(partial, true)).toBe(growing)
    expect(shown(partial, false)).toBe(whole)
  })
})
