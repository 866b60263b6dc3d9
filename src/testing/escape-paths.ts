// Ways to write a path that leads out of the workspace, or looks as if it did, for every tool of every toolset on every filesystem. Nothing
// outside may be read or changed.

import type { Vfs } from '../vfs/vfs.ts'
import type { ToolsetName } from '../workspace/toolsets.ts'
import type { Workspace } from '../workspace/workspace.ts'
import { pathTools, type PathTool } from './path-tools.ts'
import { textOf } from './tool-session.ts'

/** Contains 'keep', which tests of changes replace, so that an edit of this file would succeed. */
export const outsideSecret = 'keep the secret outside\n'

/** Creates a file outside `/workspace`, and links that lead to it. */
export async function putEscapes(fs: Vfs): Promise<void> {
  await fs.mkdir('/outside/deep', { recursive: true })
  await fs.writeFile('/outside/secret.txt', outsideSecret)
  await fs.mkdir('/workspace/inside', { recursive: true })
  await fs.mkdir('/workspace-sibling', { recursive: true })
  await fs.writeFile('/workspace-sibling/secret.txt', outsideSecret)
  const links: (readonly [path: string, target: string])[] = [
    ['file-link', '/outside/secret.txt'],
    ['relative-link', '../outside/secret.txt'],
    ['directory-link', '/outside'],
    ['chain-1', 'chain-2'],
    ['chain-2', 'inside/chain-3'],
    ['inside/chain-3', '../../outside/secret.txt'],
    ['inside/up', '..'],
    ['root-link', '/'],
    ['loop', 'loop'],
    ['new-link', '/outside/new.txt'],
    ['new-directory-link', '/outside/made'],
    ['up-link', '..'],
    ['deep-chain', 'directory-link/deep/..'],
    ['twice', 'up-link/outside'],
    ['\u00e9', '/outside'],
    ['through-root', '/../../outside/secret.txt'],
  ]
  for (let index = 0; index < longChain; index++) {
    links.push([`link-${index}`, index === 0 ? '/outside' : `link-${index - 1}`])
  }
  for (const [path, target] of links) await fs.symlink(target, `/workspace/${path}`)
}

/** Within the limit for symlinks; with one more, it counts as a loop. */
const longChain = 30

/** Every tool refuses each of them. */
export const escapePaths: readonly string[] = [
  '../outside/secret.txt',
  '/outside/secret.txt',
  './../outside/secret.txt',
  'inside/../../outside/secret.txt',
  'inside/up/../outside/secret.txt',
  'inside/up/../../outside/secret.txt',
  '../workspace-sibling/secret.txt',
  '/workspace/../outside/secret.txt',
  '/workspace//..//outside/secret.txt',
  '/workspace-sibling/secret.txt',
  'missing/../../outside/secret.txt',
  '$HOME/../../outside/secret.txt',
  'inside/./.././../outside/secret.txt',
  '../../../../../../outside/secret.txt',
  '/../outside/secret.txt',
  '//outside/secret.txt',
  // Links, and links to links.
  'file-link',
  'relative-link',
  'through-root',
  'directory-link/secret.txt',
  'directory-link/deep/../secret.txt',
  'directory-link/new/deep/file.txt',
  'directory-link',
  'chain-1',
  'root-link/outside/secret.txt',
  'root-link/workspace/../outside/secret.txt',
  'up-link/outside/secret.txt',
  'up-link/up-link/../outside/secret.txt',
  'deep-chain/secret.txt',
  'twice/secret.txt',
  `link-${longChain - 1}/secret.txt`,
  'loop',
  'loop/x',
  'new-link',
  'new-directory-link/file.txt',
  // A slash at the end.
  '../outside/',
  '../outside/secret.txt/',
  'directory-link/',
  'directory-link/.',
  'directory-link/..',
  'file-link/',
  'root-link/',
  '..',
  '../',
  '../.',
  '/',
  '/.',
  // Names that differ only in case, from the root.
  '/WORKSPACE/../outside/secret.txt',
  '/Workspace/secret.txt',
  // Characters that no path can contain.
  'a\0b',
  '../outside/secret.txt\0',
  '../outside\0/secret.txt',
  '\ud800',
  'x'.repeat(5000),
  'file:///outside/secret.txt',
  '\u00e9/secret.txt',
]

/** A tool may read them as names inside, or refuse them: none of them may reach outside. */
export const lookalikes: readonly string[] = [
  '\uff0e\uff0e/outside/secret.txt',
  '\u2024\u2024/outside/secret.txt',
  '\u2025/outside/secret.txt',
  '..\u200b/outside/secret.txt',
  '\u202e../outside/secret.txt',
  '..\uff0foutside\uff0fsecret.txt',
  '%2e%2e/outside/secret.txt',
  '..%2foutside%2fsecret.txt',
  '..%00/outside/secret.txt',
  '..\\outside\\secret.txt',
  'C:\\outside\\secret.txt',
  '.../outside/secret.txt',
  '.. /outside/secret.txt',
  ' ../outside/secret.txt',
  '~/../outside/secret.txt',
  '~root/secret.txt',
  '$(cat ../outside/secret.txt)',
  'FILE-LINK',
  'Directory-Link/secret.txt',
  'e\u0301/secret.txt',
  'file-link:1-5',
  'file-link:raw',
  '../outside/secret.txt:1',
  '/outside/secret.txt:raw',
  'directory-link:1-2',
  'directory-link/*',
  '../*',
  '../outside/**',
  '/outside/*.txt',
  '{../outside,inside}/*.txt',
  'inside/up/../*/secret.txt',
  '[.][.]/outside/secret.txt',
  '?./outside/secret.txt',
]

/** All entries outside, to compare before and after: name, kind, content, target and time of the last change. */
export async function outsideOf(fs: Vfs): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { path, kind } of fs.walk('/')) {
    if (path.startsWith('/workspace/') || path === '/workspace') continue
    const { mode, mtimeMs, sizeBytes, nlink } = await fs.lstat(path)
    const content = kind === 'file' ? await fs.readText(path) : kind === 'symlink' ? await fs.readlink(path) : ''
    found.push(JSON.stringify([path, kind, mode, mtimeMs, kind === 'file' ? [sizeBytes, nlink] : [], content]))
  }
  return found
}

/** The tools that take a path themselves. A command is restricted by the filesystem that its shell is given. */
export const fileTools: readonly PathTool[] = pathTools.filter(({ kind }) => kind !== 'command')

export const toolsetNames: readonly ToolsetName[] = [...new Set(pathTools.map(({ toolset }) => toolset))]

/** Errors after every path was given to every tool of `name`, one per line, and the number of calls. */
export async function escapesOf(
  workspace: Workspace,
  name: ToolsetName,
  every = 1,
): Promise<{ readonly wrong: readonly string[]; readonly calls: number }> {
  const tools = await workspace.toolset(name)
  const before = await outsideOf(workspace.fs)
  const wrong: string[] = []
  let calls = 0
  for (const { tool, args } of fileTools.filter(({ toolset }) => toolset === name)) {
    for (const path of [...escapePaths, ...lookalikes].filter((_path, index) => index % every === 0)) {
      const result = await tools.call(tool, await args(tools, path))
      calls++
      const where = `${name} ${tool} ${JSON.stringify(path.slice(0, 80))}`
      if (!result.isError && escapePaths.includes(path)) wrong.push(`${where} is not refused: ${textOf(result).slice(0, 200)}`)
      if (textOf(result).includes(outsideSecret.trim())) wrong.push(`${where} shows what lies outside`)
    }
    const after = await outsideOf(workspace.fs)
    if (JSON.stringify(after) !== JSON.stringify(before))
      wrong.push(`${name} ${tool} changed what lies outside: ${after.join('; ')}`)
  }
  await tools.close()
  return { wrong, calls }
}
