import { describe, expect, it } from 'vitest'

import { basename, dirname, displayPath, isInside, parsePath, resolveDotDot } from './path.ts'

const base = parsePath('/workspace')

describe('parsePath', () => {
  it.each([
    ['/', '/'],
    ['//a///b/', '/a/b'],
    ['/a/./b/.', '/a/b'],
    ['/a/../b', '/a/../b'],
    ['a/b', '/workspace/a/b'],
    ['.', '/workspace'],
    ['../x', '/workspace/../x'],
    ['/__proto__/ü 日本', '/__proto__/ü 日本'],
    ['/.git/..a/...', '/.git/..a/...'],
    ['/.', '/'],
    ['/..', '/..'],
    ['/a/..', '/a/..'],
    ['/a/.b/./c/', '/a/.b/c'],
  ])('%j becomes %j', (text, path) => {
    expect(parsePath(text, base)).toBe(path)
  })

  it.each([
    ['', 'ENOENT'],
    ['/a\0b', 'EINVAL'],
    ['/\ud800', 'EINVAL'],
    ['/.\0', 'EINVAL'],
    [`/a/${'b'.repeat(256)}/c`, 'ENAMETOOLONG'],
    [`/${'a'.repeat(256)}`, 'ENAMETOOLONG'],
    [`/${'é'.repeat(128)}`, 'ENAMETOOLONG'],
    ['/a'.repeat(2049), 'ENAMETOOLONG'],
    ...[undefined, null, 3, {}, ['/a'], Symbol('/a')].map(kind => [kind, 'EINVAL']),
  ])('%j is refused as %s', (text, code) => {
    expect(() => parsePath(text as string, base)).toThrow(expect.objectContaining({ code }))
  })

  it('takes names and paths of exactly the longest length', () => {
    expect(parsePath(`/${'a'.repeat(255)}`)).toHaveLength(256)
    expect(parsePath(`/${'é'.repeat(127)}a`)).toHaveLength(129)
  })

  it('refuses a relative path without a base', () => {
    expect(() => parsePath('a')).toThrow(expect.objectContaining({ code: 'EINVAL' }))
  })
})

it.each([
  ['/a/../b', '/b'],
  ['/../..', '/'],
  ['/a/b/../../c', '/c'],
])('resolveDotDot %j is %j', (path, resolved) => {
  expect(resolveDotDot(parsePath(path))).toBe(resolved)
})

it.each([
  ['/a/b', '/a', 'b'],
  ['/a', '/', 'a'],
  ['/', '/', ''],
])('%j lies in %j and is called %j', (path, parent, name) => {
  expect([dirname(parsePath(path)), basename(parsePath(path))]).toEqual([parent, name])
})

it.each([
  ['/workspace', '.', true],
  ['/workspace/a/b', 'a/b', true],
  ['/workspace2/a', '/workspace2/a', false],
  ['/etc', '/etc', false],
])('%j is shown as %j', (path, shown, inside) => {
  expect(displayPath(parsePath(path), base)).toBe(shown)
  expect(isInside(parsePath(path), base)).toBe(inside)
})
