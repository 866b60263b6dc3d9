// Handmade files of rich text: a row has the content of the file and the text that must be shown.

import { describe, expect, it } from 'vitest'

import { markdown } from '../../testing/documents/markdown-of.ts'

describe('rich text', () => {
  const rows: readonly (readonly [what: string, body: string, shown: string])[] = [
    ['paragraphs and looks', String.raw`one {\b bold} and \i slant\i0 .\par two\par`, 'one **bold** and *slant*.\n\ntwo'],
    ['Unicode and what stands for it', String.raw`\u28450?\u23383? \uc2\u8364 ab\uc0\u233  x`, '漢字 €é x'],
    ['bytes of a code page', String.raw`caf\'e9 {\f1 \'8a\'bf}`, 'café 漢'],
    ['a heading by its style', String.raw`\pard\s1 Top\par\pard text\par`, '# Top\n\ntext'],
    [
      'a table',
      String.raw`\trowd\intbl a\cell b\cell\row\trowd\intbl c\cell d|e\cell\row\pard after\par`,
      '| a | b |\n| --- | --- |\n| c | d\\|e |\n\nafter',
    ],
    ['a link', String.raw`{\field{\*\fldinst HYPERLINK "https://a.test/"}{\fldrslt here}} end`, '[here](https://a.test/) end'],
    ['a list', String.raw`{\listtext\'b7\tab}one\par{\listtext 2.\tab}two\par`, '- one\n2. two'],
    ['a footnote', String.raw`word{\footnote the note} more`, 'word[^1] more\n\n[^1]: the note'],
    [
      'comments, also in a footnote',
      String.raw`a{\footnote b{\*\atnid B}{\*\atnauthor Bob}\chatn{\*\annotation why?} c}{\*\annotation {\*\atndate 1}no name}`,
      'a[^1][^c3]\n\n[^1]: b[^c2] c\n[^c2]: Comment by Bob: why?\n[^c3]: Comment: no name',
    ],
    [
      'changes: without what was deleted, also the end of a paragraph',
      String.raw`one {\deleted gone{\footnote no}\par}two {\revised new}\par`,
      'one two new',
    ],
    [
      'lists in lists',
      String.raw`{\listtext\pard\plain 2.1.\tab}\pard\ilvl1 a\par{\listtext o\tab}\pard\ilvl2 b\par`,
      '  2.1. a\n    - b',
    ],
    ['a heading with its number', String.raw`\pard\outlinelevel1{\listtext\pard\plain 1.1\tab}Top\par`, '## 1.1 Top'],
    ['a paragraph like a style of characters with the name of a heading', String.raw`\pard plain\par`, 'plain'],
    [
      'a table in a table',
      String.raw`\trowd\cellx10\cellx20\pard\intbl a\cell\pard\intbl\itap2 1\nestcell 2\nestcell{\*\nesttableprops\trowd\cellx5\nestrow}{\nonesttables\par}3\nestcell 4\nestcell{\*\nesttableprops\nestrow}\pard\intbl after\cell\row\pard end\par`,
      '| a | 1 \\| 2<br>3 \\| 4<br>after |\n| --- | --- |\n\nend',
    ],
    [
      'a cell as wide as two others',
      String.raw`\trowd\cellx2000\cellx3000\intbl wide\cell c\cell\row\trowd\cellx990\cellx2010\cellx3000\intbl 1\cell 2\cell 3\cell\row`,
      '| wide |  | c |\n| --- | --- | --- |\n| 1 | 2 | 3 |',
    ],
    [
      'fields that have no result, and links within the text',
      String.raw`{\field{\*\fldinst EQ \\o\\ad(\\s\\up 9(kan),base)}{\fldrslt }} {\field{\*\fldinst HYPERLINK \\l "part"}{\fldrslt there}}`,
      'base(kan) [there](#part)',
    ],
    [
      'nothing of a header, whose fields have results',
      String.raw`{\header \pard\s1 {\field{\*\fldinst PAGE}{\fldrslt 7}}\par}text\par`,
      'text',
    ],
    ['nothing of what is no text', String.raw`{\*\unknown hidden}{\info{\title no}}{\pict\bin4 }}}}text}`, ''],
    ['no word that only objects of JavaScript know', String.raw`\constructor text\toString{\valueOf}`, 'text'],
    ['a picture as bytes', '{\\pict\\bin3 }{\\}after', 'after'],
    ['braces and backslashes', String.raw`\{a\\b\}`, '{a\\b}'],
  ]
  const head = String.raw`{\rtf1\ansi\ansicpg1252{\fonttbl{\f0 Times;}{\f1\fcharset128 Mincho;}}{\stylesheet{Normal;}{\s1 heading 1;}{\*\cs9 heading 1 Char;}}`
  for (const [what, body, shown] of rows) {
    it(`shows ${what}`, async () => {
      expect(
        await markdown(
          'rtf',
          Uint8Array.from(`${head}${body}}`, character => character.charCodeAt(0)),
        ),
      ).toBe(shown)
    })
  }
})
