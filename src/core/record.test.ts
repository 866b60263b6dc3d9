import { describe, expect, expectTypeOf, it } from 'vitest'
import { joinBytes } from './bytes.ts'
import { deferred } from './deferred.ts'
import { defined, isRecord } from './record.ts'

describe('isRecord', () => {
  it.each([
    [{}, true],
    [Object.create(null), true],
    [[], false],
    [null, false],
    ['text', false],
    [undefined, false],
  ])('%o: %s', (value, expected) => expect(isRecord(value)).toBe(expected))
})

describe('defined', () => {
  it('leaves out what is undefined and keeps every other value', () => {
    const fields = { kept: 0, empty: '', none: null, gone: undefined as number | undefined }
    expect(Object.keys(defined(fields))).toEqual(['kept', 'empty', 'none'])
    expectTypeOf(defined(fields)).toExtend<{ kept: number; gone?: number }>()
  })
})

describe('joinBytes', () => {
  it.each([
    [[], []],
    [
      [[1, 2], [], [3]],
      [1, 2, 3],
    ],
  ])('%j', (pieces, joined) => expect([...joinBytes(pieces.map(piece => Uint8Array.from(piece)))]).toEqual(joined))
})

describe('deferred', () => {
  it('settles from outside', async () => {
    const [good, bad] = [deferred<number>(), deferred<number>()]
    good.resolve(1)
    bad.reject(new Error('no'))
    await expect(good.promise).resolves.toBe(1)
    await expect(bad.promise).rejects.toThrow('no')
  })
})
