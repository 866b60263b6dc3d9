// Handmade Word documents: a row has the content of the file and the text that must be shown.

import { describe, expect, it } from 'vitest'

import { documentToMarkdown } from './convert.ts'
import { madeDocx, relations } from '../../testing/documents/made-documents.ts'
import { markdown } from '../../testing/documents/markdown-of.ts'

/** A paragraph of Word. */
const p = (text: string, properties = ''): string =>
  `<w:p>${properties === '' ? '' : `<w:pPr>${properties}</w:pPr>`}<w:r><w:t xml:space="preserve">${text}</w:t></w:r></w:p>`
const item = (text: string, list: number, level = 0): string =>
  p(text, `<w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="${list}"/></w:numPr>`)
const cell = (text: string, properties = ''): string =>
  `<w:tc><w:tcPr>${properties}</w:tcPr>${text === '' ? '<w:p/>' : p(text)}</w:tc>`

const level = (depth: number, format: string, text: string, more = ''): string =>
  `<w:lvl w:ilvl="${depth}"><w:numFmt w:val="${format}"/>${more}<w:lvlText w:val="${text}"/></w:lvl>`
const field = (code: string, control = ''): string =>
  `<w:r><w:fldChar w:fldCharType="begin"><w:ffData>${control}</w:ffData></w:fldChar></w:r><w:r><w:instrText>${code}</w:instrText></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r>`

describe('a Word document', () => {
  const rows: readonly (readonly [what: string, body: string, shown: string, parts?: Readonly<Record<string, string>>])[] = [
    ['paragraphs', `${p('one')}<w:p/>${p('two')}`, 'one\n\ntwo'],
    ['a heading by the name of its style', p('Top', '<w:pStyle w:val="Titre1"/>'), '# Top'],
    ['a heading by what its style is based on', p('Top', '<w:pStyle w:val="Own"/>'), '# Top'],
    ['a heading of its own level', p('Deep', '<w:outlineLvl w:val="2"/>'), '### Deep'],
    ['a style that is missing', p('Top', '<w:pStyle w:val="Heading2"/>'), '## Top'],
    ['a quotation', p('said', '<w:pStyle w:val="Q"/>'), '> said'],
    ['lists that count', [item('a', 1), item('b', 1), item('c', 1, 1), item('d', 1)].join(''), '1. a\n2. b\n  a. c\n3. d'],
    [
      'numbers as the document writes them',
      `${item('a', 1)}${item('b', 1, 1)}${item('c', 1, 2)}${item('d', 1, 2)}${item('e', 2)}${item('f', 3)}${item('g', 3)}`,
      'Art. 1: a\n  (i) b\n    1.1.1 c\n    1.1.2 d\n05. e\n- f\n- g',
      {
        'word/numbering.xml': `<w:numbering xmlns:w="x"><w:abstractNum w:abstractNumId="0">${level(0, 'decimal', 'Art. %1:')}${level(1, 'lowerRoman', '(%2)')}${level(2, 'lowerLetter', '%1.%2.%3', '<w:isLgl/>')}</w:abstractNum><w:abstractNum w:abstractNumId="1">${level(0, 'decimalZero', '%1', '<w:start w:val="5"/>')}</w:abstractNum><w:abstractNum w:abstractNumId="2">${level(0, 'none', '')}</w:abstractNum>${[0, 1, 2].map(id => `<w:num w:numId="${id + 1}"><w:abstractNumId w:val="${id}"/></w:num>`).join('')}</w:numbering>`,
      },
    ],
    [
      'the numbers of headings, and levels that belong to a style',
      `${p('One', '<w:pStyle w:val="H1"/>')}${p('Two', '<w:pStyle w:val="H2"/>')}${p('Three', '<w:pStyle w:val="H2"/>')}`,
      '# 1 One\n\n## 1.1 Two\n\n## 1.2 Three',
      {
        'word/styles.xml': `<w:styles xmlns:w="x">${[1, 2].map(each => `<w:style w:styleId="H${each}"><w:name w:val="heading ${each}"/><w:pPr><w:numPr><w:numId w:val="1"/></w:numPr></w:pPr></w:style>`).join('')}</w:styles>`,
        'word/numbering.xml': `<w:numbering xmlns:w="x"><w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1', '<w:pStyle w:val="H1"/>')}${level(1, 'decimal', '%1.%2', '<w:pStyle w:val="H2"/>')}</w:abstractNum><w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num></w:numbering>`,
      },
    ],
    [
      'a list whose levels are those of a list style',
      `${item('a', 1)}${item('b', 1)}`,
      '1) a\n2) b',
      {
        'word/styles.xml':
          '<w:styles xmlns:w="x"><w:style w:type="numbering" w:styleId="L"><w:name w:val="L"/><w:pPr><w:numPr><w:numId w:val="2"/></w:numPr></w:pPr></w:style></w:styles>',
        'word/numbering.xml': `<w:numbering xmlns:w="x"><w:abstractNum w:abstractNumId="0"><w:numStyleLink w:val="L"/></w:abstractNum><w:abstractNum w:abstractNumId="1"><w:styleLink w:val="L"/>${level(0, 'decimal', '%1)')}</w:abstractNum>${[0, 1].map(id => `<w:num w:numId="${id + 1}"><w:abstractNumId w:val="${id}"/></w:num>`).join('')}</w:numbering>`,
      },
    ],
    ['bullets', [item('a', 2), item('b', 2)].join(''), '- a\n- b'],
    [
      'looks, joined over runs',
      '<w:p><w:r><w:rPr><w:b/></w:rPr><w:t>bo</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t xml:space="preserve">ld </w:t></w:r><w:r><w:rPr><w:b w:val="0"/><w:i/></w:rPr><w:t>slant</w:t></w:r></w:p>',
      '**bold** *slant*',
    ],
    ['blanks, tabs and breaks', '<w:p><w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:br/><w:t>c</w:t></w:r></w:p>', 'a\tb\nc'],
    [
      'a table with merged cells',
      `<w:tbl><w:tr>${cell('A')}${cell('B')}${cell('C')}</w:tr><w:tr>${cell('wide', '<w:gridSpan w:val="2"/>')}${cell('x|y')}</w:tr><w:tr>${cell('1', '<w:vMerge w:val="restart"/>')}${cell('2')}${cell('3')}</w:tr><w:tr>${cell('', '<w:vMerge/>')}${cell('4')}${cell('5')}</w:tr></w:tbl>`,
      '| A | B | C |\n| --- | --- | --- |\n| wide |  | x\\|y |\n| 1 | 2 | 3 |\n|  | 4 | 5 |',
    ],
    [
      'a link',
      '<w:p><w:hyperlink r:id="rId9" w:anchor="part"><w:r><w:t>here</w:t></w:r></w:hyperlink></w:p>',
      '[here](https://a.test/x#part)',
      { 'word/_rels/document.xml.rels': relations(['rId9', 'hyperlink', 'https://a.test/x', true]) },
    ],
    [
      'a link that is a field',
      '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText> HYPERLINK "https://a.test/" </w:instrText></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>there</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r><w:r><w:t> end</w:t></w:r></w:p>',
      '[there](https://a.test/) end',
    ],
    [
      'the result of a field and not its code',
      '<w:p><w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText>PAGE</w:instrText></w:r><w:r><w:t>hidden</w:t></w:r><w:r><w:fldChar w:fldCharType="separate"/></w:r><w:r><w:t>7</w:t></w:r><w:r><w:fldChar w:fldCharType="end"/></w:r></w:p>',
      '7',
    ],
    [
      'footnotes',
      '<w:p><w:r><w:t>word</w:t></w:r><w:r><w:footnoteReference w:id="2"/></w:r></w:p>',
      'word[^2]\n\n[^2]: the note',
      {
        'word/footnotes.xml': `<w:footnotes xmlns:w="w"><w:footnote w:type="separator" w:id="0">${p('x')}</w:footnote><w:footnote w:id="2">${p('the note')}</w:footnote></w:footnotes>`,
      },
    ],
    [
      'comments',
      '<w:p><w:r><w:t>word</w:t></w:r><w:r><w:commentReference w:id="0"/></w:r></w:p>',
      'word[^c0]\n\n[^c0]: Comment by Ann: why?',
      { 'word/comments.xml': `<w:comments xmlns:w="w"><w:comment w:id="0" w:author="Ann">${p('why?')}</w:comment></w:comments>` },
    ],
    [
      'changes: what was inserted, without what was deleted',
      '<w:p><w:ins><w:r><w:t>new</w:t></w:r></w:ins><w:del><w:r><w:delText>old</w:delText></w:r></w:del></w:p>',
      'new',
    ],
    [
      'changes: a deleted end of a paragraph joins two of them',
      `${p('one ', '<w:rPr><w:del w:id="1"/></w:rPr>')}${p('two')}${p('last', '<w:rPr><w:moveFrom w:id="2"/></w:rPr>')}`,
      'one two\n\nlast',
    ],
    [
      'changes: no row that was deleted',
      `<w:tbl><w:tr>${cell('A')}</w:tr><w:tr><w:trPr><w:del w:id="1"/></w:trPr>${cell('gone')}</w:tr><w:tr>${cell('b')}</w:tr></w:tbl>`,
      '| A |\n| --- |\n| b |',
    ],
    [
      'a table in a table',
      `<w:tbl><w:tr>${cell('A')}<w:tc><w:tbl><w:tr>${cell('1')}${cell('2')}</w:tr><w:tr>${cell('3')}${cell('4')}</w:tr></w:tbl>${p('after')}</w:tc></w:tr></w:tbl>`,
      '| A | 1 \\| 2<br>3 \\| 4<br><br>after |\n| --- | --- |',
    ],
    [
      'a text with its pronunciation',
      '<w:p><w:r><w:ruby><w:rubyPr/><w:rt><w:r><w:t>kan</w:t></w:r></w:rt><w:rubyBase><w:r><w:t>漢</w:t></w:r></w:rubyBase></w:ruby></w:r></w:p>',
      '漢(kan)',
    ],
    [
      'fields that have no result',
      `<w:p>${field('EQ \\* jc2 \\o\\ad(\\s\\up 9(kan),漢)')}${field(' EQ \\f(1,2) ')}</w:p>`,
      '漢(kan)[EQ \\f(1,2)]',
    ],
    [
      'the boxes and lists of a form',
      `<w:p>${field('FORMCHECKBOX', '<w:checkBox><w:default w:val="0"/><w:checked/></w:checkBox>')}${field('FORMCHECKBOX', '<w:checkBox><w:default w:val="0"/></w:checkBox>')}${field('FORMDROPDOWN', '<w:ddList><w:result w:val="1"/><w:listEntry w:val="no"/><w:listEntry w:val="yes"/></w:ddList>')}</w:p>`,
      '☒☐yes',
    ],
    [
      'text that is not to be seen',
      '<w:p><w:r><w:rPr><w:vanish/></w:rPr><w:t>no</w:t></w:r><w:r><w:t>yes</w:t></w:r></w:p>',
      'yes',
    ],
    [
      'a box once, although it is there twice',
      `<w:p xmlns:mc="m"><w:r><mc:AlternateContent><mc:Choice><w:drawing><w:txbxContent>${p('boxed')}</w:txbxContent></w:drawing></mc:Choice><mc:Fallback><w:pict><w:txbxContent>${p('boxed')}</w:txbxContent></w:pict></mc:Fallback></mc:AlternateContent></w:r></w:p>`,
      'boxed',
    ],
    ['a picture', '<w:p><w:r><w:drawing><wp:docPr xmlns:wp="wp" descr="A cat"/></w:drawing></w:r></w:p>', '[image: A cat]'],
    ['controls of a form', `<w:sdt><w:sdtContent>${p('inside')}</w:sdtContent></w:sdt>`, 'inside'],
    ['a text like a heading', p('# not one'), '\\# not one'],
    ['letters of all kinds', p('漢字 𝄞 é &amp; &lt;'), '漢字 𝄞 é & <'],
    ['nothing', '', ''],
  ]
  for (const [what, body, shown, parts] of rows) {
    it(`shows ${what}`, async () => {
      expect(await markdown('docx', madeDocx(body, parts))).toBe(shown)
    })
  }
})

it('a Word document that only wraps another format says so', async () => {
  const bytes = madeDocx('<w:altChunk r:id="rId3"/>', {
    'word/_rels/document.xml.rels': relations(['rId3', 'aFChunk', 'afchunk.mht']),
  })
  const { notes } = await documentToMarkdown(bytes, 'docx', { signal: new AbortController().signal })
  expect(notes).toEqual(['word/afchunk.mht, which is a part in another format, is not shown'])
})
