// The same content, written by LibreOffice in all of its formats: every reader must find the same words.

import { execFileSync, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterAll, expect, it } from 'vitest'

import { inDeepRun } from '../../testing/depth.ts'
import { describeUnless, whyNotInstalled } from '../../testing/suites.ts'
import { documentToMarkdown } from './convert.ts'
import type { DocumentKind } from './kinds.ts'

const hasOffice = spawnSync('soffice', ['--version']).status === 0
const folder = mkdtempSync(join(tmpdir(), 'anchorage-office-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Saves `content` in the formats, with one start of the program for each. */
function saved(name: string, content: string, format: string, filter = ''): Uint8Array {
  const source = join(folder, name)
  writeFileSync(source, content)
  execFileSync(
    'soffice',
    [`-env:UserInstallation=file://${folder}/profile`, '--headless', '--convert-to', format + filter, '--outdir', folder, source],
    { stdio: 'pipe', timeout: 120_000 },
  )
  return new Uint8Array(readFileSync(join(folder, `${name.replace(/\.\w+$/, '')}.${format}`)))
}

async function markdown(bytes: Uint8Array, kind: DocumentKind): Promise<string> {
  return (await documentToMarkdown(bytes, kind, { signal: new AbortController().signal })).markdown
}

const page = `<html><body><p>Start</p><h1>Head One</h1><p>Some <b>bold</b> text with é and 漢字.</p><h2>Head Two</h2>
<ul><li>first</li><li>second</li></ul><table border="1"><tr><td>A</td><td>B</td></tr><tr><td>c</td><td>d</td></tr></table>
<p>See <a href="https://a.test/x">this</a> end.</p></body></html>`

// LibreOffice takes seconds for each file.
inDeepRun(() =>
  describeUnless(whyNotInstalled(hasOffice, 'LibreOffice'), 'what LibreOffice writes', () => {
    const texts: readonly (readonly [format: string, filter: string, kind: DocumentKind, exact: readonly string[]])[] = [
      [
        'docx',
        ':MS Word 2007 XML',
        'docx',
        ['# Head One', '## Head Two', '**bold**', '- first', '| A | B |', '| c | d |', '[this](https://a.test/x)'],
      ],
      ['odt', ':writer8', 'odf', ['# Head One', '## Head Two', '- first', '| A | B |', '| c | d |', '[this](https://a.test/x)']],
      [
        'rtf',
        ':Rich Text Format',
        'rtf',
        ['# Head One', '## Head Two', '**bold**', '- first', '| A | B |', '| c | d |', '[this](https://a.test/x)'],
      ],
      ['doc', ':MS Word 97', 'doc', ['| A | B |', '| c | d |', '[this](https://a.test/x)']],
      ['pdf', ':writer_web_pdf_Export', 'pdf', ['Head One', '<!-- Page 1 -->']],
    ]
    for (const [format, filter, kind, exact] of texts) {
      it(`as ${format}`, async () => {
        const shown = await markdown(saved('text.html', page, format, filter), kind)
        const words = shown.replace(/[*#|[\]()-]/g, ' ').replace(/\s+/g, ' ')
        for (const part of ['Head One', 'Some bold text with é and', 'Head Two', 'first', 'second', 'end.'])
          expect(words).toContain(part)
        // A PDF has them too, if a font for them is installed.
        if (kind !== 'pdf') expect(shown).toContain('漢字')
        for (const part of exact) expect(shown).toContain(part)
      })
    }

    const sheet = 'Name,Count,Day,Share\nAda,1234.5,2024-01-31,12.5%\n"a, b",7,1999-12-31,100%\n'
    for (const [format, kind] of [
      ['xlsx', 'xlsx'],
      ['xls', 'xls'],
      ['ods', 'odf'],
    ] as const) {
      it(`a sheet as ${format}`, async () => {
        const shown = await markdown(saved('sheet.csv', sheet, format), kind)
        expect(shown).toContain('| Name | Count | Day | Share |\n| --- | --- | --- | --- |')
        expect(shown).toContain('| Ada | 1234.5 | 2024-01-31 | 12.5% |')
        expect(shown).toContain('| a, b | 7 | 1999-12-31 | 100% |')
      })
    }

    const slide = (name: string, title: string, points: readonly string[]): string =>
      `<draw:page draw:name="${name}"><draw:frame presentation:class="title" svg:width="20cm" svg:height="3cm" svg:x="1cm" svg:y="1cm"><draw:text-box><text:p>${title}</text:p></draw:text-box></draw:frame><draw:frame presentation:class="outline" svg:width="20cm" svg:height="9cm" svg:x="1cm" svg:y="5cm"><draw:text-box>${points.map(point => `<text:p>${point}</text:p>`).join('')}</draw:text-box></draw:frame></draw:page>`
    const slides = `<?xml version="1.0" encoding="UTF-8"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:svg="urn:oasis:names:tc:opendocument:xmlns:svg-compatible:1.0" xmlns:presentation="urn:oasis:names:tc:opendocument:xmlns:presentation:1.0" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.presentation"><office:body><office:presentation>${slide('one', 'First slide', ['point é', 'other point'])}${slide('two', 'Second slide', ['last point'])}</office:presentation></office:body></office:document>`
    for (const [format, kind] of [
      ['pptx', 'pptx'],
      ['ppt', 'ppt'],
      ['odp', 'odf'],
    ] as const) {
      it(`slides as ${format}`, async () => {
        const shown = await markdown(saved('slides.fodp', slides, format), kind)
        const parts = ['Slide 1', 'First slide', 'point é', 'other point', 'Slide 2', 'Second slide', 'last point']
        const places = parts.map(part => shown.indexOf(part))
        expect(places).not.toContain(-1)
        expect(places).toEqual(places.toSorted((a, b) => a - b))
      })
    }

    it('one page of a PDF', async () => {
      const page = (number: number): string => `<p style="page-break-before: always">Page number ${number} says this.</p>`
      const bytes = saved(
        'pages.html',
        `<html><body>${[1, 2, 3, 4].map(page).join('')}</body></html>`,
        'pdf',
        ':writer_web_pdf_Export',
      )
      const { signal } = new AbortController()
      const whole = (await documentToMarkdown(bytes, 'pdf', { signal })).markdown
      const [, third = ''] = /<!-- Page (\d+) -->\n\n[^<]*Page number 3/.exec(whole) ?? []
      const { markdown: alone } = await documentToMarkdown(bytes, 'pdf', { signal, page: Number(third) })
      expect([alone.includes('number 3'), alone.includes('number 2'), alone.includes('number 4')]).toEqual([true, false, false])
    })

    it('one sheet of a workbook', async () => {
      const table = (name: string): string =>
        `<table:table table:name="${name}"><table:table-row><table:table-cell office:value-type="string"><text:p>in ${name}</text:p></table:table-cell></table:table-row></table:table>`
      const book = `<?xml version="1.0" encoding="UTF-8"?><office:document xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:table="urn:oasis:names:tc:opendocument:xmlns:table:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" office:version="1.3" office:mimetype="application/vnd.oasis.opendocument.spreadsheet"><office:body><office:spreadsheet>${table('Costs')}${table('Year 2024')}</office:spreadsheet></office:body></office:document>`
      for (const format of ['xlsx', 'xls'] as const) {
        const { parts } = await documentToMarkdown(saved('book.fods', book, format), format, {
          signal: new AbortController().signal,
        })
        const sheets = parts.filter(({ name }) => name?.startsWith('sheet '))
        expect(sheets.map(({ name }) => name)).toEqual(['sheet Costs', 'sheet Year 2024'])
        expect(sheets.map(({ markdown: text }) => /in [\w ]+/.exec(text)?.[0].trim())).toEqual(['in Costs', 'in Year 2024'])
      }
    })
  }),
)
