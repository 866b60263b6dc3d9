// Handmade PDF files.

import { describe, expect, it } from 'vitest'

import { documentToMarkdown } from './convert.ts'
import { madePdf } from '../../testing/documents/made-documents.ts'
import { markdown } from '../../testing/documents/markdown-of.ts'

const { signal } = new AbortController()

describe('a PDF', () => {
  const bytes = madePdf([
    {
      texts: [
        [24, 50, 700, 'A Title'],
        [12, 50, 660, 'First line of text'],
        [12, 50, 646, 'and the second line'],
        [12, 50, 600, 'Another paragraph'],
        [12, 160, 600, 'apart'],
      ],
      link: ['https://a.test/', 40, 595, 150, 615],
    },
    { texts: [] },
    { texts: [[12, 50, 700, 'Page \\three (3)']] },
  ])
  it('shows its pages with headings, paragraphs and links, and names what has no text', async () => {
    const { markdown: shown, notes } = await documentToMarkdown(bytes, 'pdf', { signal })
    expect(shown).toBe(
      '<!-- Page 1 -->\n\n# A Title\n\nFirst line of text\nand the second line\n\n[Another paragraph](https://a.test/) apart\n\n<!-- Page 2 -->\n\n<!-- Page 3 -->\n\nPage \\three (3)',
    )
    expect(notes.join(' ')).toContain('Page 2 has no text')
  })
  it.each([1, 2, 3])('reads the lines of a page that is turned by %i quarters', async turns => {
    // Lines follow each other to the right, upwards and to the left.
    const at = (line: number, along: number): readonly [number, number] =>
      turns === 1 ? [100 + line * 14, along] : turns === 2 ? [500 - along, 100 + line * 14] : [500 - line * 14, 700 - along]
    const texts = [0, 1].flatMap(line => [
      [12, ...at(line, 50), `line ${line}`] as const,
      [12, ...at(line, 300), 'apart'] as const,
    ])
    const link = turns === 1 ? { link: ['https://a.test/', 80, 40, 102, 90] as const } : {}
    const [first, second] = ['line 0   apart', 'line 1   apart']
    expect(await markdown('pdf', madePdf([{ turns, texts, ...link }]))).toBe(
      `<!-- Page 1 -->\n\n${turns === 1 ? first.replace('line 0', '[line 0](https://a.test/)') : first}\n${second}`,
    )
  })
  it('puts a piece of a line that is written later in its place', async () => {
    const texts = [
      [12, 50, 700, 'one'],
      [12, 110, 700, 'three'],
      [12, 75, 700, 'two'],
    ] as const
    expect(await markdown('pdf', madePdf([{ texts }]))).toBe('<!-- Page 1 -->\n\none two three')
  })
  it('reads one page alone', async () => {
    const { parts } = await documentToMarkdown(bytes, 'pdf', { signal, page: 3 })
    expect(parts.map(({ name }) => name)).toEqual(['page 3'])
  })
})
