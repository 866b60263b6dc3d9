import { strToU8 } from 'fflate'
import { expect, it } from 'vitest'

import { documentKindOf } from './kinds.ts'

const heads = {
  zip: Uint8Array.of(0x50, 0x4b, 3, 4, 20, 0),
  compound: Uint8Array.of(0xd0, 0xcf, 0x11, 0xe0, 0xa1, 0xb1),
  pdf: strToU8('%PDF-1.7\n'),
  latePdf: strToU8('\n\nmail header\n%PDF-1.4'),
  rtf: strToU8('{\\rtf1 x}'),
  text: strToU8('just text'),
  none: new Uint8Array(),
}

const rows: readonly (readonly [name: string, head: keyof typeof heads, kind: string | undefined])[] = [
  ['a.pdf', 'pdf', 'pdf'],
  ['a.pdf', 'latePdf', 'pdf'],
  ['A.DOCX', 'zip', 'docx'],
  ['a.xlsm', 'zip', 'xlsx'],
  ['a.odp', 'zip', 'odf'],
  ['a.doc', 'compound', 'doc'],
  ['a.doc', 'rtf', 'rtf'],
  ['a.doc', 'zip', 'docx'],
  ['a.xls', 'zip', 'xlsx'],
  ['a.docx', 'compound', 'docx'],
  ['a.doc', 'text', undefined],
  ['a.pdf', 'none', undefined],
  ['a.zip', 'zip', undefined],
  ['pdf', 'pdf', undefined],
]
for (const [name, head, kind] of rows) {
  it(`${name} that begins as ${head} is ${kind ?? 'no document'}`, () => {
    expect(documentKindOf(name, heads[head])).toBe(kind)
  })
}
