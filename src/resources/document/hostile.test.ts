// Broken and malicious files: each is read or refused in bounded time, without any other error.

import { strToU8, zipSync } from 'fflate'
import { describe, expect, it, vi } from 'vitest'

import { seeds } from '../../testing/depth.ts'
import { forSeeds, type Random } from '../../testing/random.ts'
import { documentToMarkdown } from './convert.ts'
import type { DocumentKind } from './kinds.ts'
import { madeDocx, madeEpub, madeOdf, madePdf, madePptx, madeXlsx, packed } from '../../testing/documents/made-documents.ts'
import { madeDoc, madePpt, madeXls } from '../../testing/documents/made-legacy.ts'
import { DocumentTrouble } from './trouble.ts'

const { signal } = new AbortController()
const ascii = (text: string): Uint8Array => strToU8(text, true)

const wholeFiles: readonly (readonly [DocumentKind, Uint8Array])[] = [
  [
    'docx',
    madeDocx(
      '<w:p><w:r><w:t>text</w:t></w:r></w:p><w:tbl><w:tr><w:tc><w:p><w:r><w:t>cell</w:t></w:r></w:p></w:tc></w:tr></w:tbl>'.repeat(
        20,
      ),
    ),
  ],
  ['xlsx', madeXlsx({ S: '<row r="1"><c r="B1"><v>1</v></c><c t="b"><v>1</v></c></row>'.repeat(20) })],
  ['pptx', madePptx(['<p:sp><p:txBody><a:p><a:r><a:t>x</a:t></a:r></a:p></p:txBody></p:sp>', ''])],
  ['epub', madeEpub(['<h1>One</h1><p>text</p>', '<ul><li>x</li></ul>'])],
  ['odf', madeOdf('text', '<text:p>x</text:p><text:list><text:list-item><text:p>y</text:p></text:list-item></text:list>')],
  [
    'rtf',
    ascii(
      String.raw`{\rtf1\ansi{\fonttbl{\f0 A;}}{\stylesheet{\s1 heading 1;}}\pard\s1 Top\par a\'e9\u233?{\b b}\trowd\intbl c\cell\row\pard{\field{\*\fldinst HYPERLINK "x"}{\fldrslt y}}\par}`,
    ),
  ],
  [
    'pdf',
    madePdf([
      {
        texts: [
          [12, 50, 700, 'some text'],
          [20, 50, 600, 'more'],
        ],
      },
      { texts: [[12, 50, 700, 'next']] },
    ]),
  ],
  ['doc', madeDoc('One\rA\x07B\x07\x07', '漢字\r')],
  ['xls', madeXls()],
  ['ppt', madePpt([['First', 'a\rb']])],
]

function mutated(bytes: Uint8Array, random: Random): Uint8Array {
  const copy = bytes.slice(0, random.chance(0.3) ? random.below(bytes.length) : bytes.length)
  for (let count = random.below(12); count >= 0; count--) {
    const at = random.below(Math.max(1, copy.length))
    // Single bits and whole bytes, and numbers with the largest possible value.
    if (random.chance(0.2)) copy.fill(255, at, at + 4)
    else copy[at] = random.chance(0.5) ? random.below(256) : (copy[at] ?? 0) ^ (1 << random.below(8))
  }
  return copy
}

async function readOrRefused(kind: DocumentKind, bytes: Uint8Array): Promise<void> {
  try {
    await documentToMarkdown(bytes, kind, { signal })
  } catch (error) {
    if (!(error instanceof DocumentTrouble)) throw error
  }
}

describe('a damaged document', () => {
  for (const [kind, bytes] of wholeFiles) {
    it(`of the kind ${kind} is read or refused`, async () => {
      await forSeeds(seeds({ quick: kind === 'pdf' ? 2 : 5, deep: kind === 'pdf' ? 300 : 1_500 }), random =>
        readOrRefused(kind, mutated(bytes, random)),
      )
    }, 600_000)
  }

  it('whose parts are damaged, while its package is sound, is read or refused', async () => {
    const parts = {
      docx: ['word/document.xml', '<w:document><w:body><w:p><w:r><w:t>a &amp; b</w:t></w:r></w:p></w:body></w:document>'],
      xlsx: ['xl/sharedStrings.xml', '<sst><si><t>a</t></si></sst>'],
      odf: ['content.xml', '<o><body><text><p>x</p><list><list-item/></list></text></body></o>'],
    } as const
    await forSeeds(seeds({ quick: 4, deep: 2_000 }), async random => {
      const kind = random.pick(['docx', 'xlsx', 'odf'] as const)
      const [name, text] = parts[kind]
      const files = { 'xl/workbook.xml': '<workbook><sheets><sheet name="a"/></sheets></workbook>', [name]: '' }
      const bytes = mutated(strToU8(text), random)
      await readOrRefused(
        kind,
        zipSync({ ...Object.fromEntries(Object.entries(files).map(([key, each]) => [key, strToU8(each)])), [name]: bytes }),
      )
    })
  }, 600_000)
})

describe('a malicious document', () => {
  const bomb = zipSync({ 'word/document.xml': new Uint8Array(64 * 1024 * 1024) })
  const rows: readonly (readonly [what: string, kind: DocumentKind, bytes: Uint8Array, trouble: string])[] = [
    ['that unpacks to a thousand times its size', 'docx', bomb, 'too-large'],
    ['of a million nested elements', 'docx', packed({ 'word/document.xml': '<a>'.repeat(1_000_000) }), 'damaged'],
    ['of a million nested groups', 'rtf', ascii(`{\\rtf1${'{'.repeat(1_000_000)}`), 'damaged'],
    [
      'with entities that grow',
      'docx',
      packed({
        'word/document.xml':
          '<!DOCTYPE a [<!ENTITY b "bbbbbbbbbb"><!ENTITY c "&b;&b;&b;">]><d><body><p><r><t>&c;</t></r></p></body></d>',
      }),
      'read',
    ],
    [
      'whose styles are based on each other',
      'docx',
      madeDocx('<w:p><w:pPr><w:pStyle w:val="A"/></w:pPr><w:r><w:t>x</w:t></w:r></w:p>', {
        'word/styles.xml':
          '<styles><style styleId="A"><basedOn val="B"/></style><style styleId="B"><basedOn val="A"/></style></styles>',
      }),
      'read',
    ],
    ['whose cell says to be far away', 'xlsx', madeXlsx({ S: '<row r="1048576"><c r="XFD1048576"><v>1</v></c></row>' }), 'read'],
    [
      'whose repeated cells fill memory',
      'odf',
      madeOdf(
        'spreadsheet',
        '<table:table table:name="s"><table:table-row table:number-rows-repeated="1000000"><table:table-cell table:number-columns-repeated="16384" office:value-type="string"><text:p>x</text:p></table:table-cell></table:table-row></table:table>',
      ),
      'read',
    ],
    [
      'that is only a page tree in a circle',
      'pdf',
      ascii(
        '%PDF-1.4\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Count 9 /Kids [2 0 R] >>\nendobj\ntrailer << /Root 1 0 R >>\n%%EOF',
      ),
      'read',
    ],
    ['that is empty', 'pdf', new Uint8Array(), 'damaged'],
    ['that is no package', 'docx', ascii('PK\x03\x04 no'), 'damaged'],
  ]
  for (const [what, kind, bytes, trouble] of rows) {
    it(`${what} is ${trouble === 'read' ? 'read' : `refused as ${trouble}`}`, async () => {
      const outcome = documentToMarkdown(bytes, kind, { signal }).then(
        () => 'read',
        (error: unknown) => (error instanceof DocumentTrouble ? error.kind : String(error)),
      )
      expect(await outcome).toBe(trouble)
    })
  }

  it('can be left in the middle', async () => {
    const bytes = madeXlsx({ S: '<row><c><v>1</v></c><c t="inlineStr"><is><t>some text</t></is></c></row>'.repeat(100_000) })
    const controller = new AbortController()
    // A pause is due at each look at the clock, however fast the machine is.
    let looks = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => {
      if (++looks === 50) controller.abort(new Error('enough'))
      return looks * 60
    })
    try {
      await expect(documentToMarkdown(bytes, 'xlsx', { signal: controller.signal })).rejects.toThrow('enough')
    } finally {
      clock.mockRestore()
    }
    expect(looks).toBeLessThan(100)
  })
})
