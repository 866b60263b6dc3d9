// The values of Grapheme_Cluster_Break, Word_Break and Sentence_Break. No engine of JavaScript knows them, but the Unicode standard defines
// them by properties that every engine knows and a few characters (UAX #29, tables 2 to 4), so they need no tables here.

import type { ClassExpression } from './syntax.ts'

/** The contents of a JavaScript class, and that of one whose characters are left out. */
interface Definition {
  readonly short?: string
  readonly of: string
  readonly without?: string
  /** Added after the exclusion. */
  readonly and?: string
}

const joiner = '\\u200d'
const regionalIndicator: Definition = { short: 'ri', of: '\\p{Regional_Indicator}' }
const marks = `\\p{Grapheme_Extend}\\p{Mc}${joiner}`
const prepend =
  '\\u{600}-\\u{605}\\u{6dd}\\u{70f}\\u{890}\\u{891}\\u{8e2}\\u{d4e}\\u{110bd}\\u{110cd}\\u{111c2}\\u{111c3}\\u{113d1}\\u{1193f}' +
  '\\u{11941}\\u{11a3a}\\u{11a84}-\\u{11a89}\\u{11d46}\\u{11f02}'
/** Spacing marks that do not join the character before them. */
const freeMarks =
  '\\u102b\\u102c\\u1038\\u1062-\\u1064\\u1067-\\u106d\\u1083\\u1087-\\u108c\\u108f\\u109a-\\u109c\\u1a61\\u1a63\\u1a64\\uaa7b\\uaa7d' +
  '\\u{11720}\\u{11721}'
/** Scripts that do not separate words with spaces. */
const undividedScripts = ['Thai', 'Lao', 'Myanmar', 'Khmer', 'Tai_Le', 'New_Tai_Lue', 'Tai_Tham', 'Tai_Viet', 'Ahom']
  .map(script => `\\p{sc=${script}}`)
  .join('')
/** Signs that precede the digits of a number. */
const numberSigns = '\\u0600-\\u0605\\u06dd\\u0890\\u0891\\u08e2\\u{110bd}\\u{110cd}'
const numeric = `\\p{Nd}\\u066b\\u19da${numberSigns}`
const katakana = '\\p{sc=Katakana}\\u3031-\\u3035\\u309b\\u309c\\u30a0\\u30fc\\uff70'
const letterSigns =
  '\\u02c2-\\u02c5\\u02d2-\\u02d7\\u02de\\u02df\\u02e5-\\u02eb\\u02ed\\u02ef-\\u02ff\\u055a-\\u055c\\u055e\\u058a\\u05f3\\u070f' +
  '\\ua708-\\ua716\\ua720\\ua721\\ua789\\ua78a\\uab5b'
const georgianLower = '\\u10d0-\\u10fa\\u10fd-\\u10ff'
const georgianUpper = '\\u1c90-\\u1cba\\u1cbd-\\u1cbf'
const lower: Definition = { short: 'lo', of: '\\p{Lowercase}', without: `\\p{Grapheme_Extend}${georgianLower}` }
const upper: Definition = { short: 'up', of: '\\p{Lt}\\p{Uppercase}', without: georgianUpper }
const fullStops = '.\\u2024\\ufe52\\uff0e'
const sentenceEnds = '\\p{Sentence_Terminal}'

const lineBreaks = { cr: { of: '\\r' }, lf: { of: '\\n' } } as const
const hangulSyllables = '\\uac00-\\ud7a3'
const syllablesWithoutEnd = Array.from({ length: 399 }, (_, index) => String.fromCharCode(0xac00 + 28 * index)).join('')

const graphemeBreaks: Readonly<Record<string, Definition>> = {
  ...lineBreaks,
  control: {
    short: 'cn',
    of: '\\p{Zl}\\p{Zp}\\p{Cc}\\p{Cf}\\u2065\\ufff0-\\ufff8\\u{e0000}\\u{e0002}-\\u{e001f}\\u{e0080}-\\u{e00ff}\\u{e01f0}-\\u{e0fff}',
    without: `\\r\\n${joiner}\\p{Grapheme_Extend}${prepend}`,
  },
  extend: { short: 'ex', of: '\\p{Grapheme_Extend}\\p{Emoji_Modifier}', without: joiner },
  prepend: { short: 'pp', of: prepend },
  spacingmark: { short: 'sm', of: '\\p{Mc}\\u0e33\\u0eb3', without: `\\p{Grapheme_Extend}${freeMarks}` },
  l: { of: '\\u1100-\\u115f\\ua960-\\ua97c' },
  v: { of: '\\u1160-\\u11a7\\ud7b0-\\ud7c6\\u{16d63}\\u{16d67}-\\u{16d6a}' },
  t: { of: '\\u11a8-\\u11ff\\ud7cb-\\ud7fb' },
  lv: { of: syllablesWithoutEnd },
  lvt: { of: hangulSyllables, without: syllablesWithoutEnd },
  regionalindicator: regionalIndicator,
  zwj: { of: joiner },
}

const wordBreaks: Readonly<Record<string, Definition>> = {
  ...lineBreaks,
  newline: { short: 'nl', of: '\\v\\f\\x85\\u2028\\u2029' },
  extend: { of: `${marks}\\p{Emoji_Modifier}`, without: joiner },
  zwj: { of: joiner },
  regionalindicator: regionalIndicator,
  format: { short: 'fo', of: '\\p{Cf}', without: `\\p{Grapheme_Extend}\\u200b${joiner}${prepend}` },
  katakana: { short: 'ka', of: katakana },
  hebrewletter: { short: 'hl', of: '\\p{sc=Hebrew}', without: '\\P{Lo}' },
  aletter: {
    short: 'le',
    of: `\\p{Alphabetic}${letterSigns}`,
    without: `\\p{Ideographic}${katakana}${undividedScripts}\\p{sc=Hiragana}${marks}\\u05d0-\\u05f2\\ufb1d-\\ufb4f`,
  },
  singlequote: { short: 'sq', of: "'" },
  doublequote: { short: 'dq', of: '"' },
  midnumlet: { short: 'mb', of: `${fullStops}\\u2018\\u2019\\uff07` },
  midletter: { short: 'ml', of: ':\\u00b7\\u0387\\u055f\\u05f4\\u2027\\ufe13\\ufe55\\uff1a' },
  midnum: { short: 'mn', of: ',;\\u037e\\u0589\\u060c\\u060d\\u066c\\u07f8\\u2044\\ufe50\\ufe54\\uff0c\\uff1b' },
  numeric: { short: 'nu', of: numeric },
  extendnumlet: { short: 'ex', of: '\\p{Pc}\\u202f' },
  wsegspace: { of: '\\p{Zs}', without: '\\u00a0\\u2007\\u202f' },
}

const sentenceBreaks: Readonly<Record<string, Definition>> = {
  ...lineBreaks,
  sep: { short: 'se', of: '\\x85\\u2028\\u2029' },
  extend: { short: 'ex', of: marks },
  format: { short: 'fo', of: '\\p{Cf}', without: `\\p{Grapheme_Extend}${joiner}${numberSigns}` },
  sp: { of: '\\p{White_Space}', without: '\\r\\n\\x85\\u2028\\u2029' },
  lower,
  upper,
  oletter: {
    short: 'le',
    of: '\\p{Alphabetic}\\u05f3',
    without: `${marks}\\p{Lowercase}\\p{Lt}\\p{Uppercase}`,
    and: georgianLower + georgianUpper,
  },
  numeric: { short: 'nu', of: `${numeric}\\u066c` },
  aterm: { short: 'at', of: fullStops },
  sterm: { short: 'st', of: sentenceEnds, without: fullStops },
  close: {
    short: 'cl',
    of: '\\p{Ps}\\p{Pe}\\p{Pi}\\p{Pf}"\'\\u275b-\\u2760\\u2e00\\u2e01\\u2e06-\\u2e08\\u2e0b\\u{1f676}-\\u{1f678}',
    without: `\\u05f3${fullStops}${sentenceEnds}`,
  },
  scontinue: {
    short: 'sc',
    of:
      ',:;\\x2d\\u037e\\u055d\\u060c\\u060d\\u07f8\\u1802\\u1808\\u2013\\u2014\\u3001\\ufe10\\ufe11\\ufe13\\ufe14\\ufe31\\ufe32\\ufe50' +
      '\\ufe51\\ufe54\\ufe55\\ufe58\\ufe63\\uff0c\\uff0d\\uff1a\\uff1b\\uff64',
  },
}

const properties: Readonly<Record<string, Readonly<Record<string, Definition>>>> = {
  gcb: graphemeBreaks,
  graphemeclusterbreak: graphemeBreaks,
  wb: wordBreaks,
  wordbreak: wordBreaks,
  sb: sentenceBreaks,
  sentencebreak: sentenceBreaks,
}

/** `gcb=Extend`, `Word_Break=MidLetter`; names are compared loosely. `undefined` for another property, or an unknown value. */
export function breakProperty(name: string): ClassExpression | undefined {
  const [property = '', value = ''] = name
    .toLowerCase()
    .replaceAll(/[\s_-]/g, '')
    .split(/[=:]/)
  const values = Object.hasOwn(properties, property) ? properties[property] : undefined
  const found = Object.entries(values ?? {}).find(([long, { short }]) => long === value || short === value)
  if (found === undefined) return undefined
  const [, { of, without, and }] = found
  const whole = named(of)
  const rest: ClassExpression = without === undefined ? whole : { kind: 'difference', left: whole, right: named(without) }
  return and === undefined ? rest : { kind: 'union', of: [rest, named(and)] }
}

function named(classSource: string): ClassExpression {
  return { kind: 'named', classSource }
}
