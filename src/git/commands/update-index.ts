// `git update-index`: changes single entries of the index. Options affect the paths after them.

import { decodeText } from '../../shell/byte-text.ts'
import type { GitCall } from '../call.ts'
import { fatal, GitFailure } from '../errors.ts'
import { type GitIndex, type IndexEntry, newEntry } from '../index/git-index.ts'
import { unquotePath } from '../quote.ts'
import { Changes, type Repository } from '../repository.ts'
import { canonicalMode, isObjectId, modes } from '../store/object-format.ts'
import { parsePathspec } from '../work/pathspec.ts'
import { stagePath } from '../work/stage.ts'
import { diffIndexToTree, diffWorkTree } from '../work/status.ts'
import { isSafePath } from '../work/work-tree.ts'
import type { GitCommand } from './command.ts'

const usage = 'git update-index [<options>] [--] [<file>...]'

export const updateIndex: GitCommand = {
  name: 'update-index',
  summary: 'Register file contents in the working tree to the index',
  options: { rows: [], usage },
  isRaw: true,
  async run(call, _options, args) {
    const repository = await call.repository()
    return new IndexUpdate(call, repository, await repository.readIndex()).run(args)
  },
}

type Mark = 'isAssumedValid' | 'isSkipped'

/** Options for the storage of the index, which its content decides here. */
const ignored =
  /^--(?:no-)?(?:verbose|split-index|untracked-cache|test-untracked-cache|force-untracked-cache|force-write-index|fsmonitor|ignore-submodules|ignore-skip-worktree-entries|unmerged)$|^--index-version(?:=.*)?$/

class IndexUpdate {
  readonly #call: GitCall
  readonly #repository: Repository
  readonly #index: GitIndex
  #adds = false
  #removes = false
  #forcesRemoval = false
  #isQuiet = false
  #ignoresMissing = false
  #replaces = false
  #isVerbose = false
  #isNull = false
  #mark: { readonly name: Mark; readonly value: boolean } | undefined
  #chmod: '+x' | '-x' | undefined
  #exitCode = 0

  constructor(call: GitCall, repository: Repository, index: GitIndex) {
    this.#call = call
    this.#repository = repository
    this.#index = index
  }

  async run(args: readonly string[]): Promise<number> {
    let isPath = false
    let readsPaths = false
    for (let at = 0; at < args.length; at++) {
      const word = args[at] ?? ''
      if (isPath || !word.startsWith('-')) await this.#path(word)
      else if (word === '--') isPath = true
      else if (word === '--stdin') {
        if (at < args.length - 1) throw new GitFailure(`error: option 'stdin' must be the last argument\nusage: ${usage}\n`, 129)
        readsPaths = true
      } else if (word === '--index-info') await this.#indexInfo()
      else if (word === '--cacheinfo' || word.startsWith('--cacheinfo=')) {
        const given = word.includes('=') ? word.slice(word.indexOf('=') + 1) : (args[++at] ?? '')
        const whole = /^(\d+),([^,]+),(.+)$/s.exec(given)
        if (whole === null) {
          await this.#cacheInfo(given, args[at + 1] ?? '', args[at + 2])
          at += 2
        } else await this.#cacheInfo(whole[1] ?? '', whole[2] ?? '', whole[3])
      } else await this.#option(word)
    }
    if (readsPaths) {
      const lines = (await this.#call.input()).split(this.#isNull ? '\0' : '\n')
      for (const line of lines.slice(0, lines.at(-1) === '' ? -1 : undefined))
        await this.#path(this.#isNull ? line : (unquotePath(line) ?? line))
    }
    if (this.#index.isChanged) await this.#repository.commit(new Changes(), this.#index)
    return this.#exitCode
  }

  async #option(word: string): Promise<void> {
    switch (word) {
      case '--add':
        this.#adds = true
        return
      case '--remove':
        this.#removes = true
        return
      case '--force-remove':
        this.#forcesRemoval = true
        return
      case '--replace':
        this.#replaces = true
        return
      case '-q':
        this.#isQuiet = true
        return
      case '-z':
        this.#isNull = true
        return
      case '--ignore-missing':
        this.#ignoresMissing = true
        return
      case '--verbose':
        this.#isVerbose = true
        return
      case '--refresh':
      case '--really-refresh':
        await this.#refresh(word === '--really-refresh')
        return
      case '--assume-unchanged':
      case '--no-assume-unchanged':
        this.#mark = { name: 'isAssumedValid', value: word === '--assume-unchanged' }
        return
      case '--skip-worktree':
      case '--no-skip-worktree':
        this.#mark = { name: 'isSkipped', value: word === '--skip-worktree' }
        return
      case '--again':
      case '-g':
        await this.#again()
        return
      default:
        break
    }
    const chmod = /^--chmod=([+-]x)$/.exec(word)?.[1]
    if (chmod === '+x' || chmod === '-x') this.#chmod = chmod
    else if (/^--(unresolve|info-only)$/.test(word))
      throw new GitFailure(`error: ${word}: not built into this git\nusage: ${usage}`, 129)
    else if (!ignored.test(word))
      throw new GitFailure(
        `error: unknown ${word.startsWith('--') ? `option \`${word.slice(2)}'` : `switch \`${word.slice(1, 2)}'`}\nusage: ${usage}\n`,
        129,
      )
  }

  /** Updates the entries that differ from the last commit. */
  async #again(): Promise<void> {
    const tree = await this.#repository.treeOf((await this.#repository.head()).oid)
    for (const { path } of await diffIndexToTree(this.#repository, this.#index, tree))
      if (this.#index.get(path) !== undefined) await this.#update(path)
  }

  async #path(word: string): Promise<void> {
    const path = parsePathspec(this.#repository, [`:(literal)${word}`]).items[0]?.path ?? ''
    const mark = this.#mark
    if (mark !== undefined) {
      const entry = this.#index.get(path)
      if (entry === undefined) throw fatal(`Unable to mark file ${path}`)
      this.#index.refresh({ ...entry, [mark.name]: mark.value })
      return
    }
    if (this.#forcesRemoval) {
      this.#index.remove(path)
      await this.#report(`remove '${path}'`)
      return
    }
    await this.#update(path)
    if (this.#chmod !== undefined) await this.#setMode(path, this.#chmod)
  }

  async #update(path: string): Promise<void> {
    const refuse = (reason: string): GitFailure =>
      new GitFailure(`error: ${path}: ${reason}\nfatal: Unable to process path ${path}`, 128)
    if (!isSafePath(path)) {
      await this.#call.warn(`Ignoring path ${path}`)
      return
    }
    const stat = await (await this.#repository.workTree()).lstat(path)
    const entry = this.#index.get(path)
    if (entry?.isSkipped) return
    if (stat === undefined) {
      if (this.#ignoresMissing && !this.#removes) return
      if (!this.#removes) throw refuse('does not exist and --remove not passed')
      if (this.#index.remove(path)) await this.#report(`remove '${path}'`)
      return
    }
    if (stat.kind === 'directory' && entry?.mode !== modes.submodule) {
      if (this.#removes && this.#index.remove(path)) return
      throw refuse('is a directory - add files inside instead')
    }
    if (!this.#index.has(path) && !this.#adds) throw refuse('cannot add to the index - missing --add option?')
    this.#checkRoom(path, () => refuse('cannot add to the index - missing --add option?'))
    await stagePath(this.#repository, this.#index, path, stat)
    await this.#report(`add '${path}'`)
  }

  /** A file where the index has a directory, or a directory where it has a file, needs `--replace`. */
  #checkRoom(path: string, refuse: () => GitFailure): void {
    if (this.#replaces || this.#index.has(path)) return
    const parts = path.split('/')
    const isBelowFile = parts.some((_, length) => length > 0 && this.#index.has(parts.slice(0, length).join('/')))
    if (isBelowFile || this.#index.hasBelow(path)) throw refuse()
  }

  async #setMode(path: string, chmod: '+x' | '-x'): Promise<void> {
    const entry = this.#index.get(path)
    if (entry === undefined || (entry.mode !== modes.file && entry.mode !== modes.executable))
      throw fatal(`git update-index: cannot chmod ${chmod} '${path}'`)
    this.#index.set({ ...entry, mode: chmod === '+x' ? modes.executable : modes.file })
    await this.#report(`chmod ${chmod} '${path}'`)
  }

  async #report(line: string): Promise<void> {
    if (this.#isVerbose) await this.#call.print(line)
  }

  async #cacheInfo(modeText: string, oid: string, path: string | undefined): Promise<void> {
    if (path === undefined) throw new GitFailure(`error: option 'cacheinfo' expects <mode>,<sha1>,<path>\nusage: ${usage}\n`, 129)
    const mode = canonicalMode(Number.parseInt(modeText, 8))
    if (!isObjectId(oid) || !isSafePath(path)) throw fatal(`git update-index: --cacheinfo cannot add ${path}`)
    const refuse = (): GitFailure =>
      new GitFailure(
        `error: ${path}: cannot add to the index - missing --add option?\nfatal: git update-index: --cacheinfo cannot add ${path}`,
        128,
      )
    if (!this.#index.has(path) && !this.#adds) throw refuse()
    this.#checkRoom(path, refuse)
    this.#index.set(newEntry(path, mode, oid))
    await this.#report(`add '${path}'`)
  }

  /** Lines as printed by `ls-tree` and `ls-files --stage`; mode 0 removes. */
  async #indexInfo(): Promise<void> {
    for (const line of decodeText(await this.#call.inputBytes()).split(this.#isNull ? '\0' : '\n')) {
      if (line === '') continue
      const [, modeText = '', oid = '', stage = '0', quoted = ''] =
        /^(\d+) (?:blob |tree |commit )?([0-9a-f]{40})(?: ([0-3]))?\t(.*)$/s.exec(line) ?? []
      if (oid === '') throw fatal(`malformed index info ${line}`)
      const path = this.#isNull ? quoted : (unquotePath(quoted) ?? quoted)
      const mode = Number.parseInt(modeText, 8)
      if (mode === 0) this.#index.remove(path)
      else if (stage === '0') this.#index.set(newEntry(path, canonicalMode(mode), oid))
      else this.#setStage(newEntry(path, canonicalMode(mode), oid, undefined, Number(stage)))
    }
  }

  #setStage(entry: IndexEntry): void {
    const [base, ours, theirs] = this.#index.stages(entry.path) ?? [undefined, undefined, undefined]
    const at = (stage: number, before: IndexEntry | undefined): IndexEntry | undefined => (entry.stage === stage ? entry : before)
    this.#index.setConflict(entry.path, [at(1, base), at(2, ours), at(3, theirs)])
  }

  async #refresh(isReally: boolean): Promise<void> {
    if (isReally)
      for (const entry of this.#index.sorted()) if (entry.isAssumedValid) this.#index.refresh({ ...entry, isAssumedValid: false })
    const { changes, refreshed } = await diffWorkTree(this.#repository, this.#index)
    for (const entry of refreshed) this.#index.refresh(entry)
    for (const { path, before, after } of changes) {
      const isConflict = before === undefined && after === undefined
      if (after === undefined && !isConflict && this.#ignoresMissing) continue
      if (this.#isQuiet && !isConflict) continue
      await this.#call.print(`${path}: needs ${isConflict ? 'merge' : 'update'}`)
      this.#exitCode = 1
    }
  }
}
