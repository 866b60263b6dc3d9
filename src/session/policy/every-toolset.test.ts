// A policy holds for every tool of every toolset: changes are refused by level, by the user's refusal and in protected directories, and no
// other spelling of a path leads out of the workspace.

import { describe, expect, it } from 'vitest'

import { pathTools, type PathTool } from '../../testing/path-tools.ts'
import { openToolSession, textOf, type ToolSession, type ToolSessionOptions } from '../../testing/tool-session.ts'

const changes = pathTools.filter(({ kind }) => kind === 'change' || kind === 'command')

const open = ({ toolset }: PathTool, options: ToolSessionOptions): Promise<ToolSession> =>
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
    // In ecs, a failed command is not an error.
    expect(textOf(result)).toMatch(/protected directory|ermission denied|symbolic link|cannot open redirect/)
    expect(await session.file('p/f')).toBe('keep\n')
  })

  // A shell can access its whole filesystem; only the filesystem that it is given limits it.
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
