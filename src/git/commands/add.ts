// `git add`.

import { PathspecReach } from '../work/pathspec-reach.ts'
import { submoduleHead } from '../work/submodule-head.ts'
import type { GitCall } from '../call.ts'
import { fatal, GitFailure } from '../errors.ts'
import { type GitIndex, newEntry } from '../index/git-index.ts'
import type { Options } from '../options.ts'
import { Changes, type Repository } from '../repository.ts'
import { emptyBlobId, modes } from '../store/object-format.ts'
import { type Pathspec, parsePathspec } from '../work/pathspec.ts'
import { stagePath } from '../work/stage.ts'
import { diffWorkTree, findUntracked } from '../work/status.ts'
import { indexStat } from '../work/work-tree.ts'
import type { GitCommand } from './command.ts'
import { pathspecWords } from './pathspec-words.ts'

export const add: GitCommand = {
  name: 'add',
  summary: 'Add file contents to the index',
  options: {
    rows: [
      { names: ['n', 'dry-run'] },
      { names: ['v', 'verbose'] },
      { names: ['i', 'interactive'], refuses: 'the menu is not built into this git; -p asks about each hunk' },
      { names: ['p', 'patch'] },
      { names: ['e', 'edit'], refuses: 'editing a patch is not built into this git' },
      { names: ['f', 'force'] },
      { names: ['u', 'update'] },
      { names: ['renormalize'] },
      { names: ['N', 'intent-to-add'] },
      { names: ['A', 'all'], key: 'all' },
      { names: ['ignore-removal'], isNegatable: true },
      { names: ['refresh'] },
      { names: ['ignore-errors'], isIgnored: true },
      { names: ['ignore-missing'] },
      { names: ['sparse'], isIgnored: true },
      { names: ['chmod'], argument: { name: '(+|-)x' } },
      { names: ['pathspec-from-file'], argument: { name: 'file' } },
      { names: ['pathspec-file-nul'] },
    ],
    usage: 'git add [<options>] [--] <pathspec>...',
  },
  async run(call, options) {
    const repository = await call.repository()
    if (repository.isBare) throw fatal('this operation must be run in a work tree')
    const words = await pathspecWords(call, options)
    if (options.has('patch')) {
      if (options.has('dry-run')) throw fatal("options '--dry-run' and '--interactive/--patch' cannot be used together")
      const { runPatchMode } = await import('../patch/choosing.ts')
      return runPatchMode(call, repository, { mode: 'stage', pathspec: parsePathspec(repository, words) })
    }
    const isAll = options.has('all')
    const isUpdate = options.has('update') || options.has('renormalize')
    if (options.has('ignore-missing') && !options.has('dry-run'))
      throw fatal("the option '--ignore-missing' requires '--dry-run'")
    if (isAll && isUpdate) throw fatal("options '-A' and '-u' cannot be used together")
    const chmod = options.value('chmod')
    if (chmod !== undefined && chmod !== '+x' && chmod !== '-x') throw fatal(`--chmod param '${chmod}' must be either -x or +x`)
    if (words.length === 0 && !isAll && !options.has('update')) {
      await call.warn(
        'Nothing specified, nothing added.\nhint: Maybe you wanted to say \'git add .\'?\nhint: Turn this message off by running\nhint: "git config advice.addEmptyPathspec false"',
      )
      return 0
    }
    // `-A` and `-u` without paths select the whole work tree, whatever the working directory is.
    const pathspec = parsePathspec(repository, words)
    const index = await repository.readIndex()
    if (options.has('renormalize')) return renormalize(repository, index, pathspec)
    return new Adding(call, repository, index, options).run(pathspec, {
      isUpdate,
      keepsRemoved: options.has('ignore-removal') || options.isNegated('all'),
    })
  },
}

/** Stages tracked files again, so that their line endings match the current attributes. */
async function renormalize(repository: Repository, index: GitIndex, pathspec: Pathspec): Promise<number> {
  const missing = pathspec.unmatched(index.paths())[0]
  if (missing !== undefined) throw fatal(`pathspec '${missing}' did not match any files`)
  const tree = await repository.workTree()
  for (const entry of index.sorted()) {
    if (entry.stage !== 0 || !pathspec.matches(entry.path)) continue
    const stat = await tree.lstat(entry.path)
    if (stat === undefined) throw fatal(`unable to stat '${entry.path}': No such file or directory`)
    // Line endings in the index do not matter without the index.
    const content = await tree.readForRepository(entry.path, stat, undefined)
    if (content === undefined) continue
    const oid = await repository.objects.write('blob', content.bytes)
    index.set(newEntry(entry.path, tree.modeOf(stat, entry.mode), oid, indexStat(stat)))
  }
  if (index.isChanged) await repository.commit(new Changes(), index)
  return 0
}

class Adding {
  readonly #call: GitCall
  readonly #repository: Repository
  readonly #index: GitIndex
  readonly #options: Options

  constructor(call: GitCall, repository: Repository, index: GitIndex, options: Options) {
    this.#call = call
    this.#repository = repository
    this.#index = index
    this.#options = options
  }

  async run(
    pathspec: Pathspec,
    { isUpdate, keepsRemoved }: { readonly isUpdate: boolean; readonly keepsRemoved: boolean },
  ): Promise<number> {
    const call = this.#call
    const options = this.#options
    const index = this.#index
    await new PathspecReach(this.#repository, index).check(pathspec)
    const filter = pathspec.isEmpty ? undefined : pathspec.filter
    const isDry = options.has('dry-run')
    const work = await diffWorkTree(this.#repository, index, filter === undefined ? undefined : path => filter(path, false))
    for (const entry of work.refreshed) index.refresh(entry)
    const isForced = options.has('force')
    const others = isUpdate
      ? { untracked: [], ignored: [] }
      : await findUntracked(this.#repository, index, {
          mode: 'all',
          pathspec,
          ignore: this.#repository.ignore(),
          ignored: isForced ? 'traditional' : 'no',
          entersReplaced: true,
        })
    const untracked = isForced ? [...others.untracked, ...(await this.#expanded(others.ignored))] : others.untracked
    const refused = isForced || isUpdate ? [] : await this.#refused(pathspec, [...index.paths(), ...untracked])
    await this.#noteDirectories(pathspec)
    if (!isUpdate && !pathspec.isEmpty && !options.has('ignore-missing'))
      this.#checkMatches(pathspec, [...index.paths(), ...untracked], refused)
    if (isUpdate) this.#checkMatches(pathspec, index.paths(), [])
    if (!options.has('refresh')) {
      for (const { path } of work.changes) {
        call.check()
        await this.#stage(path, keepsRemoved, isDry)
      }
      for (const path of untracked) {
        call.check()
        if (path.endsWith('/')) await this.#embedded(path)
        else await this.#stage(path, keepsRemoved, isDry)
      }
    }
    const hasModes = await this.#setModes(pathspec)
    if (!isDry && index.isChanged) await this.#repository.commit(new Changes(), index)
    if (refused.length === 0) return hasModes ? 0 : 255
    await call.warn(
      `The following paths are ignored by one of your .gitignore files:\n${refused.join('\n')}\nhint: Use -f if you really want to add them.\n` +
        'hint: Turn this message off by running\nhint: "git config advice.addIgnoredFile false"',
    )
    return 1
  }

  async #stage(path: string, keepsRemoved: boolean, isDry: boolean): Promise<void> {
    const call = this.#call
    const tree = await this.#repository.workTree()
    const stat = await tree.lstat(path)
    if (stat === undefined && keepsRemoved) return
    if (this.#options.has('intent-to-add') && this.#index.get(path) === undefined && stat !== undefined) {
      await this.#repository.objects.write('blob', new Uint8Array())
      this.#index.set({ ...newEntry(path, tree.modeOf(stat), emptyBlobId), isIntentToAdd: true })
      return
    }
    // A removal is staged all the same.
    if (this.#options.has('intent-to-add') && stat !== undefined) return
    const staged = await stagePath(this.#repository, this.#index, path, stat)
    if (staged.warning !== undefined && this.#repository.config().get('core.safecrlf') !== 'false') {
      const [from, to] = staged.warning === 'crlf-to-lf' ? ['CRLF', 'LF'] : ['LF', 'CRLF']
      await call.warn(`warning: in the working copy of '${path}', ${from} will be replaced by ${to} the next time Git touches it`)
    }
    if (staged.kind === 'same' || (!this.#options.has('verbose') && !isDry)) return
    await call.print(`${staged.kind === 'removed' ? 'remove' : 'add'} '${path}'`)
  }

  /** A repository inside the repository would be kept as a commit ID only. */
  async #embedded(path: string): Promise<void> {
    const name = path.slice(0, -1)
    const head = await submoduleHead(this.#repository, name)
    if (head === undefined)
      throw new GitFailure(`error: '${path}' does not have a commit checked out\nfatal: adding files failed`, 128)
    await this.#call.warn(`warning: adding embedded git repository: ${name}`)
    this.#index.set(newEntry(name, modes.submodule, head))
  }

  async #expanded(ignored: readonly string[]): Promise<readonly string[]> {
    const found: string[] = []
    const list = async (directory: string): Promise<void> => {
      for (const { name, kind } of await this.#repository.files.list(`${this.#repository.root}/${directory}`)) {
        if (kind === 'directory') await list(`${directory}${name}/`)
        else found.push(`${directory}${name}`)
      }
    }
    for (const path of ignored) {
      if (path.endsWith('/')) await list(path)
      else found.push(path)
    }
    return found
  }

  /** Ignored paths that were named: they are reported and left out. */
  async #refused(pathspec: Pathspec, known: readonly string[]): Promise<readonly string[]> {
    const refused: string[] = []
    const ignore = this.#repository.ignore()
    for (const given of pathspec.unmatched(known)) {
      const item = pathspec.items.find(candidate => candidate.given === given)
      if (item === undefined || item.wildcard !== 'none') continue
      const stat = await (await this.#repository.workTree()).lstat(item.path)
      const isThere = stat !== undefined || this.#options.has('ignore-missing')
      if (isThere && (await ignore.isIgnored(item.path, stat?.kind === 'directory'))) refused.push(this.#topIgnored(given))
    }
    return refused
  }

  #topIgnored(given: string): string {
    return this.#repository.prefix + given.replace(/\/$/, '')
  }

  #checkMatches(pathspec: Pathspec, known: readonly string[], refused: readonly string[]): void {
    const missing = pathspec
      .unmatched(known)
      .find(given => !refused.includes(this.#topIgnored(given)) && !this.#isExistingDirectory(pathspec, given))
    if (missing !== undefined) throw fatal(`pathspec '${missing}' did not match any files`)
  }

  /** The root itself, and existing empty directories, are not errors. */
  #isExistingDirectory(pathspec: Pathspec, given: string): boolean {
    const item = pathspec.items.find(candidate => candidate.given === given)
    return item !== undefined && (item.path === '' || this.#emptyDirectories.has(item.path))
  }

  readonly #emptyDirectories = new Set<string>()

  async #noteDirectories(pathspec: Pathspec): Promise<void> {
    for (const { path, wildcard } of pathspec.items) {
      if (
        wildcard === 'none' &&
        path !== '' &&
        (await this.#repository.files.lstat(`${this.#repository.root}/${path}`))?.kind === 'directory'
      )
        this.#emptyDirectories.add(path)
    }
  }

  /** Returns false if a file cannot have the mode. */
  async #setModes(pathspec: Pathspec): Promise<boolean> {
    const chmod = this.#options.value('chmod')
    if (chmod === undefined) return true
    const mode = chmod === '+x' ? modes.executable : modes.file
    let isDone = true
    for (const entry of this.#index.sorted()) {
      if (entry.stage !== 0 || !pathspec.matches(entry.path)) continue
      if (entry.mode === modes.file || entry.mode === modes.executable) this.#index.set({ ...entry, mode })
      else {
        await this.#call.warn(`error: cannot chmod ${chmod} '${entry.path}'`)
        isDone = false
      }
    }
    return isDone
  }
}
