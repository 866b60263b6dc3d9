// Handmade workbooks, presentations, books and OpenDocument files: a row has the content of the file and the text that must be shown.

import { describe, expect, it } from 'vitest'

import { madeEpub, madeOdf, madePptx, madeXlsx, relations } from '../../testing/documents/made-documents.ts'
import { markdown } from '../../testing/documents/markdown-of.ts'

describe('a workbook', () => {
  const styles = {
    'xl/styles.xml':
      '<styleSheet><numFmts><numFmt numFmtId="164" formatCode="yyyy\\-mm\\-dd hh:mm"/><numFmt numFmtId="165" formatCode="[h]:mm:ss"/><numFmt numFmtId="166" formatCode="&quot;days&quot; 0"/><numFmt numFmtId="167" formatCode="[Red]#,##0.00"/><numFmt numFmtId="168" formatCode="0.00E+00"/><numFmt numFmtId="169" formatCode="[$-407]d. mmmm yyyy;@"/><numFmt numFmtId="170" formatCode="mm:ss.0"/></numFmts><cellXfs><xf numFmtId="0"/><xf numFmtId="14"/><xf numFmtId="164"/><xf numFmtId="165"/><xf numFmtId="10"/><xf numFmtId="166"/><xf numFmtId="167"/><xf numFmtId="21"/><xf numFmtId="168"/><xf numFmtId="169"/><xf numFmtId="170"/></cellXfs></styleSheet>',
  }
  const n = (value: string | number, style = 0, type = ''): string =>
    `<c s="${style}"${type === '' ? '' : ` t="${type}"`}><v>${value}</v></c>`
  const row = (...cells: readonly string[]): string => `<row>${cells.join('')}</row>`
  const one = async (value: string, properties = ''): Promise<string> =>
    (await markdown('xlsx', madeXlsx({ S: row(value) }, styles, properties))).split('\n')[2] ?? ''
  const values: readonly (readonly [what: string, cell: string, shown: string, properties?: string])[] = [
    ['a number', n(42), '42'],
    ['a sum as people know it', n(0.1 + 0.2), '0.3'],
    ['a large number', n('12345678901234567890'), '12345678901234567890'],
    ['a tiny number', n(1.5e-9), '1.5e-9'],
    ['a date', n(45322, 1), '2024-01-31'],
    ['a date and time', n(45322.5, 2), '2024-01-31 12:00:00'],
    ['a time', n(0.75, 7), '18:00:00'],
    ['a duration', n(1.5, 3), '36:00:00'],
    ['a share', n(0.125, 4), '12.5%'],
    ['a format that only speaks of days', n(7, 5), '7'],
    ['a coloured format', n(1234.5, 6), '1234.5'],
    ['a format with an exponent', n(1234.5, 8), '1234.5'],
    ['a date in the words of a country', n(45322, 9), '2024-01-31'],
    ['minutes and seconds', n(0.5 / 1440, 10), '00:00:30'],
    ['the first day', n(1, 1), '1900-01-01'],
    ['the day that never was', n(60, 1), '1900-02-29'],
    ['the day after', n(61, 1), '1900-03-01'],
    ['a date of 1904', n(0, 1), '1904-01-01', '<workbookPr date1904="1"/>'],
    ['true', n(1, 0, 'b'), 'TRUE'],
    ['an error', n('#DIV/0!', 0, 'e'), '#DIV/0!'],
    ['the text of a formula', '<c t="str"><f>A1&amp;"x"</f><v>yx</v></c>', 'yx'],
    ['the value of a formula', '<c><f>1+1</f><v>2</v></c>', '2'],
    ['a formula without value', '<c><f>SUM(A1:A2)</f></c>', '=SUM(A1:A2)'],
    ['inline text in runs', '<c t="inlineStr"><is><r><t>one </t></r><r><rPr><b/></rPr><t>two</t></r></is></c>', 'one two'],
    ['an ISO date', '<c t="d"><v>2024-01-31T00:00:00</v></c>', '2024-01-31'],
    ['two lines and a bar', '<c t="inlineStr"><is><t>a|b\nc</t></is></c>', 'a\\|b<br>c'],
  ]
  for (const [what, value, shown, properties] of values) {
    it(`shows ${what}`, async () => {
      expect(await one(value, properties)).toBe(`| ${shown} |`)
    })
  }

  it('shows shared texts, without how they are spoken', async () => {
    const shared = {
      'xl/sharedStrings.xml':
        '<sst><si><t>漢</t><rPh sb="0" eb="1"><t>kan</t></rPh></si><si><r><t>a</t></r><r><t>b_x000D_</t></r></si></sst>',
    }
    expect(await markdown('xlsx', madeXlsx({ S: row(n(0, 0, 's'), n(1, 0, 's'), n(9, 0, 's')) }, shared))).toBe(
      '## S\n\n| 漢 | ab |\n| --- | --- |',
    )
  })

  it('keeps cells in their places, and says where the table begins', async () => {
    const rows = '<row r="3"><c r="B3"><v>1</v></c><c r="D3"><v>2</v></c></row><row r="6"><c r="B6"><v>3</v></c></row>'
    expect(await markdown('xlsx', madeXlsx({ S: rows }))).toBe(
      '## S\n\n<!-- B3:D6 -->\n| 1 |  | 2 |\n| --- | --- | --- |\n|  |  |  |\n| 3 |  |  |',
    )
  })

  it('puts far apart columns together', async () => {
    const rows = '<row r="1"><c r="A1"><v>1</v></c><c r="XFD1"><v>2</v></c></row>'
    expect(await markdown('xlsx', madeXlsx({ S: rows }))).toBe('## S\n\n<!-- columns A, XFD -->\n| 1 | 2 |\n| --- | --- |')
  })

  it('shows every sheet, links and notes', async () => {
    const bytes = madeXlsx(
      {
        One: '<sheetData><row r="1"><c r="A1" t="inlineStr"><is><t>site</t></is></c></row></sheetData><hyperlinks><hyperlink ref="A1" r:id="rId1"/></hyperlinks>',
        'Empty &amp; more': '',
      },
      {
        'xl/worksheets/_rels/sheet1.xml.rels': relations(
          ['rId1', 'hyperlink', 'https://a.test/', true],
          ['rId2', 'comments', '../comments1.xml'],
        ),
        'xl/comments1.xml':
          '<comments><commentList><comment ref="A1"><text><r><t>Ann:\n</t></r><r><t>check</t></r></text></comment></commentList></comments>',
      },
    )
    expect(await markdown('xlsx', bytes)).toBe(
      '## One\n\n| [site](https://a.test/) |\n| --- |\n\nNotes:\n- A1: Ann: check\n\n## Empty & more\n\n(empty)',
    )
  })
})

describe('a presentation', () => {
  const shape = (text: string, placeholder = ''): string =>
    `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:txBody>${text}</p:txBody></p:sp>`
  const line = (text: string, properties = ''): string => `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`
  it('shows slides in their order, the title first, lists, tables and notes', async () => {
    const bytes = madePptx(
      [
        shape(line('point') + line('below', '<a:pPr lvl="1"/>'), '<p:ph type="body" idx="1"/>') +
          shape(line('Hello'), '<p:ph type="title"/>') +
          shape(line('7'), '<p:ph type="sldNum"/>'),
        `<p:graphicFrame><a:graphic><a:graphicData><a:tbl><a:tr><a:tc><a:txBody>${line('A')}</a:txBody></a:tc><a:tc><a:txBody>${line('B')}</a:txBody></a:tc></a:tr></a:tbl></a:graphicData></a:graphic></p:graphicFrame>${shape(line('loose'))}<p:pic><p:nvPicPr><p:cNvPr descr="A chart"/></p:nvPicPr></p:pic>`,
      ],
      {
        'ppt/slides/_rels/slide2.xml.rels': relations(['rId1', 'notesSlide', '../notesSlides/notesSlide1.xml']),
        'ppt/notesSlides/notesSlide1.xml': `<p:notes xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>${shape(line('say hi'), '<p:ph type="body"/>')}${shape(line('1'), '<p:ph type="sldNum"/>')}</p:spTree></p:cSld></p:notes>`,
      },
    )
    expect(await markdown('pptx', bytes)).toBe(
      '<!-- Slide 1 -->\n\n# Hello\n\n- point\n  - below\n\nNotes:\n\nsay hi\n\n<!-- Slide 2 -->\n\n| A | B |\n| --- | --- |\n\nloose\n\n[image: A chart]',
    )
  })
})

describe('the rest of a presentation', () => {
  const line = (text: string, properties = ''): string => `<a:p>${properties}<a:r><a:t>${text}</a:t></a:r></a:p>`
  const shape = (text: string, placeholder = ''): string =>
    `<p:sp><p:nvSpPr><p:nvPr>${placeholder}</p:nvPr></p:nvSpPr><p:txBody>${text}</p:txBody></p:sp>`
  const numbered = (text: string, type: string, level = 0, more = ''): string =>
    line(text, `<a:pPr lvl="${level}"><a:buAutoNum type="${type}" ${more}/></a:pPr>`)

  it('counts as the slide does', async () => {
    const body = [
      numbered('a', 'arabicPeriod', 0, 'startAt="3"'),
      numbered('b', 'alphaLcParenR', 1),
      numbered('c', 'alphaLcParenR', 1),
      numbered('d', 'arabicPeriod', 0, 'startAt="3"'),
      numbered('e', 'romanUcParenBoth', 1),
      line('f'),
      numbered('g', 'arabicPeriod'),
    ]
    expect(await markdown('pptx', madePptx([shape(body.join(''))]))).toBe(
      '<!-- Slide 1 -->\n\n3. a\n  a) b\n  b) c\n4. d\n  (I) e\n\nf\n\n1. g',
    )
  })

  it('shows comments with their answers, and notes in boxes of their own', async () => {
    const bytes = madePptx([shape(line('x'))], {
      'ppt/_rels/presentation.xml.rels': relations(
        ['rId1', 'slide', 'slides/slide1.xml'],
        ['rId8', 'commentAuthors', 'commentAuthors.xml'],
      ),
      'ppt/commentAuthors.xml': '<p:cmAuthorLst xmlns:p="p"><p:cmAuthor id="0" name="Ann"/></p:cmAuthorLst>',
      'ppt/slides/_rels/slide1.xml.rels': relations(
        ['rId1', 'notesSlide', '../notesSlides/notesSlide1.xml'],
        ['rId2', 'comments', '../comments/old.xml'],
        ['rId3', 'comments', '../comments/new.xml'],
      ),
      'ppt/notesSlides/notesSlide1.xml': `<p:notes xmlns:p="p" xmlns:a="a"><p:cSld><p:spTree>${shape(line('say hi'))}${shape(line('1'), '<p:ph type="sldNum"/>')}</p:spTree></p:cSld></p:notes>`,
      'ppt/comments/old.xml': '<p:cmLst xmlns:p="p"><p:cm authorId="0"><p:text>why?</p:text></p:cm></p:cmLst>',
      'ppt/comments/new.xml': `<q:cmLst xmlns:q="q" xmlns:a="a"><q:cm authorId="0"><q:replyLst><q:reply authorId="1"><q:txBody>${line('done')}</q:txBody></q:reply></q:replyLst><q:txBody>${line('and')}${line('this')}</q:txBody></q:cm></q:cmLst>`,
    })
    expect(await markdown('pptx', bytes)).toBe(
      '<!-- Slide 1 -->\n\nx\n\nNotes:\n\nsay hi\n\nComments:\n- Ann: why?\n- Ann: and this\n  - done',
    )
  })
})

describe('a book', () => {
  it('shows what it is, and its chapters in reading order', async () => {
    const bytes = madeEpub([
      '<h1>One</h1><p>Some <b>bold</b>&nbsp;and <a href="https://a.test/">a link</a>.<br/>New line &mdash; here&constructor;</p><script>no()</script>',
      '<section><h2>Two</h2><ul><li>a<ul><li>b</li></ul></li><li><p>c</p></li></ul><ol start="3"><li>x</li></ol><blockquote><p>said</p></blockquote><pre>code\n  here</pre><table><tr><th>H</th></tr><tr><td>v<br/>w</td></tr></table><img alt="pic"/></section>',
    ])
    expect(await markdown('epub', bytes)).toBe(
      [
        '**Title:** A Book\n**Author:** Ann Author',
        '# One',
        'Some **bold**\u00a0and [a link](https://a.test/).\nNew line — here&constructor;',
        '## Two',
        '- a\n  - b\n- c\n3. x',
        '> said',
        '```\ncode\n  here\n```',
        '| H |\n| --- |\n| v<br>w |',
        '[image: pic]',
      ].join('\n\n'),
    )
  })
})

it('keeps the columns of a book’s table below a cell of several rows, and shows how words are spoken', async () => {
  const bytes = madeEpub([
    '<table><tr><th rowspan="2">A</th><th>B</th><th rowspan="3">C</th></tr><tr><td>b</td></tr><tr><td colspan="2">wide</td></tr></table><p><ruby>漢<rp>(</rp><rt>kan</rt><rp>)</rp></ruby></p>',
  ])
  expect(await markdown('epub', bytes)).toContain('| A | B | C |\n| --- | --- | --- |\n|  | b |  |\n| wide |  |  |\n\n漢(kan)')
})

describe('an OpenDocument file', () => {
  it('shows headings, lists, tables, links and notes of a text', async () => {
    const body = [
      '<text:h text:outline-level="2">Head</text:h>',
      '<text:p>a<text:s text:c="2"/>b<text:tab/><text:a xlink:href="https://a.test/">c</text:a><text:note text:note-class="footnote"><text:note-citation>1</text:note-citation><text:note-body><text:p>noted</text:p></text:note-body></text:note></text:p>',
      '<text:list text:style-name="L1"><text:list-item><text:p>x</text:p><text:list><text:list-item><text:p>y</text:p></text:list-item></text:list></text:list-item><text:list-item><text:p>z</text:p></text:list-item></text:list>',
      '<table:table><table:table-row><table:table-cell><text:p>A</text:p></table:table-cell><table:table-cell table:number-columns-repeated="2"><text:p>B</text:p></table:table-cell></table:table-row></table:table>',
    ].join('')
    const styles =
      '<text:list-style style:name="L1"><text:list-level-style-number text:level="1" style:num-format="1"/></text:list-style>'
    expect(await markdown('odf', madeOdf('text', body, styles))).toBe(
      '## Head\n\na  b\t[c](https://a.test/)[^1]\n\n1. x\n  - y\n2. z\n\n| A | B | B |\n| --- | --- | --- |\n\n[^1]: noted',
    )
  })

  const listItem = (text: string, more = '', properties = ''): string =>
    `<text:list-item ${properties}><text:p>${text}</text:p>${more}</text:list-item>`
  const numbered = (level: number, format: string, suffix: string, more = ''): string =>
    `<text:list-level-style-number text:level="${level}" style:num-format="${format}" style:num-suffix="${suffix}" ${more}/>`
  const texts: readonly (readonly [what: string, body: string, shown: string, styles?: string])[] = [
    [
      'numbers as the document writes them, and lists that continue',
      `<text:list text:style-name="L" xml:id="one">${listItem('a', `<text:list>${listItem('b', `<text:list>${listItem('c')}</text:list>`)}</text:list>`)}</text:list><text:p>p</text:p><text:list text:style-name="L" text:continue-list="one">${listItem('d')}</text:list><text:list text:style-name="L">${listItem('e')}${listItem('f', '', 'text:start-value="7"')}</text:list><text:list text:style-name="L" text:continue-numbering="true">${listItem('g')}</text:list>`,
      '1. a\n  (A) b\n    1.A.i) c\n\np\n\n2. d\n1. e\n7. f\n8. g',
      `<text:list-style style:name="L">${numbered(1, '1', '.')}${numbered(2, 'A', ')', 'style:num-prefix="("')}${numbered(3, 'i', ')', 'text:display-levels="3"')}</text:list-style>`,
    ],
    [
      'numbers of headings',
      '<text:h text:outline-level="1">A</text:h><text:h text:outline-level="2">B</text:h><text:h text:outline-level="1" text:is-list-header="true">C</text:h><text:h text:outline-level="1">D</text:h>',
      '# 1 A\n\n## 1.1 B\n\n# C\n\n# 2 D',
      `<text:outline-style>${numbered(1, '1', '').replaceAll('list-level', 'outline-level')}${numbered(2, '1', '', 'text:display-levels="2"').replaceAll('list-level', 'outline-level')}</text:outline-style>`,
    ],
    [
      'looks',
      '<text:p><text:span text:style-name="B">a<text:span text:style-name="I">b</text:span></text:span> c <text:span text:style-name="S">d</text:span></text:p>',
      '**a*****b*** c ~~d~~',
      '<style:style style:name="B"><style:text-properties fo:font-weight="bold"/></style:style><style:style style:name="I" style:parent-style-name="B"><style:text-properties fo:font-style="italic"/></style:style><style:style style:name="S"><style:text-properties style:text-line-through-style="solid"/></style:style>',
    ],
    [
      'a table in a table',
      '<table:table><table:table-row><table:table-cell><table:table><table:table-row><table:table-cell><text:p>1</text:p></table:table-cell><table:table-cell><text:p>2</text:p></table:table-cell></table:table-row></table:table></table:table-cell></table:table-row></table:table>',
      '| 1 \\| 2 |\n| --- |',
    ],
    [
      'a text with its pronunciation',
      '<text:p><text:ruby><text:ruby-base>漢</text:ruby-base><text:ruby-text>kan</text:ruby-text></text:ruby></text:p>',
      '漢(kan)',
    ],
  ]
  for (const [what, body, shown, styles] of texts) {
    it(`shows ${what}`, async () => {
      expect(await markdown('odf', madeOdf('text', body, styles))).toBe(shown)
    })
  }

  it('marks hidden sheets, and shows links and comments of cells', async () => {
    const sheet =
      '<table:table table:name="S" table:style-name="ta1"><table:table-row><table:table-cell office:value-type="string"><office:annotation><dc:creator>Ann</dc:creator><text:p>why?</text:p></office:annotation><text:p>a<text:s text:c="2"/>b <text:a xlink:href="https://a.test/">c</text:a></text:p></table:table-cell></table:table-row></table:table>'
    const styles = '<style:style style:name="ta1"><style:table-properties table:display="false"/></style:style>'
    expect(await markdown('odf', madeOdf('spreadsheet', sheet, styles))).toBe(
      '## S (hidden)\n\n| a  b [c](https://a.test/) |\n| --- |\n\nNotes:\n- A1: why?',
    )
  })

  it('shows the comments of a slide', async () => {
    const slide = `<draw:page><draw:frame><draw:text-box><text:p>a</text:p></draw:text-box></draw:frame><office:annotation><dc:creator>Ann</dc:creator><dc:date>2024-01-31</dc:date><text:p>why?</text:p></office:annotation></draw:page>`
    expect(await markdown('odf', madeOdf('presentation', slide))).toBe('<!-- Slide 1 -->\n\na\n\nComments:\n- Ann: why?')
  })

  it('shows groups of shapes once', async () => {
    const shapeOf = (text: string): string => `<draw:frame><draw:text-box><text:p>${text}</text:p></draw:text-box></draw:frame>`
    const slide = `<draw:page><draw:g>${shapeOf('a')}<draw:g>${shapeOf('b')}<draw:custom-shape><text:p>c</text:p></draw:custom-shape></draw:g></draw:g></draw:page>`
    expect(await markdown('odf', madeOdf('presentation', slide))).toBe('<!-- Slide 1 -->\n\na\n\nb\n\nc')
  })

  it('marks hidden slides', async () => {
    const slide =
      '<draw:page draw:style-name="dp1"><draw:frame presentation:class="title"><draw:text-box><text:p>T</text:p></draw:text-box></draw:frame></draw:page>'
    const styles = '<style:style style:name="dp1"><style:drawing-page-properties presentation:visibility="hidden"/></style:style>'
    expect(await markdown('odf', madeOdf('presentation', slide, styles))).toBe('<!-- Slide 1 (hidden) -->\n\n# T')
  })

  it('shows the values of a sheet, not how one country writes them', async () => {
    const cells = [
      '<table:table-cell office:value-type="date" office:date-value="2024-01-31"><text:p>31.01.24</text:p></table:table-cell>',
      '<table:table-cell office:value-type="float" office:value="1234.5"><text:p>1.234,50</text:p></table:table-cell>',
      '<table:table-cell office:value-type="percentage" office:value="0.5"><text:p>50 %</text:p></table:table-cell>',
      '<table:table-cell table:number-columns-repeated="16000"/>',
    ].join('')
    const sheet = `<table:table table:name="S 1"><table:table-row>${cells}</table:table-row><table:table-row table:number-rows-repeated="1048576"><table:table-cell table:number-columns-repeated="16384"/></table:table-row></table:table>`
    expect(await markdown('odf', madeOdf('spreadsheet', sheet))).toBe(
      '## S 1\n\n| 2024-01-31 | 1234.5 | 50% |\n| --- | --- | --- |',
    )
  })
})
