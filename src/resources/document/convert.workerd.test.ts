// The readers in Cloudflare Workers: none of them compiles code or needs a page.

import { expect, it } from 'vitest'

import { documentToMarkdown } from './convert.ts'
import { madeDocx, madePdf, madeXlsx } from './made-documents.ts'
import { madeXls } from './made-legacy.ts'

const { signal } = new AbortController()

const rows = [
  ['pdf', madePdf([{ texts: [[12, 50, 700, 'some text']] }]), 'some text'],
  ['docx', madeDocx('<w:p><w:r><w:t>text</w:t></w:r></w:p>'), 'text'],
  ['xlsx', madeXlsx({ S: '<row><c><v>1</v></c></row>' }), '| 1 |'],
  ['xls', madeXls(), '| hi | ab漢字 |'],
] as const
for (const [kind, bytes, part] of rows) {
  it(`reads ${kind}`, async () => {
    expect((await documentToMarkdown(bytes, kind, { signal })).markdown).toContain(part)
  })
}
