// The readers in a page: PDF through its library without a worker of its own, and a package of XML.

import { expect, it } from 'vitest'

import { documentToMarkdown } from './convert.ts'
import { madeDocx, madePdf } from './made-documents.ts'

const { signal } = new AbortController()

it('reads a PDF in a page', async () => {
  const bytes = madePdf([
    {
      texts: [
        [24, 50, 700, 'A Title'],
        [12, 50, 600, 'and text'],
      ],
    },
  ])
  const { markdown } = await documentToMarkdown(bytes, 'pdf', { signal })
  expect(markdown).toBe('<!-- Page 1 -->\n\n# A Title\n\nand text')
})

it('reads a Word document in a page', async () => {
  const { markdown } = await documentToMarkdown(madeDocx('<w:p><w:r><w:t>text</w:t></w:r></w:p>'), 'docx', { signal })
  expect(markdown).toBe('text')
})
