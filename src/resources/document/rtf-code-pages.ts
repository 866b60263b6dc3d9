// The encodings of text in RTF, by the numbers of code pages and of character sets.

import { numberTable } from '../../core/words.ts'

/** With a code page that the platform lacks, the bytes are read as Windows-1252. */
export function decodeCodePage(codePage: string, bytes: Uint8Array): string {
  try {
    return new TextDecoder(codePage).decode(bytes)
  } catch {
    return new TextDecoder('windows-1252').decode(bytes)
  }
}

const codePages: Readonly<Record<number, string>> = {
  866: 'ibm866',
  874: 'windows-874',
  932: 'shift_jis',
  936: 'gb18030',
  949: 'euc-kr',
  950: 'big5',
  10000: 'macintosh',
  65001: 'utf-8',
}

export function codePageName(number: number): string {
  return codePages[number] ?? (number >= 1250 && number <= 1258 ? `windows-${number}` : 'windows-1252')
}

/** The numbers of Windows for the character sets of fonts. */
const charsets: Readonly<Record<number, number>> = numberTable(`
  77 10000, 128 932, 129 949, 134 936, 136 950, 161 1253, 162 1254, 163 1258, 177 1255, 178 1256, 186 1257, 204 1251, 222 874, 238 1250
`)

export function charsetName(charset: number): string {
  return codePageName(charsets[charset] ?? 1252)
}
