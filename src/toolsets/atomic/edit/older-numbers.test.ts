import { describe, expect, it } from 'vitest'

import { openToolSession, tagIn, textOf } from '../../../testing/tool-session.ts'

const lines = Array.from({ length: 100 }, (_, index) => `line ${index + 1}`)
const inserted = (after: number): readonly string[] => [...lines.slice(0, after), 'theirs', ...lines.slice(after)]
const removed = (line: number): readonly string[] => lines.filter((_, index) => index !== line - 1)
const textFrom = (rows: readonly string[]): string => `${rows.join('\n')}\n`

interface Row {
  readonly name: string
  /** What someone else makes of the file, one text after the other, and what is read after each; the header is of the last. */
  readonly views: readonly (readonly [rows: readonly string[], selector: string])[]
  readonly operation: string
  /** The line that becomes `changed`, by its text; `undefined` when the edit is refused. */
  readonly changes: string | undefined
}

// The file is read whole at first.
const rows: readonly Row[] = [
  {
    name: 'nothing that was shown tells of the inserted line, so the number is of the older view',
    views: [[inserted(50), ':1-2']],
    operation: 'replace 80..80:\n+changed',
    changes: 'line 80',
  },
  {
    name: 'the same for a removed line',
    views: [[removed(50), ':10-12']],
    operation: 'replace 80..80:\n+changed',
    changes: 'line 80',
  },
  {
    name: 'and for a number that the newer text does not have',
    views: [[removed(50), ':10-12']],
    operation: 'replace 100..100:\n+changed',
    changes: 'line 100',
  },
  {
    name: 'the rows that were shown tell that lines moved: the number may be counted in either text',
    views: [[inserted(0), ':1-2']],
    operation: 'replace 80..80:\n+changed',
    changes: undefined,
  },
  {
    name: 'the same for a number that the newer text does not have',
    views: [[removed(1), ':1-2']],
    operation: 'replace 100..100:\n+changed',
    changes: undefined,
  },
  {
    name: 'two older views showed the number for two lines',
    views: [
      [inserted(50), ':75-85'],
      [['first', ...inserted(50)], ':40-42'],
    ],
    operation: 'replace 80..80:\n+changed',
    changes: undefined,
  },
  {
    name: 'the line changed meanwhile',
    views: [[inserted(50).map(line => (line === 'line 80' ? 'their 80' : line)), ':1-2']],
    operation: 'replace 80..80:\n+changed',
    changes: undefined,
  },
  {
    name: 'the inserted line is inside the range',
    views: [[inserted(80), ':1-2']],
    operation: 'replace 79..82:\n+changed',
    changes: undefined,
  },
  {
    name: 'a range that was shown under the header in part',
    views: [[inserted(50), ':40-47']],
    operation: 'replace 49..52:\n+changed',
    changes: undefined,
  },
]

describe('a number of an older view under a newer header', () => {
  it.each(rows)('$name', async ({ views, operation, changes }) => {
    const session = await openToolSession({ f: textFrom(lines) })
    await session.text('read', { path: 'f' })
    let tag = ''
    for (const [view, selector] of views) {
      await session.fs.writeFile('/workspace/f', textFrom(view))
      tag = tagIn(await session.text('read', { path: `f${selector}` }))
    }
    const last = views.at(-1)?.[0] ?? []
    const result = await session.call('edit', { input: `[f#${tag}]\n${operation}` })
    if (changes === undefined) {
      expect(result.details['error']).toMatchObject({ code: 'edit-rows-not-shown' })
      expect(await session.file('f')).toBe(textFrom(last))
    } else {
      expect(textOf(result)).toContain(`was shown under #`)
      expect(await session.file('f')).toBe(textFrom(last.map(line => (line === changes ? 'changed' : line))))
    }
  })

  it('is moved once more when the file has changed again', async () => {
    const session = await openToolSession({ f: textFrom(lines) })
    await session.text('read', { path: 'f' })
    await session.fs.writeFile('/workspace/f', textFrom(inserted(50)))
    const tag = tagIn(await session.text('read', { path: 'f:1-2' }))
    await session.fs.writeFile('/workspace/f', textFrom(['first', ...inserted(50)]))
    await session.text('edit', { input: `[f#${tag}]\nreplace 80..80:\n+changed` })
    expect(await session.file('f')).toBe(
      textFrom(['first', ...inserted(50)].map(line => (line === 'line 80' ? 'changed' : line))),
    )
  })

  it('a block that someone changed inside is refused', async () => {
    const text = `// a\n// b\n// c\nfunction one() {\n  first()\n  second()\n}\nlast()\n`
    const session = await openToolSession({ 'f.ts': text })
    await session.text('read', { path: 'f.ts' })
    await session.fs.writeFile('/workspace/f.ts', text.replace('second', 'other').replace('// b', '// b\n// theirs'))
    const tag = tagIn(await session.text('read', { path: 'f.ts:8-8' }))
    expect((await session.call('edit', { input: `[f.ts#${tag}]\ndelete block 4` })).isError).toBe(true)
  })
})
