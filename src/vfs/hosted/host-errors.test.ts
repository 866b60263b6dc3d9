// An error of a host is converted to ours, whichever realm it comes from, and never shows the machine's path.

import { runInNewContext } from 'node:vm'
import { expect, test } from 'vitest'
import { fromHost } from './host-errors.ts'

const inRealm: Readonly<Record<string, (properties: object) => unknown>> = {
  'this realm': properties => Object.assign(new Error('ENOENT: /home/me/secret'), properties),
  'another realm': properties => Object.assign(runInNewContext('new Error("ENOENT: /home/me/secret")'), properties),
}

const rows: readonly (readonly [code: string, ours: string])[] = [
  ['ENOENT', "ENOENT: no such file or directory, open '/a'"],
  ['EDQUOT', "ENOSPC: no space left on device, open '/a' (the system says EDQUOT)"],
  ['EWEIRD', "EIO: i/o error, open '/a' (the system says EWEIRD)"],
]

test.each(Object.keys(inRealm).flatMap(realm => rows.map(row => [realm, ...row] as const)))('%s: %s', (realm, code, ours) => {
  expect(fromHost(inRealm[realm]?.({ code, syscall: 'open', path: '/home/me/secret' }), '/a')).toMatchObject({ message: ours })
})

test.each([new TypeError('a bug'), 'text', undefined, Object.assign(new Error('bad'), { code: 'ERR_INVALID_ARG_TYPE' })])(
  '%s stays as it is',
  error => {
    expect(fromHost(error, '/a')).toBe(error)
  },
)
