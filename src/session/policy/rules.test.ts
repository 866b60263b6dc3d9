// The truth table of a policy: levels × rules × kinds of tools × paths, written by hand.

import { describe, expect, it } from 'vitest'

import { parsePath } from '../../core/path.ts'
import { decide, isDeniedAlways } from './decide.ts'
import { openPolicy, type PermissionLevel, type SessionPolicy } from './policy.ts'
import type { PolicyRule } from './rule.ts'

const levels: readonly PermissionLevel[] = ['none', 'read', 'ask', 'write']
const place = { root: parsePath('/workspace'), caseSensitive: true }
const open = (rules: readonly PolicyRule[], level: PermissionLevel = 'write'): Promise<SessionPolicy> =>
  openPolicy({ level, rules }, place)

const readers = ['read', 'grep']
const letters = { allowed: 'a', ask: '?', denied: 'd' } as const

/** At levels none, read, ask, write: a allowed, ? asked, d denied. */
type Row = readonly [rules: readonly PolicyRule[], tool: string, path: string | undefined, atLevels: string]
const [byLevelReading, byLevelWriting] = ['daaa', 'dd?a']
const deny = { path: 'secrets/**', action: 'deny' } as const
const open1 = [{ path: 'secrets/open/**', action: 'allow' }, deny] as const
const onlyDocs = [{ path: 'docs', action: 'allow' }, { action: 'deny' }] as const
const rows: readonly Row[] = [
  [[], 'read', 'a', byLevelReading],
  [[], 'write', 'a', byLevelWriting],
  [[], 'bash', undefined, byLevelWriting],
  [[deny], 'read', 'secrets/key', 'dddd'],
  [[deny], 'write', 'secrets/deep/er/key', 'dddd'],
  [[deny], 'write', 'secrets', 'dddd'],
  [[deny], 'read', 'secrets2/key', byLevelReading],
  [[deny], 'write', 'src/secrets/key', byLevelWriting],
  [[deny], 'write', '.', byLevelWriting],
  [[deny], 'bash', undefined, byLevelWriting],
  [[{ path: 'docs/**', action: 'allow' }], 'write', 'docs/a', 'aaaa'],
  [[{ path: 'docs/**', action: 'allow' }], 'read', 'docs', 'aaaa'],
  [[{ path: 'docs/**', action: 'allow' }], 'write', 'src/a', byLevelWriting],
  [[{ path: '**/.env', action: 'ask' }], 'read', '.env', '????'],
  [[{ path: '**/.env', action: 'ask' }], 'write', 'a/b/.env', '????'],
  [[{ path: '.env', action: 'ask' }], 'write', 'a/.env', byLevelWriting],
  [[{ tool: 'write', path: 'src/**', action: 'deny' }], 'write', 'src/a', 'dddd'],
  [[{ tool: 'write', path: 'src/**', action: 'deny' }], 'edit', 'src/a', byLevelWriting],
  [[{ tool: 'write', path: 'src/**', action: 'deny' }], 'read', 'src/a', byLevelReading],
  [[{ tool: ['write', 'ed*'], action: 'deny' }], 'edit_file', 'a', 'dddd'],
  [[{ tool: ['write', 'ed*'], action: 'deny' }], 'read', 'a', byLevelReading],
  [[{ tool: 'bash', action: 'allow' }], 'bash', undefined, 'aaaa'],
  [[{ tool: 'bash', action: 'ask' }], 'bash', undefined, '????'],
  [open1, 'read', 'secrets/open/a', 'aaaa'],
  [open1, 'read', 'secrets/key', 'dddd'],
  [[deny, ...open1], 'read', 'secrets/open/a', 'dddd'],
  [[{ tool: 'bash', action: 'allow' }, deny], 'bash', 'secrets/key', 'aaaa'],
  [onlyDocs, 'read', 'docs/a', 'aaaa'],
  [onlyDocs, 'write', 'a', 'dddd'],
  [onlyDocs, 'bash', undefined, 'dddd'],
  [[{ path: '/etc/**', action: 'deny' }], 'read', '/etc/passwd', 'dddd'],
  [[{ path: '/etc/**', action: 'deny' }], 'read', 'etc/passwd', byLevelReading],
  [[{ path: 'etc/**', action: 'deny' }], 'read', '/etc/passwd', byLevelReading],
  [[{ path: '**', action: 'deny' }], 'read', '.', 'dddd'],
  [[{ path: '**', action: 'deny' }], 'read', '/elsewhere', byLevelReading],
  [[{ path: '/', action: 'deny' }], 'read', '/elsewhere', 'dddd'],
  [[{ path: ['a/*.ts', './b/', 'c/'], action: 'deny' }], 'read', 'a/x.ts', 'dddd'],
  [[{ path: ['a/*.ts', './b/', 'c/'], action: 'deny' }], 'read', 'b/x', 'dddd'],
  [[{ path: ['a/*.ts', './b/', 'c/'], action: 'deny' }], 'read', 'c', 'dddd'],
  [[{ path: 'a/*.ts', action: 'deny' }], 'read', 'a/b/x.ts', byLevelReading],
  [[{ path: 'a/*.ts', action: 'deny' }], 'read', 'a/b.ts/x', 'dddd'],
  [[{ path: 'A', action: 'deny' }], 'read', 'a', byLevelReading],
  [[{ path: '__proto__', action: 'deny' }], 'read', '__proto__/a', 'dddd'],
]

it.each(rows)('%j: %s of %s is %s', async (rules, tool, path, atLevels) => {
  const at = path === undefined ? undefined : parsePath(path, place.root)
  const found: string[] = []
  for (const level of levels) {
    const required = readers.includes(tool) ? 'read' : 'write'
    found.push(letters[decide(await open(rules, level), { name: tool, required }, at).permission])
  }
  expect(found.join('')).toBe(atLevels)
})

it('takes two spellings for one where the filesystem does', async () => {
  const policy = await openPolicy({ rules: [{ path: 'Secrets', action: 'deny' }] }, { ...place, caseSensitive: false })
  const decision = decide(policy, { name: 'read', required: 'read' }, parsePath('/workspace/SECRETS/key'))
  expect(decision.permission).toBe('denied')
})

it.each([
  [[], 'write', 'edit', false],
  [[], 'read', 'edit', true],
  [[{ path: 'docs/**', action: 'allow' }], 'read', 'edit', false],
  [[{ path: 'docs/**', action: 'ask' }, { action: 'deny' }], 'write', 'edit', false],
  [[{ path: 'docs/**', action: 'deny' }, { action: 'deny' }], 'write', 'edit', true],
  [[{ tool: 'edit', action: 'deny' }, { action: 'allow' }], 'write', 'edit', true],
  [[{ tool: 'edit', action: 'deny' }], 'write', 'write', false],
] as const)('%j at level %s: every %s is denied: %s', async (rules, level, name, expected) => {
  expect(isDeniedAlways(await open(rules, level), { name, required: 'write' })).toBe(expected)
})

describe('what is no rule is refused', () => {
  it.each([
    ['no list', {}, 'rules'],
    ['no object', ['deny'], 'rules[0]'],
    ['null', [null], 'rules[0]'],
    ['no action', [{ path: 'a' }], 'action'],
    ['another action', [{ action: 'forbid' }], 'action'],
    ['a misspelt name', [{ action: 'deny', paths: 'a' }], '"paths"'],
    ['an empty path', [{ action: 'deny', path: '' }], 'path'],
    ['no paths at all', [{ action: 'deny', path: [] }], 'path'],
    ['a path that is no text', [{ action: 'deny', path: [1] }], 'path'],
    ['a null byte', [{ action: 'deny', path: 'a\0' }], 'path'],
    ['a way out', [{ action: 'deny', path: 'a/../b' }], "'..'"],
    ['no glob', [{ action: 'deny', path: '**/'.repeat(20) + 'a' }], 'glob'],
    ['a tool that is no text', [{ action: 'deny', tool: 1 }], 'tool'],
    ['a long reason', [{ action: 'deny', reason: 'x'.repeat(501) }], 'reason'],
    ['too many', Array.from({ length: 1001 }, () => ({ action: 'deny' })), '1000'],
  ])('%s', async (_name, rules, told) => {
    const opened = openPolicy({ rules: rules as readonly PolicyRule[] }, place)
    await expect(opened).rejects.toMatchObject({ code: 'workspace-options', message: expect.stringContaining(told) })
  })
})
