// Finds the repository that a directory belongs to.

import type { GitEnvironment } from './repository.ts'
import { fatal } from './errors.ts'
import { decodeText } from '../shell/byte-text.ts'
import { GitFiles } from './files.ts'

/** Where a repository is. */
export interface RepositoryPlace {
  readonly gitDir: string
  readonly commonDir: string
  /** `undefined` in a bare one. */
  readonly workTree: string | undefined
}

/** Looks for a repository from the working directory upwards, or where the environment names one. */
export async function discover(environment: GitEnvironment): Promise<RepositoryPlace | undefined> {
  const { files, cwd, env } = environment
  const own = env['GIT_DIR']
  const ownTree = env['GIT_WORK_TREE']
  const treeOf = async (otherwise: string | undefined): Promise<string | undefined> =>
    ownTree === undefined ? otherwise : files.vfs.realpath(absolute(ownTree, cwd)).catch(() => absolute(ownTree, cwd))
  if (own !== undefined && own !== '') {
    const gitDir = await gitDirAt(files, absolute(own, cwd))
    if (gitDir === undefined) throw fatal(`not a git repository: '${own}'`)
    return { ...gitDir, workTree: await treeOf(cwd) }
  }
  for (let at = cwd; ; at = at.slice(0, at.lastIndexOf('/')) || '/') {
    const dotGit = at === '/' ? '/.git' : `${at}/.git`
    const stat = await files.stat(dotGit)
    if (stat?.kind === 'directory') {
      const found = await gitDirAt(files, dotGit)
      if (found !== undefined) return { ...found, workTree: await treeOf(at) }
    } else if (stat?.kind === 'file') {
      const text = decodeText((await files.read(dotGit)) ?? new Uint8Array())
      const [, target] = /^gitdir: (.+?)\n*$/s.exec(text) ?? []
      if (target === undefined) throw fatal(`invalid gitfile format: ${dotGit}`)
      const found = await gitDirAt(files, absolute(target, at))
      if (found === undefined) throw fatal(`not a git repository: ${absolute(target, at)}`)
      return { ...found, workTree: await treeOf(at) }
    }
    const bare = at.endsWith('/.git') ? undefined : await gitDirAt(files, at)
    if (bare !== undefined) return { ...bare, workTree: await treeOf(undefined) }
    if (at.endsWith('/.git')) {
      const inside = await gitDirAt(files, at)
      if (inside !== undefined) return { ...inside, workTree: await treeOf(undefined) }
    }
    if (at === '/') return undefined
  }
}

function absolute(path: string, cwd: string): string {
  const kept: string[] = []
  for (const name of (path.startsWith('/') ? path : `${cwd}/${path}`).split('/')) {
    if (name === '..') kept.pop()
    else if (name !== '' && name !== '.') kept.push(name)
  }
  return `/${kept.join('/')}`
}

async function gitDirAt(
  files: GitFiles,
  path: string,
): Promise<{ readonly gitDir: string; readonly commonDir: string } | undefined> {
  if ((await files.lstat(`${path}/HEAD`)) === undefined) return undefined
  const common = await files.read(`${path}/commondir`)
  const commonDir = common === undefined ? path : absolute(decodeText(common).trim(), path)
  if (!(await files.isDirectory(`${commonDir}/objects`)) || !(await files.isDirectory(`${commonDir}/refs`))) return undefined
  return { gitDir: path, commonDir }
}
