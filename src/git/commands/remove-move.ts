// `git rm` and `git mv`.

import { fatal, GitFailure } from '../errors.ts'
import { newEntry } from '../index/git-index.ts'
import { Changes, type Repository } from '../repository.ts'
import { diffTrees } from '../diff/tree-diff.ts'
import { parsePathspec } from '../work/pathspec.ts'
import { indexStat } from '../work/work-tree.ts'
import { pathspecWords } from './pathspec-words.ts'
import type { GitCommand } from './command.ts'

export const rm: GitCommand = {
  name: 'rm',
  summary: 'Remove files from the working tree and from the index',
  options: {
    rows: [
      { names: ['n', 'dry-run'] },
      { names: ['q', 'quiet'] },
      { names: ['cached'] },
      { names: ['f', 'force'] },
      { names: ['r'], key: 'recursive' },
      { names: ['ignore-unmatch'] },
      { names: ['sparse'], isIgnored: true },
      { names: ['pathspec-from-file'], argument: { name: 'file' } },
      { names: ['pathspec-file-nul'] },
    ],
    usage: 'git rm [-f | --force] [-n] [-r] [--cached] [--ignore-unmatch] [--quiet] [--] [<pathspec>...]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const words = await pathspecWords(call, options)
    if (words.length === 0) throw fatal('No pathspec was given. Which files should I remove?')
    const pathspec = parsePathspec(repository, words)
    const index = await repository.readIndex()
    const [missing] = pathspec.unmatched(index.paths())
    if (missing !== undefined && !options.has('ignore-unmatch')) throw fatal(`pathspec '${missing}' did not match any files`)
    const paths = index.paths().filter(path => pathspec.matches(path))
    for (const item of pathspec.items) {
      const isDirectory =
        !index.has(item.path) &&
        item.wildcard === 'none' &&
        paths.some(path => item.path === '' || path.startsWith(`${item.path}/`))
      if (isDirectory && !options.has('recursive')) throw fatal(`not removing '${item.given}' recursively without -r`)
    }
    if (!options.has('force')) await checkRemovable(repository, index, paths, options.has('cached'))
    const changes = new Changes()
    const tree = await repository.workTree()
    for (const path of paths) {
      if (!options.has('quiet')) await call.print(`rm '${path}'`)
      index.remove(path)
      if (options.has('cached')) continue
      const stat = await tree.lstat(path)
      if (stat?.kind === 'directory') continue
      if (stat !== undefined) changes.remove(tree.pathOf(path))
      const end = path.lastIndexOf('/')
      if (end !== -1) changes.removeEmptyDirectories(tree.pathOf(path.slice(0, end)), repository.root)
    }
    if (!options.has('dry-run')) await repository.commit(changes, index)
    return 0
  },
}

type Index = Awaited<ReturnType<Repository['readIndex']>>

/** Content that exists nowhere else is not removed. */
async function checkRemovable(repository: Repository, index: Index, paths: readonly string[], isCached: boolean): Promise<void> {
  const tree = await repository.workTree()
  const head = (await repository.head()).oid
  const committed = new Map(
    head === undefined
      ? []
      : (await diffTrees(repository, undefined, await repository.treeOf(head))).map(({ path, after }) => [path, after] as const),
  )
  const groups: { readonly both: string[]; readonly staged: string[]; readonly local: string[] } = {
    both: [],
    staged: [],
    local: [],
  }
  for (const path of paths) {
    const entry = index.get(path)
    // With `add -N` the content is in the file only.
    if (entry === undefined || (entry.isIntentToAdd && isCached)) continue
    const stat = await tree.lstat(path)
    if (stat === undefined || stat.kind === 'directory') continue
    const isLocal = entry.isIntentToAdd
      ? true
      : entry.isSkipped
        ? await tree.isEdited(entry, stat, index)
        : (await tree.compare(entry, stat, index)).kind !== 'same'
    const before = committed.get(path)
    const isStaged = before?.oid !== entry.oid || before.mode !== entry.mode
    if (isLocal && isStaged) groups.both.push(path)
    else if (!isCached && isStaged) groups.staged.push(path)
    else if (!isCached && isLocal) groups.local.push(path)
  }
  const parts: string[] = []
  const told = (files: readonly string[], what: string, hint: string): void => {
    if (files.length === 0) return
    parts.push(
      `error: the following file${files.length > 1 ? 's have' : ' has'} ${what}:\n${files.map(file => `    ${file}`).join('\n')}\n${hint}`,
    )
  }
  told(groups.both, 'staged content different from both the\nfile and the HEAD', '(use -f to force removal)')
  told(groups.staged, 'changes staged in the index', '(use --cached to keep the file, or -f to force removal)')
  told(groups.local, 'local modifications', '(use --cached to keep the file, or -f to force removal)')
  if (parts.length > 0) throw new GitFailure(parts.join('\n'), 1)
}

export const mv: GitCommand = {
  name: 'mv',
  summary: 'Move or rename a file, a directory, or a symlink',
  options: {
    rows: [
      { names: ['v', 'verbose'] },
      { names: ['n', 'dry-run'] },
      { names: ['f', 'force'] },
      { names: ['k'], key: 'skip' },
      { names: ['sparse'], isIgnored: true },
    ],
    usage: 'git mv [<options>] <source>... <destination>',
  },
  async run(call, options) {
    const repository = await call.repository()
    const words = options.all
    if (words.length < 2) throw new GitFailure('usage: git mv [<options>] <source>... <destination>', 129)
    const index = await repository.readIndex()
    const tree = await repository.workTree()
    const pathOf = (word: string): string => parsePathspec(repository, [`:(literal)${word}`]).items[0]?.path ?? ''
    const last = words.at(-1) ?? ''
    const destination = pathOf(last)
    const isDirectory = destination === '' || (await tree.lstat(destination))?.kind === 'directory'
    const sources = words.slice(0, -1).map(pathOf)
    if (sources.length > 1 && !isDirectory) throw fatal(`destination '${last}' is not a directory`)
    if (!isDirectory && last.endsWith('/'))
      throw fatal(`destination directory does not exist, source=${sources[0] ?? ''}, destination=${last}`)
    const changes = new Changes()
    const moves: (readonly [string, string])[] = []
    for (const source of sources) {
      const target = isDirectory
        ? `${destination === '' ? '' : `${destination}/`}${source.slice(source.lastIndexOf('/') + 1)}`
        : destination
      if (options.has('dry-run')) await call.print(`Checking rename of '${source}' to '${target}'`)
      const problem = await problemOf(source, target)
      if (problem !== undefined) {
        if (options.has('skip')) continue
        throw fatal(`${problem}, source=${source}, destination=${target}`)
      }
      moves.push([source, target])
    }
    for (const [source, target] of moves) {
      if (options.has('verbose') || options.has('dry-run')) await call.print(`Renaming ${source} to ${target}`)
      if (options.has('dry-run')) continue
      if ((await tree.lstat(target)) !== undefined && (await tree.lstat(source))?.kind !== 'directory')
        changes.remove(tree.pathOf(target))
      changes.rename(tree.pathOf(source), tree.pathOf(target))
      for (const entry of [...index.sorted()]) {
        if (entry.path !== source && !entry.path.startsWith(`${source}/`)) continue
        const path = target + entry.path.slice(source.length)
        index.remove(entry.path)
        index.set({ ...entry, path })
      }
    }
    if (options.has('dry-run')) return 0
    await repository.commit(changes, index)
    // On some filesystems, a rename changes the times of a file.
    const fresh = await repository.readIndex()
    for (const [, target] of moves) {
      const entry = fresh.get(target)
      const stat = entry === undefined ? undefined : await tree.lstat(target)
      if (entry !== undefined && stat !== undefined && (await tree.hash(target, stat, fresh)) === entry.oid)
        fresh.refresh({ ...newEntry(target, entry.mode, entry.oid), stat: indexStat(stat) })
    }
    await repository.commit(new Changes(), fresh)
    return 0

    async function problemOf(source: string, target: string): Promise<string | undefined> {
      const stat = await tree.lstat(source)
      if (stat === undefined) return 'bad source'
      if (target === source || target.startsWith(`${source}/`)) return 'can not move directory into itself'
      if (stat.kind === 'directory' && !index.has(source)) {
        if (!index.hasBelow(source)) return 'source directory is empty'
        if ((await tree.lstat(target)) !== undefined) return 'destination already exists'
        for (const { path } of options.has('skip') ? [] : index.sorted())
          if (path.startsWith(`${source}/`) && (await tree.lstat(path)) === undefined)
            throw fatal(`bad source, source=${path}, destination=${target}${path.slice(source.length)}`)
        await needParent(source, target)
        return undefined
      }
      if (index.stages(source) !== undefined) return 'conflicted'
      if (!index.has(source)) return 'not under version control'
      const existing = await tree.lstat(target)
      if (existing !== undefined && !options.has('force')) return 'destination exists'
      await needParent(source, target)
      return undefined
    }

    async function needParent(source: string, target: string): Promise<void> {
      const parent = target.includes('/') ? target.slice(0, target.lastIndexOf('/')) : ''
      if (parent !== '' && (await tree.lstat(parent)) === undefined)
        throw fatal(`renaming '${source}' failed: No such file or directory`)
    }
  },
}
