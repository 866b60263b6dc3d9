import { describe, expect, test } from 'vitest'
import { AnchorageError, ToolError } from '../core/errors.ts'
import { failures } from '../testing/wire/failures.ts'
import { VfsError } from '../vfs/error.ts'
import { decodeThrown, encodeThrown, isWireThrown } from './thrown.ts'

/** Encodes and decodes, through a real structured clone. */
function cross(thrown: unknown): unknown {
  const data: unknown = structuredClone(encodeThrown(thrown))
  if (!isWireThrown(data)) throw new Error('encodeThrown made what isWireThrown does not know')
  return decodeThrown(data)
}

describe('what is thrown keeps', () => {
  const rows: readonly [name: string, kind: new (...args: never) => Error, fields: Record<string, unknown>][] = [
    [
      'vfs',
      VfsError,
      {
        name: 'VfsError',
        code: 'ENOENT',
        syscall: 'open',
        path: '/a',
        dest: undefined,
        details: { syscall: 'open', path: '/a' },
      },
    ],
    ['vfs', AnchorageError, { message: "ENOENT: no such file or directory, open '/a' (closest: /b)" }],
    ['rename', VfsError, { code: 'EXDEV', path: '/a', dest: '/b/c' }],
    ['tool', ToolError, { code: 'not-unique', nextStep: 'Say more.', details: { count: 2 } }],
    ['anchorage', AnchorageError, { name: 'AnchorageError', code: 'walk-limit', details: { at: 3 } }],
    ['type', TypeError, { name: 'TypeError', message: 'not a function' }],
    ['abort', DOMException, { name: 'AbortError', message: 'stop it', code: 20 }],
    ['timeout', DOMException, { name: 'TimeoutError' }],
    ['unknown', Error, { name: 'CustomError', code: 'E_ODD', message: 'odd' }],
  ]
  test.each(rows)('%s', (name, kind, fields) => {
    const original = failures[name]
    const arrived = cross(original)
    expect(arrived).toBeInstanceOf(kind)
    for (const [field, value] of Object.entries(fields)) expect(Reflect.get(Object(arrived), field)).toEqual(value)
    expect(Reflect.get(Object(arrived), 'stack')).toBe(Reflect.get(Object(original), 'stack'))
  })

  test('its cause', () => {
    expect(cross(failures['anchorage'])).toMatchObject({ cause: { name: 'RangeError', message: 'deep' } })
  })

  test.each(['text', 'nothing', 'data'])('a value that is no error: %s', name => {
    expect(cross(failures[name])).toEqual(failures[name])
  })

  test('the details that can be sent, and says what the others were', () => {
    expect(cross(failures['live'])).toMatchObject({ details: { kept: 1, dropped: expect.stringContaining('[not cloneable]') } })
  })

  test('what a value that cannot be sent looked like', () => {
    expect(cross(failures['function'])).toMatchObject({ message: expect.stringContaining('not cloneable') })
  })
})

test('a cycle of causes ends', () => {
  const error = new Error('round')
  error.cause = error
  let depth = 0
  for (let at = cross(error); at instanceof Error; at = at.cause) depth += 1
  expect(depth).toBe(5)
})

test.each([
  [{ kind: 'error', family: 'vfs', name: 'x', message: 'y', code: {} }],
  [{ kind: 'error', family: 'native', name: { toString: 1 }, message: 'y' }],
  [{ kind: 'text', text: 1 }],
  [{ kind: 'else' }],
  [null],
  ['text'],
])('is no thrown thing: %j', data => {
  expect(isWireThrown(data)).toBe(false)
})
