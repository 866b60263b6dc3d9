// `git reset`.

import { outputRecoder, subjectOf } from '../revs/subject.ts'
import { statusOf } from '../diff/file-pair.ts'
import { diffTrees, type FileChange, type FileSide } from '../diff/tree-diff.ts'
import { fatal, GitFailure } from '../errors.ts'
import { type GitIndex, newEntry } from '../index/git-index.ts'
import { endAutostash } from '../merge/end-autostash.ts'
import { mergeStateFiles } from '../merge/state-files.ts'
import { Changes } from '../repository.ts'
import { ambiguousArgument, peel, resolveRevision } from '../revs/revision.ts'
import { checkNotBoth } from '../revs/revision-arguments.ts'
import { ShortIds } from '../revs/short-ids.ts'
import {
  applySteps,
  checkoutWords,
  forceTree,
  refuseMarkedEdits,
  refuseOverwriting,
  resetIndex,
  switchTree,
} from '../work/switch-tree.ts'
import { parsePathspec } from '../work/pathspec.ts'
import { diffWorkTree } from '../work/status.ts'
import { pathspecWords } from './pathspec-words.ts'
import type { GitCommand } from './command.ts'

export const reset: GitCommand = {
  name: 'reset',
  summary: 'Reset current HEAD to the specified state',
  options: {
    rows: [
      { names: ['q', 'quiet'] },
      { names: ['refresh'] },
      { names: ['mixed'], key: 'mode', value: 'mixed', isNegatable: false },
      { names: ['soft'], key: 'mode', value: 'soft', isNegatable: false },
      { names: ['hard'], key: 'mode', value: 'hard', isNegatable: false },
      { names: ['merge'], key: 'mode', value: 'merge', isNegatable: false },
      { names: ['keep'], key: 'mode', value: 'keep', isNegatable: false },
      { names: ['N', 'intent-to-add'] },
      { names: ['recurse-submodules'], isIgnored: true },
      { names: ['p', 'patch'] },
      { names: ['pathspec-from-file'], argument: { name: 'file' } },
      { names: ['pathspec-file-nul'] },
    ],
    usage:
      'git reset [--mixed | --soft | --hard | --merge | --keep] [-q] [<commit>]\n   or: git reset [-q] [<tree-ish>] [--] <pathspec>...',
  },
  async run(call, options) {
    const repository = await call.repository()
    const [first, ...rest] = options.words
    const isMagic = first?.startsWith(':(') === true
    const revision = first === undefined || isMagic ? undefined : await resolveRevision(repository, first)
    if (first !== undefined && revision !== undefined && options.paths === undefined) await checkNotBoth(repository, first)
    let paths = revision === undefined ? options.words : rest
    if (options.paths !== undefined) {
      if (first !== undefined && revision === undefined) throw fatal(`Failed to resolve '${first}' as a valid tree.`)
      paths = [...paths, ...options.paths]
    } else if (first !== undefined && revision === undefined) {
      const exists =
        (await repository.files.lstat(first.startsWith('/') ? first : `${repository.environment.cwd}/${first}`)) !== undefined
      if (!exists && !isMagic && !/[*?[]/.test(first)) throw ambiguousArgument(first)
    }
    if (options.has('pathspec-from-file') || options.has('pathspec-file-nul')) paths = await pathspecWords(call, options)
    const mode = options.value('mode') ?? 'mixed'
    const text = revision === undefined ? 'HEAD' : (first ?? 'HEAD')
    const head = await repository.head()
    if (options.has('patch')) {
      if (options.value('mode') !== undefined) throw fatal("options '--patch' and '--{hard,mixed,soft}' cannot be used together")
      const oid = revision?.oid ?? head.oid
      const { runPatchMode } = await import('../patch/choosing.ts')
      return runPatchMode(call, repository, {
        mode: text === 'HEAD' ? 'reset-head' : 'reset-other',
        pathspec: parsePathspec(repository, paths),
        tree: oid === undefined ? undefined : await peel(repository, oid, 'tree'),
      })
    }
    const index = await repository.readIndex()
    if (paths.length > 0) {
      if (options.value('mode') !== undefined && mode !== 'mixed') throw fatal(`Cannot do ${mode} reset with paths.`)
      const tree =
        revision === undefined
          ? head.oid === undefined
            ? undefined
            : await repository.treeOf(head.oid)
          : await peel(repository, revision.oid, 'tree')
      if (options.value('mode') !== undefined)
        await call.warn("warning: --mixed with paths is deprecated; use 'git reset -- <paths>' instead.")
      const added = options.has('intent-to-add') ? index.copy() : undefined
      await resetIndex(repository, index, tree, parsePathspec(repository, paths).filter)
      if (added !== undefined) await announce(added)
      const work = await diffWorkTree(repository, index)
      if (!options.isNegated('refresh')) for (const entry of work.refreshed) index.refresh(entry)
      await repository.commit(new Changes(), index)
      if (!options.has('quiet') && !options.isNegated('refresh')) await listUnstaged(work.changes)
      return 0
    }
    const target = revision === undefined ? head.oid : await peel(repository, revision.oid, 'commit')
    if (target === undefined && revision !== undefined) {
      const type = (await repository.objects.read(revision.oid))?.type
      const why = type === undefined ? '' : `error: object ${revision.oid} is a ${type}, not a commit\n`
      throw new GitFailure(`${why}fatal: Could not parse object '${text}'.`, 128)
    }
    if (options.has('intent-to-add') && mode !== 'mixed') throw fatal("the option '-N' requires '--mixed'")
    if (repository.isBare && mode !== 'soft') throw fatal(`${mode} reset is not allowed in a bare repository`)
    const isMerging = (await repository.readState('MERGE_HEAD')) !== undefined
    if ((mode === 'soft' || mode === 'keep') && (isMerging || index.hasConflicts))
      throw fatal(`Cannot do a ${mode} reset in the middle of a merge.`)
    const changes = new Changes()
    const to = target === undefined ? undefined : await repository.treeOf(target)
    if (mode === 'hard') await orTold(forceTree(repository, changes, index, to))
    else if (mode === 'keep') await resetKeep(to)
    else if (mode === 'merge') await resetMerge(to)
    else if (mode === 'mixed') {
      const before = options.has('intent-to-add') ? index.copy() : undefined
      await resetIndex(repository, index, to)
      if (before !== undefined) await announce(before)
    }
    let unstaged: readonly FileChange[] = []
    if (mode === 'mixed') {
      const work = await diffWorkTree(repository, index)
      if (!options.isNegated('refresh')) for (const entry of work.refreshed) index.refresh(entry)
      unstaged = work.changes
    }
    if (target !== undefined) {
      if (head.oid !== undefined) repository.writeState(changes, 'ORIG_HEAD', `${head.oid}\n`)
      await repository.refs.update(changes, { name: 'HEAD', oid: target, message: `reset: moving to ${text}` })
    }
    await repository.removeState(changes, ...mergeStateFiles, 'MERGE_RR', 'SQUASH_MSG')
    await repository.commit(changes, mode === 'soft' ? undefined : index)
    await endAutostash(call, repository, 'keepMergeStash')
    if (options.has('quiet')) return 0
    if (mode === 'hard' && target !== undefined) {
      const inOutput = await outputRecoder(repository.config())
      await call.print(
        `HEAD is now at ${await new ShortIds(repository).of(target)} ${inOutput(subjectOf((await repository.objects.readCommit(target)).message))}`,
      )
    } else if (mode === 'mixed' && !options.isNegated('refresh')) await listUnstaged(unstaged)
    return 0

    /** `-N`: paths that leave the index stay marked as `add -N` marks them. */
    async function announce(before: GitIndex): Promise<void> {
      for (const entry of before.sorted()) {
        if (entry.stage !== 0 || index.has(entry.path)) continue
        const empty = await repository.objects.write('blob', new Uint8Array())
        index.set({ ...newEntry(entry.path, entry.mode, empty), isIntentToAdd: true })
      }
    }

    async function letterOf(path: string, before: FileSide | undefined, after: FileSide | undefined): Promise<string> {
      if (after === undefined && index.stages(path) !== undefined) return 'U'
      if (after === undefined) {
        const instead = await standsInstead(path)
        // To git, a file below another file is not missing.
        if (instead !== 'file') return instead === 'directory' ? 'T' : 'D'
      }
      if (index.get(path)?.isIntentToAdd) return 'A'
      return before !== undefined && after !== undefined && statusOf(before, after) === 'T' ? 'T' : 'M'
    }

    /** A directory in the place of the file, or a file in the place of a directory above it. */
    async function standsInstead(path: string): Promise<'file' | 'directory' | undefined> {
      for (let end = path.indexOf('/'); end !== -1; end = path.indexOf('/', end + 1)) {
        const kind = (await repository.files.lstat(`${repository.root}/${path.slice(0, end)}`))?.kind
        if (kind !== 'directory') return kind === 'file' ? 'file' : undefined
      }
      return (await repository.files.lstat(`${repository.root}/${path}`))?.kind === 'directory' ? 'directory' : undefined
    }

    async function listUnstaged(rows: readonly FileChange[]): Promise<void> {
      if (rows.length === 0) return
      await call.print('Unstaged changes after reset:')
      for (const { path, before, after } of rows) await call.print(`${await letterOf(path, before, after)}\t${path}`)
    }

    function told(refusal: string): GitFailure {
      return new GitFailure(`${refusal}\nfatal: Could not reset index file to revision '${text}'.`, 128)
    }

    async function orTold(work: Promise<void>): Promise<void> {
      try {
        await work
      } catch (error) {
        throw error instanceof GitFailure ? told(error.message) : error
      }
    }

    /** Keeps local changes and unstages what is staged. */
    async function resetKeep(tree: string | undefined): Promise<void> {
      if (head.oid === undefined) throw told('error: You do not have a valid HEAD.')
      const from = await repository.treeOf(head.oid)
      await orTold(switchTree(repository, changes, index, from, tree, { ...checkoutWords, verb: 'reset' }))
      await resetIndex(repository, index, tree)
    }

    /** Discards staged changes; keeps edits that are not staged. */
    async function resetMerge(tree: string | undefined): Promise<void> {
      const work = await diffWorkTree(repository, index)
      const wanted = new Map((await diffTrees(repository, undefined, tree)).map(({ path, after }) => [path, after]))
      const files = await repository.workTree()
      for (const { path } of work.changes) {
        const entry = index.get(path)
        const after = wanted.get(path)
        if (entry === undefined || (entry.oid === after?.oid && entry.mode === after.mode)) continue
        // A missing file does not count as edited.
        if ((await files.lstat(path)) !== undefined || (await files.isReplaced(entry, index)))
          throw told(`error: Entry '${path}' not uptodate. Cannot merge.`)
      }

      const steps = index.paths().flatMap(path => {
        const entry = index.get(path)
        const after = wanted.get(path)
        wanted.delete(path)
        return entry !== undefined && entry.oid === after?.oid && entry.mode === after.mode
          ? []
          : [{ path, before: undefined, after }]
      })
      for (const [path, after] of wanted) steps.push({ path, before: undefined, after })
      await orTold(refuseMarkedEdits(repository, index, steps))
      await refuseOverwriting(repository, index, steps)
      await applySteps(repository, changes, index, steps)
    }
  },
}
