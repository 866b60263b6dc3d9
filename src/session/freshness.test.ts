import { expect, it } from 'vitest'

import { parsePath } from '../core/path.ts'
import { FreshnessLedger } from './freshness.ts'

const [a, b] = [parsePath('/a'), parsePath('/b')]

it.each([
  ['what was never seen', () => {}, 1, 'text', 'never-seen'],
  ['another file', (ledger: FreshnessLedger) => ledger.note(b, 1, 'text'), 1, 'text', 'never-seen'],
  ['the same', (ledger: FreshnessLedger) => ledger.note(a, 1, 'text'), 1, 'text', 'current'],
  ['a touched file', (ledger: FreshnessLedger) => ledger.note(a, 1, 'text'), 2, 'text', 'current'],
  ['another text', (ledger: FreshnessLedger) => ledger.note(a, 1, 'text'), 2, 'texts', 'changed'],
  [
    'the last of two',
    (ledger: FreshnessLedger) => {
      ledger.note(a, 1, 'old')
      ledger.note(a, 2, 'new')
    },
    3,
    'old',
    'changed',
  ],
  ['an empty file', (ledger: FreshnessLedger) => ledger.note(a, 1, ''), 2, '', 'current'],
])('%s', (_name, before, rev, text, expected) => {
  const ledger = new FreshnessLedger()
  before(ledger)
  expect(ledger.check(a, rev, text)).toBe(expected)
})

it('forgets what was seen longest ago', () => {
  const ledger = new FreshnessLedger(1)
  ledger.note(a, 1, 'a')
  ledger.note(b, 1, 'b')
  expect([ledger.check(a, 1, 'a'), ledger.check(b, 1, 'b')]).toEqual(['never-seen', 'current'])
})
