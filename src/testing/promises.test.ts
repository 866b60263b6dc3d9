// The page of atomic says for each promise which test holds it. A test that was renamed or removed must not stay on the page.

import { existsSync, readFileSync } from 'node:fs'

import { expect, it } from 'vitest'

const page = readFileSync(new URL('../../docs/toolsets/atomic.md', import.meta.url), 'utf8')
const table = page.slice(page.indexOf('## Where it is tested'), page.indexOf('## Differences from the original'))
const rows = table.split('\n').filter(line => line.startsWith('| ') && !/^\| (?:promise|---|\*\*)/.test(line))

it('names a test for each promise', () => {
  expect(rows.length).toBeGreaterThan(150)
  expect(rows.filter(row => !/ \| `[\w./-]+` ".+" \|$/.test(row))).toEqual([])
})

it('names tests that are there', () => {
  const gone = rows.filter(row => {
    const [, path = '', title = ''] = / \| `([\w./-]+)` "(.+)" \|$/.exec(row) ?? []
    const file = new URL(`../${path}`, import.meta.url)
    return !existsSync(file) || !readFileSync(file, 'utf8').includes(title)
  })
  expect(gone).toEqual([])
})
