// What a transaction is based on, where it moved entries several times.
import { expect, test } from 'vitest'
import { parsePath } from '../../core/path.ts'
import { basisOf } from './basis.ts'
import type { Edit } from './edit.ts'
import { createTreeStore } from './store.ts'

/** 'a>b' moves, '-a' removes. */
function edits(text: string): Edit[] {
  const stamp = { atMs: 0, rev: 1 }
  return text.split(' ').map(item => {
    const [from = '', to] = item.replace('-', '').split('>')
    return to === undefined
      ? { kind: 'drop', path: parsePath(from), entry: 'file', ...stamp }
      : { kind: 'move', from: parsePath(from), path: parsePath(to), entry: 'file', nodeRev: 1, ...stamp }
  })
}

test.each([
  ['/a>/b', '/a /b'],
  ['/a>/b /b>/c /c>/d', '/a /b /a /c /a /d'],
  ['/d>/e -/e/x', '/d /e /d/x'],
  ['/d/x>/y /d>/e -/e/x -/y', '/d/x /y /d /e /d/x /d/x'],
  ['/a>/d/x /d>/e -/e/x', '/a /d/x /d /e /a'],
  ['/d>/e /e/x>/e/z -/e/x -/e/z/q', '/d /e /d/x /d/z /d/x /d/x/q'],
  ['/a>/b /c>/a -/a', '/a /b /c /a /c'],
])('%s was at %s', (text, expected) => {
  const { tree } = createTreeStore(Date.now)
  expect(
    basisOf(tree.freeze(), edits(text))
      .map(({ original }) => original)
      .join(' '),
  ).toBe(expected)
})

test('a chain of renames costs its length', () => {
  const { tree } = createTreeStore(Date.now)
  const chain = Array.from({ length: 20_000 }, (_, index) => `/f${index}>/f${index + 1}`).join(' ')
  expect(basisOf(tree.freeze(), edits(chain)).at(-2)?.original).toBe('/f0')
})
