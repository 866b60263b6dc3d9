import { describe, expect, it } from 'vitest'

import { documentToMarkdown } from './convert.ts'
import { madeCompound, madeDoc, madePpt, madeXls } from '../../testing/documents/made-legacy.ts'

const { signal } = new AbortController()

describe('old Office files', () => {
  it('show the text of a Word file over its pieces, with tables and links', async () => {
    const bytes = madeDoc(
      'One\xe9\rA\x07B\x07\x07c\x07d\x07\x07See \x13 HYPERLINK "https://a.test/" \x14this\x15.\r',
      '漢字\rlast\r',
    )
    const { markdown } = await documentToMarkdown(bytes, 'doc', { signal })
    expect(markdown).toBe('Oneé\n\n| A | B |\n| --- | --- |\n| c | d |\n\nSee [this](https://a.test/).\n\n漢字\n\nlast')
  })

  it('show what follows the text of a Word file, without headers', async () => {
    const [text, notes, header, macro, comments, ends, boxes] = [
      'One\r',
      '\x02 foot\r',
      'head\r',
      '',
      '\x05why?\r',
      'end\r',
      'box\r',
    ]
    const stories = [text, notes, header, macro, comments, ends, boxes]
    const bytes = madeDoc(
      stories.join(''),
      '',
      stories.map(({ length }) => length),
    )
    const { markdown } = await documentToMarkdown(bytes, 'doc', { signal })
    expect(markdown).toBe('One\n\nFootnotes:\n- foot\n\nComments:\n- why?\n\nEndnotes:\n- end\n\nText boxes:\n- box')
  })

  it('show the text of fields that have no result', async () => {
    const fields = '\x13EQ \\o\\ad(\\s\\up 9(kan),base)\x15 \x13 HYPERLINK \\l "part" \x14there\x15\r'
    const { markdown } = await documentToMarkdown(madeDoc(fields, ''), 'doc', { signal })
    expect(markdown).toBe('base(kan) [there](#part)')
  })

  it('show every kind of cell', async () => {
    const { markdown, parts } = await documentToMarkdown(madeXls(), 'xls', { signal })
    expect(markdown).toBe(
      '## Costs\n\n| hi | ab漢字 |\n| --- | --- |\n| 1.25 | 2024-01-31 |\n| 7 | 7.25 |\n| fx! | 2.5 |\n| TRUE | #N/A |',
    )
    expect(parts.map(({ name }) => name)).toEqual(['sheet Costs'])
  })

  it.each(['list', 'boxes'] as const)('show slides with titles and points, which stand in their %s', async where => {
    const slides = [
      ['First', 'a\rb'],
      ['Second', 'c'],
    ] as const
    const { markdown } = await documentToMarkdown(madePpt(slides, where), 'ppt', { signal })
    expect(markdown).toBe('<!-- Slide 1 -->\n\n# First\n\n- a\n- b\n\n<!-- Slide 2 -->\n\n# Second\n\n- c')
  })

  const refused = [
    ['docx', madeCompound({ EncryptedPackage: new Uint8Array(10) }), 'encrypted'],
    ['doc', madeCompound({ EncryptedPackage: new Uint8Array(10) }), 'encrypted'],
    ['xls', madeCompound({ Book: new Uint8Array(10) }), 'unsupported'],
    ['xls', madeCompound({ Other: new Uint8Array(10) }), 'damaged'],
    ['doc', madeDoc('x', 'y').slice(0, 700), 'damaged'],
  ] as const
  for (const [kind, bytes, trouble] of refused) {
    it(`are refused: ${kind} that is ${trouble}`, async () => {
      await expect(documentToMarkdown(bytes, kind, { signal })).rejects.toMatchObject({ kind: trouble })
    })
  }
})
