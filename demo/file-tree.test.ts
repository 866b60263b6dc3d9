import { expect, test } from 'vitest'
import { parentsOf, treeRows } from './file-tree.ts'

const paths = ['src/core/b.ts', 'src/a.ts', 'README.md', 'src/core/a.ts', 'docs/x.md']

/** `  src/` an open directory two levels down, `+src/` a closed one. */
function draw(open: readonly string[]): string[] {
  return treeRows(paths, directory => open.includes(directory)).map(row => {
    const indent = '  '.repeat(row.depth - 1)
    return row.kind === 'file' ? `${indent}${row.name}` : `${indent}${row.isOpen ? '' : '+'}${row.name}/`
  })
}

test('closed directories hide what is below, directories come first', () => {
  expect(draw([])).toEqual(['+docs/', '+src/', 'README.md'])
  expect(draw(['src'])).toEqual(['+docs/', 'src/', '  +core/', '  a.ts', 'README.md'])
  expect(draw(['src', 'src/core'])).toEqual(['+docs/', 'src/', '  core/', '    a.ts', '    b.ts', '  a.ts', 'README.md'])
})

test('a row knows its place among its siblings', () => {
  const rows = treeRows(paths, () => false)
  expect(rows.map(row => [row.name, row.position, row.siblingCount])).toEqual([
    ['docs', 1, 3],
    ['src', 2, 3],
    ['README.md', 3, 3],
  ])
})

test('no paths, no rows', () => {
  expect(treeRows([], () => true)).toEqual([])
})

test.each([
  ['a/b/c.ts', ['a', 'a/b']],
  ['c.ts', []],
])('the directories above %s', (path, expected) => {
  expect(parentsOf(path)).toEqual(expected)
})
