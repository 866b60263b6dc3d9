// A large file is shown as a smaller one with the same lines would be, and an edit takes its tag.

import { expect, it } from 'vitest'

import { openToolSession } from '../../../testing/tool-session.ts'
import { contentTag } from '../../../text/hashline/tag.ts'
import { inDeepRun, sample } from '../../../testing/depth.ts'

const filler = 'a line of words that are of no interest\n'
const count = Math.ceil((16 * 1024 * 1024) / filler.length)

it('shows ranges, keeps tags, and takes edits', async () => {
  const session = await openToolSession({ 'big.txt': `first é  \n${filler.repeat(count)}last` })
  const tag = contentTag(`first é  \n${filler.repeat(count)}last`)
  const total = count + 2
  expect(await session.text('read', { path: `big.txt:${total}-${total}` })).toBe(
    `[big.txt#${tag}]\n${total - 1}:${filler.trimEnd()}\n${total}:last`,
  )
  expect(await session.text('read', { path: 'big.txt:1-1:raw' })).toContain('first é  \n')
  await session.text('edit', { input: `[big.txt#${tag}]\nreplace ${total}..${total}:\n+end` })
  expect(await session.text('read', { path: `big.txt:${total}` })).toContain(`${total}:end`)
})

it('refuses all of it, and says how to read a part', async () => {
  const session = await openToolSession({ 'big.txt': filler.repeat(count) })
  const { text, isError } = await session.call('read', { path: 'big.txt' }).then(result => ({
    isError: result.isError,
    text: result.content.map(each => (each.type === 'text' ? each.text : '')).join(''),
  }))
  expect(isError).toBe(true)
  expect(text).toContain('read({"path": "big.txt:1+200"})')
  expect(text).toContain(`${(filler.length * count - count).toLocaleString('en-US')} characters`)
})

const endings: readonly (readonly [what: string, mark: string, ending: string])[] = [
  ['a mark and CRLF', '\uFEFF', '\r\n'],
  ['lone CR', '', '\r'],
]
it.each(sample(endings, 2))('has the tag of the normal form of a text with %s', async (_what, mark, ending) => {
  const lines = filler.repeat(count)
  const session = await openToolSession({ 'big.txt': mark + lines.replaceAll('\n', ending) })
  expect(await session.text('read', { path: 'big.txt:2-2' })).toMatch(
    new RegExp(`^\\[big\\.txt#${contentTag(lines)}\\]\\n1:${filler.trimEnd()}\\n2:`),
  )
})

it('is refused where it is no text', async () => {
  const session = await openToolSession({ 'big.txt': `${filler.repeat(count)}\0` })
  expect((await session.failure('read', { path: 'big.txt:1-2' })).code).toBe('binary-file')
})

inDeepRun(() =>
  it('of one line tells how many bytes it has', async () => {
    const session = await openToolSession({ 'big.txt': 'é'.repeat(9_000_000) })
    const { content } = await session.call('read', { path: 'big.txt' })
    expect(JSON.stringify(content)).toContain('up to byte 18000000')
  }),
)
