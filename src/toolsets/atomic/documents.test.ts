// Documents through the tools: whole, in parts, in archives, searched, and refused with the next step.

import { createWorkspace, textOf } from 'anchorage'
import { memory } from 'anchorage/fs/memory'
import { zipSync } from 'fflate'
import { expect, it } from 'vitest'

import { madeDocx, madePdf, madePptx, madeXlsx } from '../../testing/documents/made-documents.ts'

const row = (text: string): string => `<row><c t="inlineStr"><is><t>${text}</t></is></c></row>`
const docx = madeDocx(
  '<w:p><w:r><w:t>one</w:t></w:r></w:p><w:p><w:r><w:t>two</w:t></w:r></w:p><w:p><w:r><w:t>three</w:t></w:r></w:p>',
)
const files = {
  'a.docx': docx,
  'a.pdf': madePdf([{ texts: [[12, 50, 700, 'first']] }, { texts: [[12, 50, 700, 'second']] }]),
  'a.xlsx': madeXlsx({ Costs: row('x'), Y2024: row('y') }),
  'a.pptx': madePptx(['<p:sp><p:txBody><a:p><a:r><a:t>hello</a:t></a:r></a:p></p:txBody></p:sp>']),
  'a.rtf': '{\\rtf1 rich}',
  'text.doc': 'only text\n',
  'old.doc': Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1, 0x1a, 0xe1),
  'a.zip': zipSync({ 'in/a.docx': docx }),
}

const rows: readonly (readonly [path: string, shown: string | RegExp, isError?: boolean])[] = [
  ['a.docx', 'one\n\ntwo\n\nthree'],
  ['a.docx:5-5', /three/],
  ['a.docx:99', /beyond the end of the document/],
  ['a.zip:in/a.docx', 'one\n\ntwo\n\nthree'],
  ['a.pdf', '<!-- Page 1 -->\n\nfirst\n\n<!-- Page 2 -->\n\nsecond'],
  ['a.pdf:page 2', '<!-- Page 2 -->\n\nsecond'],
  ['a.pdf:page 3', /a\.pdf has no page 3\.\nIt has: page 1, page 2\./, true],
  ['a.xlsx:sheet Costs', '## Costs\n\n| x |\n| --- |'],
  ['a.xlsx:sheet Y2024', '## Y2024\n\n| y |\n| --- |'],
  ['a.xlsx:sheet 1', '## Costs\n\n| x |\n| --- |'],
  ['a.xlsx:sheet Nope', /It has: sheet Costs, sheet Y2024\./, true],
  ['a.pptx:slide 1', '<!-- Slide 1 -->\n\nhello'],
  ['a.rtf', 'rich'],
  ['a.rtf:raw', '{\\rtf1 rich}'],
  ['text.doc', /1:only text/],
  ['old.doc:foo', /Cannot read old\.doc: it is cut off/, true],
  ['a.docx:foo', /has no foo\.\nIt has no parts/, true],
  ['old.doc', /Cannot read old\.doc: it is cut off\.\nAsk the user/, true],
]
for (const [path, shown, isError = false] of rows) {
  it(`read ${path}`, async () => {
    const workspace = await createWorkspace({ fs: memory(files) })
    const result = await (await workspace.toolset('atomic')).call('read', { path })
    expect(result.isError, textOf(result)).toBe(isError)
    if (typeof shown === 'string') expect(textOf(result)).toBe(shown)
    else expect(textOf(result)).toMatch(shown)
    await workspace.dispose()
  })
}

it('search finds the words of a document', async () => {
  const workspace = await createWorkspace({ fs: memory(files) })
  const result = await (await workspace.toolset('atomic')).call('search', { pattern: 'two', paths: 'a.docx' })
  expect(textOf(result)).toMatch(/a\.docx:3: two/)
  await workspace.dispose()
})

it('write refuses to turn a document into text', async () => {
  const workspace = await createWorkspace({ fs: memory(files) })
  const tools = await workspace.toolset('atomic')
  expect((await tools.call('write', { path: 'a.pdf:page 1', content: 'x' })).isError).toBe(true)
  expect(await workspace.fs.readFile('/workspace/a.pdf')).toEqual(files['a.pdf'])
})
