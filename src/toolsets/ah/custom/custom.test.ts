import { describe, expect, it } from 'vitest'

import { openToolSession, textOf, type ToolSession, type ToolSessionOptions } from '../../../testing/tool-session.ts'
import { readDefinition } from './definition-file.ts'
import { schemaIssues } from './validate.ts'

const definition = (more: object = {}): string =>
  JSON.stringify({ name: 'greet', description: 'Greets.', execute: 'greet.sh', ...more })
const schema = {
  type: 'object',
  properties: { who: { type: 'string' }, times: { type: 'integer', minimum: 1 } },
  required: ['who'],
}

const open = (files: Record<string, string>, options: ToolSessionOptions = {}): Promise<ToolSession> =>
  openToolSession(files, { shell: 'just-bash', ...options, name: 'ah' })

describe('a custom tool', () => {
  it('gets its arguments on standard input and in its environment', async () => {
    const session = await open({
      'tools/greet.json': definition({ input_schema: schema }),
      'tools/greet.sh': 'echo "$TOOL_NAME:$TOOL_ARG_WHO:$TOOL_ARG_TIMES"; cat; echo; echo "$TOOL_INPUT"',
    })
    expect(session.tools.tools.map(tool => tool.name)).toEqual(['read', 'write', 'edit', 'bash', 'greet'])
    const result = await session.call('greet', { who: "wo'rld $x", times: 2 })
    const json = `{"who":"wo'rld $x","times":2}`
    expect(textOf(result)).toBe(`greet:wo'rld $x:2\n${json}\n${json}\n`)
    expect(result).toMatchObject({ isError: false, details: { exit_code: 0 } })
  })

  it('may be executable', async () => {
    const session = await open({ 'tools/greet.json': definition(), 'tools/greet.sh': '#!/bin/bash\necho hi' })
    await session.fs.chmod('/workspace/tools/greet.sh', 0o755)
    expect(await session.text('greet', {})).toBe('hi\n')
  })

  it('fails as a command fails', async () => {
    const session = await open({ 'tools/greet.json': definition(), 'tools/greet.sh': 'echo no >&2; exit 3' })
    expect(textOf(await session.call('greet', {}))).toBe('no\n\nexit code: 3')
  })

  it('ends after its own time', async () => {
    const session = await open({ 'tools/greet.json': definition({ timeout: 50 }), 'tools/greet.sh': 'sleep 5' })
    expect(textOf(await session.call('greet', {}))).toContain('timed out after 1s')
  })

  it('is cut like any other result', async () => {
    const session = await open({ 'tools/greet.json': definition(), 'tools/greet.sh': 'seq 1 10000' })
    expect(await session.text('greet', {})).toMatch(/output truncated: \d+ bytes removed from middle[\s\S]*read artifact:\/\/1/)
  })

  it.each([
    [{}, 'who is required'],
    [{ who: {} }, 'who: expected string, got object'],
    [{ who: 'x', times: 0 }, 'times must be at least 1'],
    [{ who: 'x', times: 1.5 }, 'times: expected integer, got number'],
  ])('refuses %j', async (args, says) => {
    const session = await open({ 'tools/greet.json': definition({ input_schema: schema }), 'tools/greet.sh': 'touch ran' })
    expect(await session.failure('greet', args)).toMatchObject({ code: 'invalid-arguments', text: expect.stringContaining(says) })
    expect(await session.fs.exists('/workspace/ran')).toBe(false)
  })

  it.each(['none', 'read', 'ask'] as const)('does not run at level %s', async level => {
    const files = { 'tools/greet.json': definition(), 'tools/greet.sh': 'touch ran' }
    const session = await open(files, { policy: { level } })
    expect((await session.call('greet', {})).isError).toBe(true)
    expect(await session.fs.exists('/workspace/ran')).toBe(false)
  })

  it('cannot write to a protected directory', async () => {
    const files = { 'tools/greet.json': definition(), 'tools/greet.sh': 'echo x > p/x', 'p/a': 'a' }
    const session = await open(files, { policy: { protect: ['p'] } })
    expect((await session.call('greet', {})).isError).toBe(true)
    expect(await session.fs.exists('/workspace/p/x')).toBe(false)
  })
})

describe('under rules', () => {
  const files = { 'tools/greet.json': definition(), 'tools/greet.sh': 'echo hi' }

  it.each([
    ['a rule for bash', [{ tool: 'bash', action: 'deny' }], 'permission-denied'],
    ['a rule for its own name', [{ tool: 'greet', action: 'deny' }], 'permission-denied'],
    [
      'the stricter of both',
      [
        { tool: 'greet', action: 'allow' },
        { tool: 'bash', action: 'deny' },
      ],
      'permission-denied',
    ],
    ['a rule for another tool', [{ tool: 'write', action: 'deny' }], undefined],
  ] as const)('is judged by %s', async (_name, rules, code) => {
    const session = await open(files, { policy: { rules } })
    const { isError, details } = await session.call('greet', {})
    expect([isError, details['error']]).toEqual(
      code === undefined ? [false, undefined] : [true, expect.objectContaining({ code })],
    )
  })

  it('takes no name of a built-in tool', async () => {
    const taking = { 'tools/read.json': definition({ name: 'read', execute: 'greet.sh' }) }
    const session = await open({ ...files, ...taking, a: 'text\n' }, { policy: { rules: [{ tool: 'bash', action: 'deny' }] } })
    const result = await session.call('read', { path: 'a' })
    expect(textOf(result)).toContain('text')
    expect(textOf(result)).toContain('no custom tool may be named like a built-in one')
  })
})

describe('loading', () => {
  it('lets later directories replace earlier ones, and built-in tools', async () => {
    const session = await open({
      'tools/greet.json': definition(),
      'tools/greet.sh': 'echo early',
      '.ah/tools/g.json': definition({ execute: '../greet.sh' }),
      '.ah/greet.sh': 'echo late',
      '.ah/tools/read.json': definition({ name: 'read', execute: '../greet.sh' }),
    })
    const first = await session.call('greet', {})
    expect(textOf(first)).toBe('late\n\nNote: .ah/tools/read.json replaces the built-in tool read.')
    expect(await session.text('read', {})).toBe('late\n')
  })

  it('skips what is wrong with a warning, and loads the rest', async () => {
    const session = await open({
      'tools/a.json': '{',
      'tools/b.json': definition({ name: 'Bad Name' }),
      'tools/c.json': definition({ name: 'c', execute: 'missing.sh' }),
      'tools/d.json': definition({ name: 'd', execute: '../../etc/passwd' }),
      'tools/e.json': definition({ name: 'e', execute: '/outside.sh' }),
      'tools/good.json': definition(),
      'tools/greet.sh': 'echo hi',
      'tools/notes.txt': 'not a definition',
      '/outside.sh': 'echo out',
    })
    const result = await session.call('greet', {})
    expect(textOf(result)).toContain('hi')
    const warnings = result.details['customToolWarnings']
    expect(warnings).toEqual(['a', 'b', 'c', 'd', 'e'].map(name => expect.stringContaining(`tools/${name}.json was skipped`)))
    expect(session.tools.tools.map(tool => tool.name)).toEqual(['read', 'write', 'edit', 'bash', 'greet'])
  })

  it('follows no directory out of the workspace', async () => {
    const files = { '/out/x.json': definition(), '/out/greet.sh': 'echo x' }
    const session = await openToolSession(files, { name: 'ah', root: '/workspace' })
    await session.fs.symlink('/out', '/workspace/tools')
    const tools = await session.workspace.toolset('ah')
    expect(tools.tools.map(tool => tool.name)).toEqual(['read', 'write', 'edit', 'bash'])
  })
})

it.each([
  ['[]', 'object'],
  [definition({ description: ' ' }), 'description'],
  [definition({ execute: 3 }), 'execute'],
  [definition({ input_schema: [] }), 'input_schema'],
  [definition({ input_schema: { type: 'string' } }), 'input_schema'],
  [definition({ timeout: '5' }), 'timeout'],
  [definition({ timeout: 0 }), 'timeout'],
  [definition({ name: '__proto__' }), 'name'],
])('%s is no definition', (json, says) => {
  expect(readDefinition(json)).toMatchObject({ kind: 'invalid', reason: expect.stringContaining(says) })
})

it('keywords that are not checked are told', () => {
  const read = readDefinition(definition({ input_schema: { ...schema, properties: { a: { type: 'string', pattern: 'x' } } } }))
  expect(read).toMatchObject({ warnings: [expect.stringContaining('pattern')] })
})

it.each([
  [{ type: ['string', 'null'] }, null, 0],
  [{ enum: ['a', 1] }, 1, 0],
  [{ enum: ['a', 1] }, 2, 1],
  [{ const: { a: 1 } }, { a: 1 }, 0],
  [{ items: { type: 'number' } }, [1, 'x', 2], 1],
  [{ properties: { a: {} }, additionalProperties: false }, { a: 1, b: 2 }, 1],
  [{ additionalProperties: { type: 'string' } }, { b: 2 }, 1],
  [{ maxLength: 1 }, '😀', 0],
  [{ required: ['toString'] }, {}, 1],
])('%j %j has %d issues', (rules, value, count) => {
  expect(schemaIssues(rules, value)).toHaveLength(count)
})
