import { expect, it } from 'vitest'
import { pathsIn } from './file-links.ts'

/** A line of output, and what may be a path in it, as `text=path:line:column`. */
const rows: readonly (readonly [line: string, found: readonly string[]])[] = [
  ['src/a.ts', ['src/a.ts=/w/src/a.ts']],
  ['src/a.ts:12:5: error', ['src/a.ts:12:5=/w/src/a.ts:12:5']],
  ['a.ts(12,5): error TS2304', ['a.ts(12,5=/w/a.ts:12:5']],
  ['  at f (/w/src/a.ts:3:1)', ['/w/src/a.ts:3:1=/w/src/a.ts:3:1']],
  ['see ./docs/x.md.', ['./docs/x.md=/w/docs/x.md']],
  ['cat "a b.txt" \'c d.txt\':7', ['"a b.txt"=/w/a b.txt', "'c d.txt':7=/w/c d.txt:7"]],
  ['../b/c.ts and d.ts, e.ts;', ['../b/c.ts=/b/c.ts', 'd.ts=/w/d.ts', 'e.ts=/w/e.ts']],
  ['größe/日本.ts:1', ['größe/日本.ts:1=/w/größe/日本.ts:1']],
  ['plain words 12:30 ... / // .', []],
  ['https://example.org/a.ts', []],
  [`${'x'.repeat(5_000)}/a.ts`, [`${'x'.repeat(4_000)}=`].slice(1)],
]

it.each(rows)('%s', (line, found) => {
  const shown = pathsIn(line, '/w').map(({ start, end, path, line: at, column }) =>
    [`${line.slice(start, end)}=${path}`, at, column].filter(part => part !== undefined).join(':'),
  )
  expect(shown).toEqual(found)
})
