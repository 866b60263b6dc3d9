// Ways to write a path that leads out of the workspace, for every tool of every toolset. Nothing outside may be read or touched.

import type { Vfs } from '../vfs/vfs.ts'

export const outsideSecret = 'the secret outside\n'

/** Puts a file outside of `/workspace`, and links that lead to it. */
export async function putEscapes(fs: Vfs): Promise<void> {
  await fs.mkdir('/outside/deep', { recursive: true })
  await fs.writeFile('/outside/secret.txt', outsideSecret)
  await fs.mkdir('/workspace/inside', { recursive: true })
  await fs.mkdir('/workspace-sibling', { recursive: true })
  await fs.writeFile('/workspace-sibling/secret.txt', outsideSecret)
  const links: readonly (readonly [path: string, target: string])[] = [
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
  ]
  for (const [path, target] of links) await fs.symlink(target, `/workspace/${path}`)
}

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
  'file-link',
  'relative-link',
  'directory-link/secret.txt',
  'directory-link/deep/../secret.txt',
  'directory-link',
  'chain-1',
  'root-link/outside/secret.txt',
  'loop',
  'loop/x',
  'new-link',
  '..',
  '../',
  '/',
  'a\0b',
  '../outside/secret.txt\0',
  '\ud800',
  'x'.repeat(5000),
  'file:///outside/secret.txt',
]

/** What lies outside, to be compared before and after. */
export async function outsideOf(fs: Vfs): Promise<readonly string[]> {
  const found: string[] = []
  for await (const { path, kind } of fs.walk('/')) {
    if (path.startsWith('/workspace/') || path === '/workspace') continue
    found.push(`${path} ${kind} ${kind === 'file' ? await fs.readText(path) : ''}`)
  }
  return found
}
