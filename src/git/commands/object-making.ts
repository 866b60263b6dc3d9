// Commands that make trees, commits and an index from names and IDs: `commit-tree`, `mktree`, `read-tree`, and `check-ref-format`.

import { decodeText, encodeText } from '../../shell/byte-text.ts'
import type { GitCall } from '../call.ts'
import { fatal, GitFailure } from '../errors.ts'
import { CachedTree } from '../index/cached-tree.ts'
import { GitIndex, newEntry } from '../index/git-index.ts'
import { listTree } from '../diff/tree-diff.ts'
import { unquotePath } from '../quote.ts'
import { Changes, type Repository } from '../repository.ts'
import { needCommit, needTree, previousBranch } from '../revs/revision.ts'
import { canonicalMode, compareTreeEntries, emptyTreeId, encodeTree, type TreeEntry, typeOfMode } from '../store/object-format.ts'
import { isValidRefName } from '../store/refs.ts'
import { forceTree, resetIndex, switchTree } from '../work/switch-tree.ts'
import { diffIndexToTree, diffWorkTree } from '../work/status.ts'
import type { GitCommand } from './command.ts'

export const commitTree: GitCommand = {
  name: 'commit-tree',
  summary: 'Create a new commit object',
  options: {
    rows: [
      { names: ['p'], argument: { name: 'parent' }, key: 'parent' },
      { names: ['m'], argument: { name: 'message' }, key: 'text' },
      { names: ['F'], argument: { name: 'file' }, key: 'text-file' },
      { names: ['S', 'gpg-sign'], argument: { name: 'key', isOptional: true }, refuses: 'signing is never run by this git' },
    ],
    usage:
      'git commit-tree <tree> [(-p <parent>)...]\n   or: git commit-tree [(-p <parent>)...] [(-m <message>)...] [(-F <file>)...] <tree>',
  },
  async run(call, options) {
    const repository = await call.repository()
    const [word, ...rest] = options.all
    if (word === undefined && options.given.length === 0) throw new GitFailure(`usage: ${commitTree.options.usage}`, 129)
    if (word === undefined || rest.length > 0) throw fatal('must give exactly one tree')
    const tree = await needTree(repository, word, `not a valid object name ${word}`)
    const parents: string[] = []
    for (const name of options.values('parent')) {
      const oid = await needCommit(repository, name, `not a valid object name ${name}`)
      if (parents.includes(oid)) await call.warn(`error: duplicate parent ${oid} ignored`)
      else parents.push(oid)
    }
    let message = ''
    let isGiven = false
    for (const { key, value = '' } of options.given) {
      if (key !== 'text' && key !== 'text-file') continue
      if (message !== '') message += '\n'
      const text = key === 'text' ? value : await textOf(call, value)
      message += key === 'text' && !text.endsWith('\n') ? `${text}\n` : text
      isGiven = true
    }
    const oid = await repository.writeCommit({
      tree,
      parents,
      author: await repository.identity('author'),
      committer: await repository.identity('committer'),
      message: isGiven ? message : await call.input(),
    })
    await repository.objects.flush()
    await call.print(oid)
    return 0
  },
}

async function textOf(call: GitCall, file: string): Promise<string> {
  if (file === '-') return call.input()
  const { files, cwd } = call.environment
  const bytes = await files.read(file.startsWith('/') ? file : `${cwd}/${file}`)
  if (bytes === undefined) throw fatal(`could not open '${file}': No such file or directory`)
  return decodeText(bytes)
}

export const mktree: GitCommand = {
  name: 'mktree',
  summary: 'Build a tree-object from ls-tree formatted text',
  options: {
    rows: [{ names: ['z'] }, { names: ['missing'] }, { names: ['batch'] }],
    usage: 'git mktree [-z] [--missing] [--batch]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const lines = (await call.input()).split(options.has('z') ? '\0' : '\n')
    let entries: TreeEntry[] = []
    const finish = async (): Promise<void> => {
      entries.sort(compareTreeEntries)
      await call.print(await repository.objects.write('tree', encodeTree(entries)))
      entries = []
    }
    for (const line of lines.slice(0, lines.at(-1) === '' ? -1 : undefined)) {
      if (line === '' && options.has('batch')) {
        await finish()
        continue
      }
      const [, modeText = '', type = '', oid = '', quoted = ''] = /^(\d+) (\w+) ([0-9a-f]{40})(?: +\S+)?\t(.+)$/s.exec(line) ?? []
      if (quoted === '') throw fatal(`input format error: ${line}`)
      const mode = canonicalMode(Number.parseInt(modeText, 8))
      const name = options.has('z') ? quoted : (unquotePath(quoted) ?? quoted)
      if (name.includes('/')) throw fatal(`path ${name} contains slash`)
      if (typeOfMode(mode) !== type)
        throw fatal(`entry '${name}' object type (${type}) doesn't match mode type (${typeOfMode(mode)})`)
      const object = type === 'commit' || options.has('missing') ? undefined : await repository.objects.read(oid)
      if (type !== 'commit' && !options.has('missing') && object === undefined)
        throw fatal(`entry '${name}' object ${oid} is unavailable`)
      if (object !== undefined && object.type !== type)
        throw fatal(`entry '${name}' object ${oid} is a ${object.type} but specified type was (${type})`)
      entries.push({ name, mode, oid })
    }
    if (!options.has('batch') || entries.length > 0) await finish()
    await repository.objects.flush()
    return 0
  },
}

export const readTree: GitCommand = {
  name: 'read-tree',
  summary: 'Reads tree information into the index',
  options: {
    rows: [
      { names: ['m'], key: 'merge' },
      { names: ['u'], key: 'update' },
      { names: ['i'], key: 'index-only' },
      { names: ['reset'] },
      { names: ['empty'] },
      { names: ['prefix'], argument: { name: 'subdirectory' } },
      { names: ['n', 'dry-run'] },
      { names: ['v', 'q', 'quiet', 'no-sparse-checkout', 'trivial', 'aggressive', 'recurse-submodules'], isIgnored: true },
      { names: ['index-output'], argument: { name: 'file' }, refuses: 'writing another index is not built into this git' },
    ],
    usage: 'git read-tree [(-m | --reset | --prefix=<prefix>) [-u | -i]] (--empty | <tree-ish1> [<tree-ish2> [<tree-ish3>]])',
  },
  async run(call, options) {
    const repository = await call.repository()
    const trees: string[] = []
    for (const word of options.all) trees.push(await needTree(repository, word, `Not a valid object name ${word}`))
    const [first, second, third] = trees
    const isMerge = options.has('merge') || options.has('reset')
    const prefix = options.value('prefix')
    if (options.has('update') && !isMerge && prefix === undefined)
      throw fatal('-u is meaningless without -m, --reset, or --prefix')
    if (options.has('index-only') && !isMerge) throw fatal('-i is meaningless without -m, --reset, or --prefix')
    if (third !== undefined) throw new GitFailure('error: merging three trees is not built into this git; use git merge', 129)
    if (first === undefined && !options.has('empty'))
      await call.warn('warning: read-tree: emptying the index with no arguments is deprecated; use --empty')
    const index = isMerge || prefix !== undefined ? await repository.readIndex() : await repository.readIndex().then(emptied)
    if (isMerge && index.hasConflicts && !options.has('reset'))
      throw new GitFailure('error: you need to resolve your current index first', 128)
    if (options.has('empty')) index.tree = new CachedTree(0, emptyTreeId)
    const changes = new Changes()
    if (prefix !== undefined) {
      const base = prefix === '' || prefix.endsWith('/') ? prefix : `${prefix}/`
      for (const { path, mode, oid } of await listTree(repository, first)) {
        if (index.has(base + path))
          throw new GitFailure(`error: Entry '${base}${path}' overlaps with '${base}${path}'.  Cannot bind.`, 128)
        index.set(newEntry(base + path, mode, oid))
      }
    } else if (second !== undefined) {
      const own = { verb: 'merge', before: 'merge', exitCode: 128 }
      if (options.has('reset')) await resetIndex(repository, index, second)
      // Without `-u` only the index follows.
      else await switchTree(repository, options.has('update') ? changes : new Changes(), index, first, second, own)
    } else if (options.has('reset') && options.has('update')) await forceTree(repository, changes, index, first)
    else if (isMerge) {
      if (!options.has('index-only') && !options.has('reset')) await checkUpToDate(repository, index, first)
      if (options.has('update')) await forceTree(repository, changes, index, first, {})
      else await resetIndex(repository, index, first)
    } else for (const { path, mode, oid } of await listTree(repository, first)) index.set(newEntry(path, mode, oid))
    if (!options.has('dry-run')) await repository.commit(changes, index)
    return 0
  },
}

/** An entry that the tree would replace must match its file. */
async function checkUpToDate(repository: Repository, index: GitIndex, tree: string | undefined): Promise<void> {
  const edited = new Set((await diffWorkTree(repository, index)).changes.map(({ path }) => path))
  for (const { path } of await diffIndexToTree(repository, index, tree))
    if (edited.has(path)) throw new GitFailure(`error: Entry '${path}' not uptodate. Cannot merge.`, 128)
}

/** Removes all entries, and keeps the time at which the index was written. */
function emptied({ writtenMs, version }: GitIndex): GitIndex {
  return new GitIndex([], undefined, writtenMs, version)
}

export const checkRefFormat: GitCommand = {
  name: 'check-ref-format',
  summary: 'Ensures that a reference name is well formed',
  options: {
    rows: [
      { names: ['normalize', 'print'], key: 'normalize' },
      { names: ['allow-onelevel'] },
      { names: ['refspec-pattern'] },
      { names: ['branch'] },
    ],
    usage:
      'git check-ref-format [--normalize] [<options>] <refname>\n   or: git check-ref-format --branch <branchname-shorthand>',
  },
  async run(call, options) {
    const [given, ...rest] = options.all
    if (given === undefined || rest.length > 0) throw new GitFailure(`usage: ${checkRefFormat.options.usage}`, 129)
    if (options.has('branch')) {
      const number = /^@\{-(\d+)\}$/.exec(given)?.[1]
      const repository = number === undefined ? undefined : await call.findRepository()
      const name = repository === undefined ? given : ((await previousBranch(repository, Number(number))) ?? given)
      if (name.startsWith('-') || name === 'HEAD' || !isValidRefName(`refs/heads/${name}`))
        throw fatal(`'${given}' is not a valid branch name`)
      await call.print(name)
      return 0
    }
    const name = options.has('normalize') ? given.replaceAll(/\/{2,}/g, '/').replace(/^\//, '') : given
    const checked = options.has('refspec-pattern') ? name.replace('*', 'x') : name
    if (!isValidRefName(checked) || (!checked.includes('/') && !options.has('allow-onelevel'))) return 1
    if (options.has('normalize')) await call.out.write(encodeText(`${name}\n`))
    return 0
  },
}
