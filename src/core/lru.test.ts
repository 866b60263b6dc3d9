import { expect, it } from 'vitest'

import { SizedLru } from './lru.ts'

/** `a3` sets a with size 3, `?a` uses it, `-a` deletes it. */
function keysAfter(script: string): string {
  const cache = new SizedLru<string, string>(10)
  for (const [, verb, key = '', size] of script.matchAll(/([?-]?)([a-z])(\d*)/g)) {
    if (verb === '?') cache.get(key)
    else if (verb === '-') cache.delete(key)
    else cache.set(key, key, Number(size))
  }
  return [...'abcdef'].filter(key => cache.get(key) !== undefined).join('')
}

it.each([
  ['a5 b5', 'ab', 'fits exactly'],
  ['a5 b5 c1', 'bc', 'the oldest goes'],
  ['a5 b5 ?a c1', 'ac', 'use makes young'],
  ['a5 a1 b9', 'ab', 'a replaced size is given back'],
  ['a5 b11', 'a', 'what can never fit is not kept'],
  ['a5 a11', '', 'nor is what it replaces'],
  ['a5 b5 -a c5', 'bc', 'deleting gives back'],
  ['a3 b3 c3 d9', 'd', 'several go for one'],
])('%s keeps %j: %s', (script, kept) => {
  expect(keysAfter(script)).toBe(kept)
})

it('tells what made room for newer values, and only that', () => {
  const dropped: string[] = []
  const cache = new SizedLru<string, string>(10, (key, value) => dropped.push(key + value))
  cache.set('a', '1', 4)
  cache.set('a', '2', 4)
  cache.set('b', '3', 4)
  cache.delete('b')
  cache.set('c', '4', 11)
  cache.set('d', '5', 8)
  expect(dropped).toEqual(['a2'])
})
