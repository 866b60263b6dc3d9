import { expect, test } from 'vitest'
import { failureOf, toVfsError } from './failures.ts'

test.each([
  ["ENOENT: no such file or directory, open '/a'", 'ENOENT'],
  ['Error: EEXIST: file already exists, mkdir', 'EEXIST'],
  ['ENOTEMPTY', 'ENOTEMPTY'],
  ['EWEIRD: what nobody knows', 'EIO'],
  ['file not found', 'ENOENT'],
  ['Directory not empty', 'ENOTEMPTY'],
  ['Path is a directory', 'EISDIR'],
  ['something else', 'EIO'],
  ['Everything is fine', 'EIO'],
])('%s → %s', (message, code) => {
  expect(failureOf(new Error(message), 'a')).toEqual({ code, message, path: 'a' })
  expect(toVfsError(failureOf(new Error(message), 'a'), 'open')).toMatchObject({ code, path: '/a' })
})

test('what is no error', () => expect(failureOf('ENOENT: gone')).toEqual({ code: 'ENOENT', message: 'ENOENT: gone' }))
