import { expect, it } from 'vitest'

import { rangesOf } from './code-points.ts'
import { propertyClass, setOfClass } from './unicode.ts'

it.each([
  ['extendedpictographic', 'Extended_Pictographic'],
  ['extended-pictographic', 'Extended_Pictographic'],
  ['isGreek', 'Script=Greek'],
  ['GREEK', 'Script=Greek'],
  ['olditalic', 'Script=Old_Italic'],
  ['Is_Upper case-Letter', 'Lu'],
  ['isL', 'L'],
  ['lu', 'Lu'],
  ['alpha', 'Alphabetic'],
  ['is alphabetic', 'Alphabetic'],
  ['WHITESPACE', 'White_Space'],
  ['xidstart', 'XID_Start'],
  ['GeneralCategory=decimalnumber', 'Nd'],
  ['scriptextensions=linearb', 'Script_Extensions=Linear_B'],
  ['SC : phagspa', 'Script=Phags_Pa'],
])('%s is %s', (loose, exact) => {
  const written = propertyClass(loose)
  expect(written).toBeDefined()
  expect(rangesOf(setOfClass(written ?? '', 'unicode'))).toEqual(rangesOf(setOfClass(`\\p{${exact}}`, 'unicode')))
})

it.each(['Klingonese', 'isx', 'is', 'gc=Greek', '-'])('%s is no property', name => {
  expect(propertyClass(name)).toBeUndefined()
})
