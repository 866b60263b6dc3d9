// A policy holds for every tool of every toolset: what changes files is refused by level, by a person's no and in protected directories,
// and by no other spelling of the path gets out of the workspace.

import { describe, expect, it } from 'vitest'

import { openToolSession, textOf, type ToolSession, type ToolSessionOptions } from '../../testing/tool-session.ts'
import type { ToolsetName } from '../../workspace/workspace.ts'

interface Change {
  readonly toolset: ToolsetName
  readonly tool: string
  /** Reads first where the edit needs what a read tells. */
  readonly args: (session: ToolSession, path: string) => Promise<object>
}

const found = async (session: ToolSession, tool: string, args: object, pattern: RegExp): Promise<string> =>
  pattern.exec(textOf(await session.call(tool, args)))?.[1] ?? 'none'

const changes: readonly Change[] = [
  { toolset: 'atomic', tool: 'write', args: async (_session, path) => ({ path, content: 'gone' }) },
  {
    toolset: 'atomic',
    tool: 'edit',
    args: async (session, path) => {
      const tag = await found(session, 'read', { path }, /#([0-9A-F]{4})\]/)
      return { input: `[${path}#${tag}]\nreplace 1..1:\n+gone` }
    },
  },
  { toolset: 'atomic', tool: 'bash', args: async (_session, path) => ({ command: `echo gone > '${path}'` }) },
  { toolset: 'ah', tool: 'write', args: async (_session, path) => ({ path, content: 'gone' }) },
  { toolset: 'ah', tool: 'edit', args: async (_session, path) => ({ path, old_string: 'keep', new_string: 'gone' }) },
  { toolset: 'ah', tool: 'bash', args: async (_session, path) => ({ command: `echo gone > '${path}'` }) },
  { toolset: 'rye', tool: 'write', args: async (_session, file_path) => ({ file_path, content: 'gone' }) },
  {
    toolset: 'rye',
    tool: 'edit_lines',
    args: async (session, file_path) => {
      const line_id = await found(session, 'read', { file_path }, /\[LID:([0-9a-f]{6})\]/)
      return { file_path, changes: [{ line_id, new_content: 'gone' }] }
    },
  },
  { toolset: 'agsh', tool: 'write_file', args: async (_session, path) => ({ path, content: 'gone' }) },
  {
    toolset: 'agsh',
    tool: 'edit_file',
    args: async (_session, path) => ({ path, old_string: 'keep', new_string: 'gone', force: true }),
  },
  { toolset: 'ecs', tool: 'write_file', args: async (_session, file_path) => ({ file_path, content: 'gone' }) },
  {
    toolset: 'ecs',
    tool: 'edit_file',
    args: async (session, file_path) => {
      const pos = await found(session, 'read_file', { file_path }, /(1#[0-9a-f]+)\|/i)
      return { file_path, edits_json: [{ op: 'replace', pos, lines: ['gone'] }] }
    },
  },
  { toolset: 'ecs', tool: 'bash', args: async (_session, path) => ({ command: `echo gone > '${path}'` }) },
]

const open = ({ toolset }: Change, options: ToolSessionOptions): Promise<ToolSession> =>
  openToolSession({ 'p/f': 'keep\n', 'o/f': 'keep\n', '/outside/f': 'keep\n' }, { shell: 'just-bash', ...options, name: toolset })

describe.each(changes.map(change => [`${change.toolset} ${change.tool}`, change] as const))('%s', (_name, change) => {
  it('works where it may, so that what follows proves something', async () => {
    const session = await open(change, {})
    const result = await session.call(change.tool, await change.args(session, 'o/f'))
    expect({ isError: result.isError, text: textOf(result), file: await session.file('o/f') }).toMatchObject({
      isError: false,
      file: expect.stringContaining('gone'),
    })
  })

  it.each(['none', 'read'] as const)('is denied at level %s', async level => {
    const session = await open(change, { policy: { level } })
    const result = await session.call(change.tool, await change.args(session, 'o/f'))
    expect(result).toMatchObject({ isError: true, details: { error: { code: 'permission-denied' } } })
    expect(await session.file('o/f')).toBe('keep\n')
  })

  it('asks, and does nothing after a no', async () => {
    const asked: string[] = []
    const approve = async ({ tool }: { readonly tool: string }): Promise<'deny'> => {
      asked.push(tool)
      return 'deny'
    }
    const session = await open(change, { policy: { level: 'ask', approve } })
    const result = await session.call(change.tool, await change.args(session, 'o/f'))
    expect(result).toMatchObject({ isError: true, details: { error: { code: 'approval-denied' } } })
    expect([asked, await session.file('o/f')]).toEqual([[change.tool], 'keep\n'])
  })

  it('asks, and does it after a yes', async () => {
    const session = await open(change, { policy: { level: 'ask', approve: async () => 'allow' } })
    const result = await session.call(change.tool, await change.args(session, 'o/f'))
    expect([textOf(result), result.isError, await session.file('o/f')]).toEqual([
      expect.any(String),
      false,
      expect.stringContaining('gone'),
    ])
  })

  it.each(['p/f', './p/f', 'o/../p/f', '/workspace/p/f', 'link/f', 'direct'])('changes nothing protected as %s', async path => {
    const session = await open(change, { policy: { protect: ['p'] } })
    await session.fs.symlink('p', '/workspace/link')
    await session.fs.symlink('p/f', '/workspace/direct')
    const result = await session.call(change.tool, await change.args(session, path))
    // A failed command is no error in ecs.
    expect(textOf(result)).toMatch(/protected directory|ermission denied|symbolic link|cannot open redirect/)
    expect(await session.file('p/f')).toBe('keep\n')
  })

  // A shell has the whole filesystem for its own; what contains it is the filesystem that it is given.
  const escapes =
    change.tool === 'bash' ? [] : ['../outside/f', '/outside/f', 'o/../../outside/f', 'out/f', 'far/../f', 'hole', 'a\0b', '']
  it.each(escapes)('does not get out as %j', async path => {
    const session = await open(change, {})
    await session.fs.mkdir('/outside/deep')
    await session.fs.symlink('/outside', '/workspace/out')
    await session.fs.symlink('out/deep', '/workspace/far')
    await session.fs.symlink('/outside/new', '/workspace/hole')
    const result = await session.call(change.tool, await change.args(session, path))
    expect([result.isError, await session.fs.readText('/outside/f'), await session.fs.exists('/outside/new')]).toEqual([
      true,
      'keep\n',
      false,
    ])
  })
})
