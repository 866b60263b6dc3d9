// No path leads out of the workspace, with any tool, on any filesystem: in memory, and in a real directory beside another one. For
// browsers, see escape-paths.browser.test.ts.

import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

import { afterEach, describe, expect, it } from 'vitest'

import { memory } from '../backends/memory/index.ts'
import { node } from '../backends/node/index.ts'
import { createWorkspace } from '../workspace/create-workspace.ts'
import {
  escapePaths,
  escapesOf,
  fileTools,
  lookalikes,
  outsideOf,
  outsideSecret,
  putEscapes,
  toolsetNames,
} from './escape-paths.ts'
import { pathTools } from './path-tools.ts'
import { testShell, textOf } from './tool-session.ts'
import { isDeep } from './depth.ts'

const directories: string[] = []
afterEach(() => {
  for (const directory of directories.splice(0)) rmSync(directory, { recursive: true, force: true })
})

/** A directory for the filesystem, and another one beside it that no workspace in the first may reach. */
function realDirectory(): { readonly inside: string; readonly beside: string } {
  const directory = mkdtempSync(join(tmpdir(), 'anchorage-escape-'))
  directories.push(directory)
  const [inside, beside] = [join(directory, 'inside'), join(directory, 'beside')]
  mkdirSync(join(inside, 'workspace'), { recursive: true })
  mkdirSync(join(beside, 'deep'), { recursive: true })
  writeFileSync(join(beside, 'secret.txt'), outsideSecret)
  writeFileSync(join(beside, 'deep/bytes'), Uint8Array.of(0, 255, 10))
  // As other programs may create them: they lead out of the directory, not only out of the workspace.
  symlinkSync(join(beside, 'secret.txt'), join(inside, 'workspace/host-file'))
  symlinkSync(beside, join(inside, 'workspace/host-directory'))
  symlinkSync('../../beside', join(inside, 'workspace/host-relative'))
  return { inside, beside }
}

function realTree(directory: string): readonly string[] {
  return readdirSync(directory, { recursive: true, withFileTypes: true })
    .map(entry => {
      const path = join(entry.parentPath, entry.name)
      const { mode, mtimeMs } = statSync(path)
      const content = entry.isFile() ? readFileSync(path, 'hex') : entry.isSymbolicLink() ? readlinkSync(path) : ''
      return `${path} ${mode} ${mtimeMs} ${content}`
    })
    .sort()
}

it.each(toolsetNames)('%s in memory', async name => {
  const workspace = await createWorkspace({ fs: memory(), shell: 'none' })
  await putEscapes(workspace.fs)
  const every = isDeep ? 1 : 4
  const { wrong, calls } = await escapesOf(workspace, name, every)
  expect(wrong).toEqual([])
  const pathCount = Math.ceil((escapePaths.length + lookalikes.length) / every)
  expect(calls).toBe(fileTools.filter(({ toolset }) => toolset === name).length * pathCount)
})

it.each(toolsetNames)('%s in a real directory', async name => {
  const { inside, beside } = realDirectory()
  const before = realTree(beside)
  const workspace = await createWorkspace({ fs: node(inside, { durability: 'flush' }), shell: 'none' })
  await putEscapes(workspace.fs)
  // Memory has them all: the same code resolves paths on every filesystem.
  expect((await escapesOf(workspace, name, isDeep ? 1 : 12)).wrong).toEqual([])
  const tools = await workspace.toolset(name)
  const hostPaths = [
    'host-file',
    'host-directory/secret.txt',
    'host-directory/new',
    'host-relative/secret.txt',
    join(beside, 'secret.txt'),
  ]
  for (const { tool, args } of fileTools.filter(({ toolset }) => toolset === name)) {
    for (const path of hostPaths) {
      const result = await tools.call(tool, await args(tools, path))
      expect({ tool, path, isError: result.isError }).toEqual({ tool, path, isError: true })
      expect(textOf(result)).not.toContain(outsideSecret.trim())
    }
  }
  expect(realTree(beside)).toEqual(before)
  await workspace.dispose()
})

it.each(pathTools.filter(({ kind }) => kind === 'command').map(({ toolset }) => toolset))(
  'no command of %s gets out of a real directory',
  async name => {
    const up = '../../../../../../../..'
    const toBeside: readonly ((beside: string) => string)[] = [
      () => 'host-file',
      () => 'host-directory/secret.txt',
      () => 'host-relative/secret.txt',
      () => 'host-directory',
      beside => `${up}${beside}/secret.txt`,
      beside => beside,
    ]
    const inCommands = escapePaths.filter(
      (path, index) => isDeep && index % 6 === 0 && path.isWellFormed() && !path.includes('\0'),
    )
    for (const place of [...toBeside, ...inCommands.map(path => () => path)]) {
      const { inside, beside } = realDirectory()
      const before = realTree(beside)
      const workspace = await createWorkspace({ fs: node(inside, { durability: 'flush' }), shell: testShell() })
      await putEscapes(workspace.fs)
      const tools = await workspace.toolset(name)
      const path = place(beside)
      for (const command of [
        `cat '${path}'`,
        `cp -r '${path}' copied; cat copied`,
        `echo gone > '${path}'`,
        `rm -rf '${path}'`,
      ]) {
        // The filesystem of the command decides what it may do; a call that rejects would be a bug.
        const text = textOf(await tools.call('bash', { command }))
        if (toBeside.includes(place))
          expect([command, text]).not.toEqual([command, expect.stringContaining(outsideSecret.trim())])
        expect([command, realTree(beside)]).toEqual([command, before])
      }
      await tools.call('bash', { command: 'echo still there' })
      await workspace.dispose()
    }
  },
  120_000,
)

it('what is looked for can be found, so that finding nothing proves something', async () => {
  const workspace = await createWorkspace({ fs: memory({ 'inside/secret.txt': outsideSecret }), shell: 'none' })
  await putEscapes(workspace.fs)
  const before = await outsideOf(workspace.fs)
  for (const { toolset, tool, kind, args } of fileTools) {
    const tools = await workspace.toolset(toolset)
    await workspace.fs.writeFile('/workspace/inside/secret.txt', outsideSecret)
    const result = await tools.call(tool, await args(tools, tool === 'ls' || tool === 'glob' ? 'inside' : 'inside/secret.txt'))
    expect([toolset, tool, result.isError, textOf(result)]).toEqual([toolset, tool, false, expect.any(String)])
    if (kind === 'look') expect(textOf(result)).toContain(outsideSecret.trim())
    if (kind === 'change') expect(await workspace.fs.readText('/workspace/inside/secret.txt')).toContain('gone')
  }
  expect(before.length).toBeGreaterThan(3)
  await workspace.fs.writeFile('/outside/new.txt', '')
  expect(await outsideOf(workspace.fs)).not.toEqual(before)
})

describe('rye, asked for everything', () => {
  it.each([
    ['glob', { pattern: '**/*secret*' }],
    ['glob', { pattern: '../**' }],
    ['glob', { pattern: '/outside/*' }],
    ['glob', { pattern: 'directory-link/*' }],
    ['grep', { pattern: 'secret' }],
    ['grep', { pattern: 'secret', include: '../**' }],
    ['ls', {}],
  ])('%s %j follows no link out', async (tool, args) => {
    const workspace = await createWorkspace({ fs: memory(), shell: 'none' })
    await putEscapes(workspace.fs)
    const session = await workspace.toolset('rye')
    const result = await session.call(tool, args)
    expect(textOf(result)).not.toContain('secret.txt')
    expect(textOf(result)).not.toContain(outsideSecret.trim())
  })
})
