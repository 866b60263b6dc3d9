import { expect, it } from 'vitest'

import { fullHash } from '../core/hash.ts'
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

it.each([
  ['kept as a text', 1_000],
  ['hashed at once', 1],
])('compares and saves what is %s', (_name, maxTextCharacters) => {
  const ledger = new FreshnessLedger(10, maxTextCharacters)
  ledger.note(a, 1, 'first')
  ledger.note(b, 1, 'second')
  ledger.note(a, 2, 'third')
  expect([ledger.check(a, 3, 'third'), ledger.check(a, 3, 'first'), ledger.check(b, undefined, 'second')]).toEqual([
    'current',
    'changed',
    'current',
  ])
  const saved = [
    [b, fullHash('second')],
    [a, fullHash('third')],
  ]
  expect([ledger.identities(), ledger.identities()]).toEqual([saved, saved])
  expect(ledger.check(a, 3, 'third')).toBe('current')
})

it('forgets what was seen longest ago', () => {
  const ledger = new FreshnessLedger(1)
  ledger.note(a, 1, 'a')
  ledger.note(b, 1, 'b')
  expect([ledger.check(a, 1, 'a'), ledger.check(b, 1, 'b')]).toEqual(['never-seen', 'current'])
})
