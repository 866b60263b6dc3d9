// Rules as applied to every tool of every toolset, and attempts to bypass them, which all fail.

import { describe, expect, it } from 'vitest'

import { parsePath } from '../../core/path.ts'
import { isDeep } from '../../testing/depth.ts'
import { pathTools, type PathTool } from '../../testing/path-tools.ts'
import { openToolSession, tagIn, textOf, type ToolSession, type ToolSessionOptions } from '../../testing/tool-session.ts'
import type { ApprovalRequest } from './approve.ts'
import { decide } from './decide.ts'
import { openPolicy, requiredLevel, type PermissionLevel, type Policy } from './policy.ts'
import type { PolicyRule } from './rule.ts'

const files = { 's/f': 'keep\n', 's/deep/g': 'keep\n', 'o/f': 'keep\n', 'o/g': 'keep\n' }
const open = (policy: Policy, options: ToolSessionOptions = {}): Promise<ToolSession> =>
  openToolSession(files, { shell: 'just-bash', policy, ...options })

const place = { root: parsePath('/workspace'), caseSensitive: true }
const levels: readonly PermissionLevel[] = ['none', 'read', 'ask', 'write']
const ruleSets: readonly (readonly PolicyRule[])[] = [
  [],
  [{ path: 's/**', action: 'deny', reason: 'it is a secret' }],
  [{ path: 's/**', action: 'ask' }],
  [{ path: 's/**', action: 'allow' }],
  [{ path: 's/**', action: 'allow' }, { action: 'deny' }],
  [{ tool: ['write*', 'edit*', 'bash'], action: 'allow' }],
  [{ tool: ['read*', 'grep', 'search'], path: 's/f', action: 'deny' }, { action: 'allow' }],
]

/** Tools whose arguments come from the result of a read. */
const readerOf: ReadonlyMap<string, string> = new Map([
  ['atomic edit', 'read'],
  ['rye edit_lines', 'read'],
  ['ecs edit_file', 'read_file'],
])

/** What a command may access is decided by the tool, and by the paths that its rules forbid. */
function expectedOf(tool: PathTool, policy: Awaited<ReturnType<typeof openPolicy>>, session: ToolSession, path: string): string {
  const definition = session.tools.tools.find(({ name }) => name === tool.tool)
  if (definition === undefined) throw new Error(`no tool ${tool.tool}`)
  const judged = { name: tool.tool, required: requiredLevel(definition.annotations) }
  const at = parsePath(path, place.root)
  if (tool.kind !== 'command') return decide(policy, judged, at).permission
  const call = decide(policy, judged).permission
  const rule = policy.rules.find('bash', at)
  return call !== 'denied' && rule?.path !== undefined && rule.action !== 'allow' ? 'closed' : call
}

/** Each case needs a separate session, so the quick run takes every fifth case. */
const caseStep = isDeep ? 1 : 5

describe.each(pathTools.map(tool => [`${tool.toolset} ${tool.tool}`, tool] as const))('%s', (_name, tool) => {
  it('follows the truth table: levels × rules × paths × answers', async () => {
    const counts: Record<string, number> = {}
    let number = 0
    // A shell takes time to start, and three toolsets have the same one, so only one is tested with the whole table.
    const isCommand = tool.kind === 'command'
    for (const level of isCommand && tool.toolset !== 'atomic' ? (['read', 'ask'] as const) : levels) {
      for (const rules of ruleSets) {
        for (const path of ['s/f', 'o/f']) {
          for (const answer of isCommand && level !== 'ask' ? (['allow'] as const) : (['allow', 'deny'] as const)) {
            if (number++ % caseStep !== 0) continue
            const requests: ApprovalRequest[] = []
            let isReadingFirst = true
            const approve = async (request: ApprovalRequest): Promise<'allow' | 'deny'> => {
              if (isReadingFirst) return 'allow'
              requests.push(request)
              return answer
            }
            const session = await open({ level, rules, approve }, { name: tool.toolset })
            const args = await tool.args(session, tool.tool === 'ls' ? path.slice(0, 1) : path)
            isReadingFirst = false
            const result = await session.call(tool.tool, args)
            const policy = await openPolicy({ level, rules }, place)
            const expected = expectedOf(tool, policy, session, path)
            counts[expected] = (counts[expected] ?? 0) + 1
            const row = { level, rules, path, answer, expected, text: textOf(result) }
            if (expected === 'denied') {
              expect({ ...row, error: result.details['error'] }).toMatchObject({ error: { code: 'permission-denied' } })
            }
            // An edit of lines that this session may not read fails because it has not seen them, before the user is asked.
            const name = readerOf.get(`${tool.toolset} ${tool.tool}`)
            const at = parsePath(path, place.root)
            const isBlind = name !== undefined && decide(policy, { name, required: 'read' }, at).permission === 'denied'
            // Whether the command may run is asked before it is known which files it opens.
            const bash = decide(policy, { name: 'bash', required: 'write' }).permission
            const isAsked = expected === 'ask' || (expected === 'closed' && bash === 'ask')
            const isDone = !isBlind && (expected === 'allowed' || (expected === 'ask' && answer === 'allow'))
            expect({ ...row, asked: requests.length }).toEqual({ ...row, asked: isAsked && !isBlind ? 1 : 0 })
            if (tool.kind === 'change' || tool.kind === 'command') {
              const isGone = (await session.file(path)).includes('gone')
              expect({ ...row, isGone }).toEqual({ ...row, isGone: isDone })
            } else {
              expect({ ...row, isError: result.isError }).toEqual({ ...row, isError: !isDone })
              if (!isDone) expect(textOf(result)).not.toContain('keep')
            }
            await session.workspace.dispose()
          }
        }
      }
    }
    for (const permission of ['allowed', 'ask', 'denied']) expect(counts[permission] ?? 0).toBeGreaterThan(0)
  })

  it('is held by where a path leads, however it is written', async () => {
    const rules: readonly PolicyRule[] = [{ path: 's', action: 'deny', reason: 'it is a secret.' }]
    for (const path of [
      's/f',
      './s/f',
      'o/../s/f',
      '/workspace/s/f',
      'link/f',
      'chain/f',
      'direct',
      's/deep/../f',
      'link/deep/g',
    ]) {
      const session = await open({ rules }, { name: tool.toolset })
      await session.fs.symlink('s', '/workspace/link')
      await session.fs.symlink('link', '/workspace/chain')
      await session.fs.symlink('/workspace/s/f', '/workspace/direct')
      const result = await session.call(tool.tool, await tool.args(session, path))
      if (tool.kind !== 'command') {
        expect({ path, isError: result.isError, text: textOf(result) }).toMatchObject({ isError: true })
        expect(textOf(result)).not.toContain('keep')
      }
      expect([path, await session.file('s/f'), await session.file('s/deep/g')]).toEqual([path, 'keep\n', 'keep\n'])
    }
  })
})

it('the refusal says why and what to do', async () => {
  const session = await open({ rules: [{ path: 's/**', action: 'deny', reason: 'Keys are read by people only.' }] })
  const { text, code } = await session.failure('read', { path: 's/f' })
  expect(code).toBe('permission-denied')
  expect(text).toContain('does not allow read on s/f: Keys are read by people only. Nothing was done.')
  expect(text).toContain('ask the user to change the policy')
})

it('rules bind a renamed tool by its own name', async () => {
  const session = await open(
    { rules: [{ tool: 'write', action: 'deny' }] },
    { toolset: { rename: { write: 'put', edit: 'write' } } },
  )
  expect((await session.failure('put', { path: 'o/f', content: 'gone' })).code).toBe('permission-denied')
  expect((await session.failure('write', { input: '[o/f#0000]\nreplace 1..1:\n+gone' })).code).not.toBe('permission-denied')
})

it('one denied path refuses a call about several before anything is written', async () => {
  const session = await open({ rules: [{ tool: 'edit', path: 's/**', action: 'deny' }] })
  const [first, second] = [tagIn(await session.text('read', { path: 'o/f' })), tagIn(await session.text('read', { path: 's/f' }))]
  const input = `[o/f#${first}]\nreplace 1..1:\n+gone\n[s/f#${second}]\nreplace 1..1:\n+gone`
  expect((await session.failure('edit', { input })).code).toBe('permission-denied')
  expect([await session.file('o/f'), await session.file('s/f')]).toEqual(['keep\n', 'keep\n'])
})

it('one path that asks makes a call about several ask once, with every change in it', async () => {
  const requests: ApprovalRequest[] = []
  const session = await open({
    rules: [{ tool: 'edit', path: 's/**', action: 'ask' }],
    approve: async request => {
      requests.push(request)
      return 'allow'
    },
  })
  const [first, second] = [tagIn(await session.text('read', { path: 'o/f' })), tagIn(await session.text('read', { path: 's/f' }))]
  await session.text('edit', { input: `[o/f#${first}]\nreplace 1..1:\n+gone\n[s/f#${second}]\nreplace 1..1:\n+gone` })
  expect(requests).toMatchObject([
    { effect: { kind: 'write', changes: [{ path: '/workspace/o/f' }, { path: '/workspace/s/f' }] } },
  ])
  expect([await session.file('o/f'), await session.file('s/f')]).toEqual(['gone\n', 'gone\n'])
})

it('an approval by a rule lapses when the file moved while the person thought', async () => {
  let theirs = async (): Promise<void> => {}
  const session = await open({
    rules: [{ path: 'o/**', action: 'ask' }],
    approve: async ({ effect }) => {
      if (effect.kind === 'write') await theirs()
      return 'allow'
    },
  })
  theirs = async () => void (await session.fs.writeFile('/workspace/o/f', 'theirs\n'))
  expect((await session.failure('write', { path: 'o/f', content: 'mine\n' })).code).toBe('file-changed')
  expect(await session.file('o/f')).toBe('theirs\n')
})

describe('listings and searches leave out what is withheld, and say so', () => {
  const rules: readonly PolicyRule[] = [{ path: ['s/**', 'o/g'], action: 'deny' }]
  it.each([
    ['atomic', 'find', { paths: ['**/*'] }],
    ['atomic', 'search', { pattern: 'keep' }],
    ['atomic', 'read', { path: '.' }],
    ['rye', 'glob', { pattern: '**/*' }],
    ['rye', 'grep', { pattern: 'keep' }],
    ['rye', 'ls', { path: 'o' }],
  ] as const)('%s %s', async (name, tool, args) => {
    const session = await open({ rules }, { name })
    for (const time of ['first', 'again']) {
      const result = await session.call(tool, args)
      const text = textOf(result)
      expect({ time, isError: result.isError, text }).toMatchObject({ isError: false })
      const [found, notes] = [text.replace(/\nNote: the policy.*/s, ''), text]
      expect(found).toMatch(/\bf\b/)
      expect(found).not.toMatch(/\bg\b|deep|s\/f/)
      expect(notes).toMatch(tool === 'ls' ? /withholds 1 entry/ : /withholds 2 entries/)
      expect(result.details['withheldEntries']).toBe(tool === 'ls' ? 1 : 2)
    }
  })

  it('a search that was allowed for once leaves nothing behind for the next', async () => {
    let answer: 'allow' | 'deny' = 'allow'
    const session = await open({ rules: [{ path: 's', action: 'ask' }], approve: async () => answer })
    expect(await session.text('search', { pattern: 'keep', paths: ['s'] })).toContain('s/f')
    expect(await session.text('search', { pattern: 'keep' })).not.toContain('s/f')
    answer = 'deny'
    expect((await session.failure('search', { pattern: 'keep', paths: ['s'] })).code).toBe('approval-denied')
  })
})

describe('commands', () => {
  const rules: readonly PolicyRule[] = [
    { tool: 'bash', path: 's/open/**', action: 'allow' },
    { path: ['s/**', '**/*.key'], action: 'deny', reason: 'it is a secret' },
    { path: 'o/asked', action: 'ask' },
    { tool: 'write', path: 'o/g', action: 'deny' },
  ]
  const opened = async (): Promise<ToolSession> => {
    const session = await openToolSession(
      { ...files, 's/open/h': 'open\n', 'o/a.key': 'keep\n', 'o/asked': 'keep\n' },
      { shell: 'just-bash', policy: { rules } },
    )
    await session.fs.symlink('s', '/workspace/link')
    return session
  }
  it.each([
    'echo gone > s/f',
    'echo gone > link/f',
    'cd s && echo gone > f',
    'rm s/f',
    'rm -rf s',
    'mv s moved',
    'mv s/f o/f2',
    'mv s/deep o/deep',
    'mv o s/o',
    'mv o moved',
    'mv o/f o/f.key',
    'cp o/f o/f.key',
    'ln s/f hard && echo gone > hard',
    'ln -s s/f soft && echo gone > soft',
    'chmod 000 s/f',
    'sed -i s/keep/gone/ o/a.key',
    'echo gone > o/asked',
    'mkdir -p s/new',
  ])('%s changes nothing', async command => {
    const session = await opened()
    const before = await everything(session)
    await session.call('bash', { command })
    const after = await everything(session)
    for (const [path, text] of before) if (/keep|open/.test(text)) expect([path, after.get(path)]).toEqual([path, text])
    expect([...after.values()].join('')).not.toContain('gone')
  })

  it.each(['cat s/f', 'cat link/f', 'cat o/a.key', 'cat o/asked', 'cp s/f o/copy; cat o/copy', 'grep -r keep s link'])(
    '%s shows nothing',
    async command => {
      const session = await opened()
      expect(textOf(await session.call('bash', { command }))).not.toMatch(/keep$/m)
    },
  )

  it('do what they may', async () => {
    const session = await opened()
    expect(
      await session.text('bash', { command: 'cat s/open/h; cat o/f; echo gone > o/g; echo new > s/open/new; cat o/g' }),
    ).toMatch(/open\s+keep\s+gone/)
    expect(await session.file('s/open/new')).toBe('new\n')
  })

  it('a shell that was made elsewhere cannot be held back, so it is refused', async () => {
    const shell = { capabilities: { notes: [] } as never, start: () => Promise.reject(new Error()), dispose: async () => {} }
    await expect(openToolSession({}, { shell, policy: { rules } })).rejects.toMatchObject({ code: 'workspace-options' })
    const byTool = await openToolSession({}, { shell, policy: { rules: [{ tool: 'write', path: 'a', action: 'deny' }] } })
    expect(byTool.tools.tools).toHaveLength(6)
  })
})

it('what touches no file is judged by the tool alone', async () => {
  const asked: ApprovalRequest[] = []
  const session = await open(
    {
      level: 'none',
      rules: [
        { path: 'o/**', action: 'allow' },
        { tool: 'scratchpad_w*', action: 'allow' },
        { tool: 'scratchpad_read', action: 'ask' },
      ],
      approve: async request => {
        asked.push(request)
        return 'allow'
      },
    },
    { name: 'agsh' },
  )
  await session.text('scratchpad_write', { name: 'a', content: 'text' })
  expect(await session.text('scratchpad_read', { name: 'a' })).toBe('text')
  expect(asked).toMatchObject([{ tool: 'scratchpad_read', effect: { kind: 'call' } }])
  expect((await session.failure('scratchpad_list', {})).code).toBe('permission-denied')
  expect(await session.text('read_file', { path: 'o/f' })).toBe('keep')
})

it('no index of line IDs is written where a rule keeps an agent out', async () => {
  const rules: readonly PolicyRule[] = [{ path: '.ai/**', action: 'deny' }]
  const session = await open({ rules }, { name: 'rye' })
  expect(await session.text('read', { file_path: 'o/f' })).toMatch(/^\[LID:[0-9a-f]{6}\] keep/)
  expect(await session.fs.exists('/workspace/.ai')).toBe(false)
})

describe('descriptions', () => {
  const described = async (policy: Policy, name: string): Promise<string> =>
    (await open(policy)).tools.tools.find(tool => tool.name === name)?.description ?? ''

  it.each([
    [{}, 'write', [], ['Policy', 'permission', 'Protected']],
    [{ level: 'read' }, 'write', ['needs the permission level `write`'], []],
    [{ level: 'read' }, 'read', [], ['permission level']],
    [{ level: 'ask' }, 'edit', ['the user is shown what would change'], []],
    [{ protect: ['dist'] }, 'bash', ['nothing can be changed there: dist'], []],
    [{ protect: ['dist'] }, 'read', [], ['dist']],
    [
      { rules: [{ path: 's/**', action: 'deny', reason: 'it is a secret' }] },
      'read',
      ['Policy (the first match applies): s/**: refused (it is a secret).'],
      [],
    ],
    [{ rules: [{ tool: 'write', path: 's', action: 'deny' }] }, 'read', [], ['Policy']],
    [{ level: 'none', rules: [{ path: 'o', action: 'allow' }] }, 'read', ['o: allowed', 'Everything else is refused'], []],
    [
      { level: 'none', rules: [{ path: 'o', action: 'allow' }, { action: 'ask' }] },
      'read',
      ['everything else: the user is asked'],
      ['permission level'],
    ],
  ] as const)('%j, %s', async (policy, name, told, untold) => {
    const description = await described(policy, name)
    for (const text of told) expect(description).toContain(text)
    for (const text of untold) expect(description).not.toContain(text)
  })
})

async function everything(session: ToolSession): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for await (const { path, kind } of session.fs.walk('/workspace')) {
    if (kind === 'file') found.set(path, await session.fs.readText(path))
  }
  return found
}
