// `git commit`.

import { diffTrees } from '../diff/tree-diff.ts'
import { Mailmap } from '../revs/mailmap.ts'
import { subjectOf } from '../revs/subject.ts'
import type { GitCall } from '../call.ts'
import { failure, fatal, GitFailure } from '../errors.ts'
import { GitIndex } from '../index/git-index.ts'
import { Options } from '../options.ts'
import { Changes, type Repository } from '../repository.ts'
import { needCommit, peel } from '../revs/revision.ts'
import { boolOf } from '../store/config.ts'
import { type Commit, emptyTreeId, type ObjectId, type Person } from '../store/object-format.ts'
import { parsePathspec } from '../work/pathspec.ts'
import { stagePath } from '../work/stage.ts'
import { refreshStats } from '../work/keep-refreshed.ts'
import { diffWorkTree, readStatus } from '../work/status.ts'
import { resetIndex } from '../work/switch-tree.ts'
import { pathspecWords } from './pathspec-words.ts'
import { wantsColor } from '../color/wants-color.ts'
import type { GitCommand } from './command.ts'
import { endAutostash } from '../merge/end-autostash.ts'
import { cleanMessage, commentMark, commitSummary } from '../merge/commit-text.ts'
import { acceptsUnedited, cleanedBy, givenMessage, needsEditor, withTrailer } from './message.ts'

export const commit: GitCommand = {
  name: 'commit',
  summary: 'Record changes to the repository',
  options: {
    rows: [
      { names: ['q', 'quiet'] },
      { names: ['v', 'verbose'] },
      { names: ['m', 'message'], argument: { name: 'message' } },
      { names: ['F', 'file'], argument: { name: 'file' } },
      { names: ['author'], argument: { name: 'author' } },
      { names: ['date'], argument: { name: 'date' } },
      { names: ['C', 'reuse-message'], argument: { name: 'commit' } },
      { names: ['c', 'reedit-message'], argument: { name: 'commit' } },
      { names: ['fixup'], argument: { name: 'commit' } },
      { names: ['squash'], argument: { name: 'commit' } },
      { names: ['reset-author'] },
      { names: ['trailer'], argument: { name: 'trailer' } },
      { names: ['s', 'signoff'] },
      { names: ['t', 'template'], argument: { name: 'file' }, isIgnored: true },
      { names: ['e', 'edit'] },
      { names: ['cleanup'], argument: { name: 'mode' } },
      { names: ['status'], isIgnored: true },
      { names: ['S', 'gpg-sign'], argument: { name: 'key-id', isOptional: true }, refuses: 'signing is not built into this git' },
      { names: ['no-gpg-sign'] },
      { names: ['a', 'all'] },
      { names: ['i', 'include'] },
      { names: ['interactive'], refuses: 'interactive staging is not built into this git' },
      { names: ['p', 'patch'], refuses: 'interactive staging is not built into this git' },
      { names: ['o', 'only'] },
      { names: ['n', 'no-verify'], key: 'no-verify' },
      { names: ['verify'], isIgnored: true },
      { names: ['dry-run'] },
      { names: ['short'], key: 'form', value: 'short' },
      { names: ['porcelain'], key: 'form', value: 'porcelain' },
      { names: ['long'], key: 'form', value: 'long' },
      { names: ['z', 'null'], key: 'null' },
      { names: ['branch'] },
      { names: ['amend'] },
      { names: ['no-post-rewrite'], isIgnored: true },
      { names: ['u', 'untracked-files'], argument: { name: 'mode', isOptional: true } },
      { names: ['pathspec-from-file'], argument: { name: 'file' } },
      { names: ['pathspec-file-nul'] },
      { names: ['allow-empty'] },
      { names: ['allow-empty-message'] },
    ],
    usage: 'git commit [-a] [-m <message>] [--amend] [--allow-empty] [<options>] [--] [<pathspec>...]',
  },
  async run(call, options) {
    const repository = await call.repository()
    if (repository.isBare) throw fatal('this operation must be run in a work tree')
    return new Committing(call, repository, options).run()
  },
}

class Committing {
  readonly #call: GitCall
  readonly #repository: Repository
  readonly #options: Options

  constructor(call: GitCall, repository: Repository, options: Options) {
    this.#call = call
    this.#repository = repository
    this.#options = options
  }

  async run(): Promise<number> {
    const repository = this.#repository
    const options = this.#options
    const isAmend = options.has('amend')
    const { branch, oid: head } = await repository.head()
    if (isAmend && head === undefined) throw fatal('You have nothing yet to amend.')
    const mergeHeads = ((await repository.readState('MERGE_HEAD')) ?? '').split('\n').filter(Boolean)
    const picked = await repository.readState('CHERRY_PICK_HEAD')
    if (isAmend && mergeHeads.length > 0) throw fatal('You are in the middle of a merge -- cannot amend.')
    if (isAmend && picked !== undefined) throw fatal('You are in the middle of a cherry-pick -- cannot amend.')
    const amended = isAmend && head !== undefined ? await repository.objects.readCommit(head) : undefined
    const { index, final } = await this.#prepareIndex(head, mergeHeads.length > 0)
    const isDry = options.has('dry-run') || options.has('null') || options.value('form') !== undefined
    if (index.hasConflicts && isDry) return this.#status(index, false)
    if (index.hasConflicts) throw await this.#conflictFailure(index)
    const tree = await repository.writeTree(index)
    const parents = amended?.parents ?? (head === undefined ? [] : [head, ...mergeHeads])
    const parentTree = await repository.treeOf(parents[0])
    const isEmpty = parents.length < 2 && (parents.length === 0 ? tree === emptyTreeId : tree === parentTree)
    if (isDry) return this.#status(index, isEmpty && !isAmend)
    if (isEmpty && !options.has('allow-empty') && !isAmend) {
      const given = await givenMessage(this.#call, options)
      if (given !== undefined) await this.#keepMessage(cleanMessage(given))
      await this.#status(index, true)
      return 1
    }
    if (isEmpty && isAmend && !options.has('allow-empty')) {
      await this.#status(index, true)
      throw new GitFailure(
        'You asked to amend the most recent commit, but doing so would make\nit empty. You can repeat your command with --allow-empty, or you can\nremove the commit entirely with "git reset HEAD^".',
        1,
      )
    }
    const reused = await this.#reusedCommit(amended, picked)
    const message = await this.#message(reused)
    if (message === '' && !options.has('allow-empty-message')) {
      await this.#keepMessage('')
      throw new GitFailure('Aborting commit due to empty commit message.', 1)
    }
    const author = await this.#author(reused)
    const committer = await repository.identity('committer')
    await this.#warnOfHooks()
    const oid = await repository.writeCommit({ tree, parents, author, committer, message, isEncoded: true })
    const kind =
      head === undefined
        ? ' (initial)'
        : isAmend
          ? ' (amend)'
          : mergeHeads.length > 0
            ? ' (merge)'
            : picked !== undefined
              ? ' (cherry-pick)'
              : ''
    const changes = new Changes()
    await repository.refs.update(changes, { name: 'HEAD', oid, message: `commit${kind}: ${message.split('\n', 1)[0] ?? ''}` })
    await repository.removeState(
      changes,
      'MERGE_HEAD',
      'MERGE_MSG',
      'MERGE_MODE',
      'MERGE_RR',
      'AUTO_MERGE',
      'CHERRY_PICK_HEAD',
      'REVERT_HEAD',
      'SQUASH_MSG',
    )
    repository.writeState(changes, 'COMMIT_EDITMSG', message)
    await repository.commit(changes, final)
    if (!options.has('quiet'))
      await this.#call.out.write(
        await commitSummary(repository, oid, {
          branch,
          before: parents[0],
          now: this.#call.now,
          hidesDate: (reused === undefined || options.has('reset-author')) && options.value('date') === undefined,
        }),
      )
    await endAutostash(this.#call, repository, 'restoreMergeStash')
    return 0
  }

  /** The index to commit, and the one to write, which differ with `commit -- paths`. */
  async #prepareIndex(
    head: ObjectId | undefined,
    isMerging: boolean,
  ): Promise<{ readonly index: GitIndex; readonly final: GitIndex }> {
    const options = this.#options
    const repository = this.#repository
    const words = await pathspecWords(this.#call, options)
    const index = await repository.readIndex()
    if (options.has('all') && words.length > 0) throw fatal(`paths '${words[0] ?? ''} ...' with -a does not make sense`)
    if (
      (options.has('only') || options.has('include')) &&
      words.length === 0 &&
      !options.has('amend') &&
      !options.has('allow-empty')
    ) {
      throw fatal('No paths with --include/--only does not make sense.')
    }
    if (options.has('all')) {
      await this.#stageWork(index)
      return { index, final: index }
    }
    if (words.length === 0) {
      await refreshStats(repository, index)
      return { index, final: index }
    }
    if (isMerging && !options.has('include')) throw fatal('cannot do a partial commit during a merge.')
    if (!options.has('include') && (await repository.refs.read('CHERRY_PICK_HEAD')) !== undefined) {
      const isRebase = (await repository.readState('rebase-merge/head-name')) !== undefined
      throw fatal(`cannot do a partial commit during a ${isRebase ? 'rebase' : 'cherry-pick'}.`)
    }
    const pathspec = parsePathspec(repository, words)
    const headPaths = new Set<string>()
    if (head !== undefined)
      for (const { path } of await diffTrees(repository, undefined, await repository.treeOf(head))) headPaths.add(path)
    const [missing] = pathspec.unmatched([...index.paths(), ...headPaths])
    if (missing !== undefined) throw failure(`pathspec '${missing}' did not match any file(s) known to git`)
    const isWanted = (path: string): boolean => pathspec.matches(path)
    await this.#stageWork(index, isWanted)
    if (options.has('include')) return { index, final: index }
    for (const path of index.conflicts()) await this.#call.print(`${path}: needs merge`)
    // Commits only these paths: other staged changes stay staged.
    const partial = new GitIndex()
    await resetIndex(repository, partial, head === undefined ? undefined : await repository.treeOf(head))
    const tree = await repository.workTree()
    for (const path of headPaths) {
      if (!isWanted(path) || index.get(path) !== undefined) continue
      // No longer in the index, but a file is there: it is taken as it is.
      const stat = await tree.lstat(path)
      await stagePath(repository, partial, path, stat)
      if (stat !== undefined && stat.kind !== 'directory') await stagePath(repository, index, path, stat)
    }
    for (const entry of index.sorted()) if (entry.stage === 0 && isWanted(entry.path)) partial.set(entry)
    return { index: partial, final: index }
  }

  async #stageWork(index: GitIndex, isWanted?: (path: string) => boolean): Promise<void> {
    const tree = await this.#repository.workTree()
    const work = await diffWorkTree(this.#repository, index, isWanted)
    for (const entry of work.refreshed) index.refresh(entry)
    for (const { path } of work.changes) await stagePath(this.#repository, index, path, await tree.lstat(path))
  }

  async #conflictFailure(index: GitIndex): Promise<GitFailure> {
    for (const path of index.conflicts()) await this.#call.print(`U\t${path}`)
    return new GitFailure(
      "error: Committing is not possible because you have unmerged files.\nhint: Fix them up in the work tree, and then use 'git add/rm <file>'\n" +
        'hint: as appropriate to mark resolution and make a commit.\nfatal: Exiting because of an unresolved conflict.',
      128,
    )
  }

  async #status(index: GitIndex, isEmpty: boolean): Promise<number> {
    const repository = this.#repository
    const { branch, oid } = await repository.head()
    const untracked =
      repository.config().get('status.showuntrackedfiles') === 'no' || this.#options.value('untracked-files') === 'no'
        ? 'no'
        : 'normal'
    const compared = this.#options.has('amend') && oid !== undefined ? (await repository.objects.readCommit(oid)).parents[0] : oid
    const found = await readStatus(repository, index, compared, { untracked })
    const isNull = this.#options.has('null')
    const form = this.#options.value('form') ?? (isNull ? 'porcelain' : undefined)
    const { longStatus, statusPatches, writeShort } = await import('./status.ts')
    if (form !== undefined && form !== 'long')
      await writeShort(this.#call, repository, found, {
        isForPerson: form === 'short',
        prefix: form === 'short' ? repository.prefix : '',
        isNull,
        isColored: form === 'short' && wantsColor(undefined, repository.config(), ['color.status']),
        branch: this.#options.has('branch') ? { name: branch, oid, countsAhead: true } : undefined,
      })
    else {
      const level = this.#verbosity()
      if (level > 1 && this.#options.all.length > 0)
        throw failure('-v: given twice beside paths it is not built into this git; give it once', 129)
      const trees = async (): Promise<string[]> =>
        index.hasConflicts
          ? ['--cached']
          : [(await repository.treeOf(compared)) ?? emptyTreeId, await repository.writeTree(index)]
      await this.#call.out.write(
        await longStatus(repository, found, {
          branch,
          oid: compared && oid,
          untracked,
          showsIgnored: false,
          prefix: repository.prefix,
          isAmend: this.#options.has('amend'),
          isForCommit: true,
          patches: level > 0 ? async () => statusPatches(this.#call, found, level, await trees()) : undefined,
        }),
      )
    }
    return isEmpty ? 1 : 0
  }

  /** A commit that is not made leaves its message too. */
  async #keepMessage(text: string): Promise<void> {
    const changes = new Changes()
    this.#repository.writeState(changes, 'COMMIT_EDITMSG', text)
    await this.#repository.commit(changes)
  }

  /** How often `-v` is given, or what `commit.verbose` asks for. */
  #verbosity(): number {
    const options = this.#options
    const setting = this.#repository.config().get('commit.verbose')
    if (options.has('verbose') || options.isNegated('verbose') || setting === undefined) return options.count('verbose')
    return /^\d+$/.test(setting) ? Number(setting) : Number(boolOf(setting) ?? false)
  }

  async #reusedCommit(amended: Commit | undefined, picked: string | undefined): Promise<Commit | undefined> {
    const name = this.#options.value('reuse-message') ?? this.#options.value('reedit-message')
    if (name !== undefined)
      return this.#repository.objects.readCommit(await needCommit(this.#repository, name, `could not lookup commit ${name}`))
    if (amended !== undefined) return amended
    return picked === undefined ? undefined : this.#repository.objects.readCommit(picked)
  }

  async #message(reused: Commit | undefined): Promise<string> {
    const options = this.#options
    const call = this.#call
    const repository = this.#repository
    let text = await givenMessage(call, options)
    const fixup = options.value('fixup')
    const squash = options.value('squash')
    if (fixup !== undefined || squash !== undefined) {
      const name = fixup ?? squash ?? ''
      if (/^(amend|reword):/.test(name)) throw needsEditor('use --fixup=<commit> or -m')
      const target = await repository.objects.readCommit(await needCommit(repository, name, `could not lookup commit ${name}`))
      const first = `${fixup === undefined ? 'squash' : 'fixup'}! ${subjectOf(target.message)}\n`
      text = text === undefined ? first : `${first}\n${text}`
    }
    let isPrepared = false
    if (text === undefined) {
      const isReused = options.value('reuse-message') !== undefined || options.has('amend')
      const prepared = isReused
        ? reused?.message
        : [await repository.readState('SQUASH_MSG'), await repository.readState('MERGE_MSG')].reduce(
            (all, text) => (text === undefined ? all : (all ?? '') + text),
            undefined,
          )
      const needsNone =
        options.isNegated('edit') || options.value('reuse-message') !== undefined || acceptsUnedited(call, repository.config())
      if (prepared === undefined || !needsNone)
        throw needsEditor(prepared === undefined ? 'give the message with -m or -F' : 'use --no-edit, -m or -F')
      text = prepared
      // Without an editor, lines that begin with `#` are text.
      isPrepared = !options.isNegated('edit') && options.value('reuse-message') === undefined
    } else if (options.has('edit')) {
      if (!acceptsUnedited(call, repository.config())) throw needsEditor('leave --edit out')
      isPrepared = true
    }
    if (options.has('signoff')) {
      const { name, email } = await repository.identity('committer')
      text = withTrailer(text, `Signed-off-by: ${name} <${email}>`)
    }
    for (const trailer of options.values('trailer')) text = withTrailer(text, trailer.replace(/^([^:=]+)[=:]\s*/, '$1: '))
    return cleanedBy(
      options.value('cleanup') ?? repository.config().get('commit.cleanup'),
      text,
      isPrepared,
      commentMark(repository.config()),
    )
  }

  async #author(reused: Commit | undefined): Promise<Person> {
    const options = this.#options
    const isReset = options.has('reset-author')
    const given = options.value('author')
    const isReused = reused !== undefined && !isReset
    let author = isReused ? reused.author : await this.#repository.identity('author', given === undefined)
    if (given !== undefined) {
      const found = /^(.*?)\s*<([^>]*)>/.exec(given)
      const who = found === null ? await this.#authorLike(given) : { name: found[1] ?? '', email: found[2] ?? '' }
      if (who === undefined) throw fatal(`--author '${given}' is not 'Name <email>' and matches no existing author`)
      author = { ...author, ...who }
    }
    const date = options.value('date')
    if (date === undefined) return author
    const read = (await import('../revs/read-date.ts')).dateGiven(date, this.#call.now)
    if (read === undefined) throw fatal(`invalid date format: ${date}`)
    return { ...author, ...read }
  }

  /** The author of the newest commit whose name or address matches the pattern. */
  async #authorLike(pattern: string): Promise<{ readonly name: string; readonly email: string } | undefined> {
    const repository = this.#repository
    const { CommitWalk } = await import('../revs/walk.ts')
    const include = new Set<ObjectId>()
    for (const { oid } of [{ oid: (await repository.head()).oid }, ...(await repository.refs.list())]) {
      const commitId = oid === undefined ? undefined : await peel(repository, oid, 'commit')
      if (commitId !== undefined) include.add(commitId)
    }
    const mailmap = await Mailmap.read(repository)
    const { posixPattern } = await import('../revs/posix-pattern.ts')
    const matcher = posixPattern(pattern, 'basic', 'i')
    const { signal } = repository.environment
    for await (const { commit } of new CommitWalk(repository, { include: [...include], exclude: [], order: 'date', signal })) {
      const { name, email } = mailmap.of(commit.author)
      if (matcher.test(`${name} <${email}>`)) return { name, email }
    }
    return undefined
  }

  async #warnOfHooks(): Promise<void> {
    if (!this.#options.has('no-gpg-sign') && this.#repository.config().bool('commit.gpgsign', false))
      await this.#call.warn('warning: the commit is not signed, as commit.gpgSign asks: this git runs no signing programs')
    if (this.#options.has('no-verify')) return
    const repository = this.#repository
    const directory = repository.config().get('core.hookspath') ?? `${repository.commonDir}/hooks`
    const base = directory.startsWith('/') ? directory : `${repository.root}/${directory}`
    for (const name of ['pre-commit', 'commit-msg']) {
      const stat = await repository.files.stat(`${base}/${name}`)
      if (stat?.kind === 'file' && (stat.mode & 0o111) !== 0)
        await this.#call.warn(`warning: the hook '${name}' was not run: this git runs no hooks`)
    }
  }
}
