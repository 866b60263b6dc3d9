// A repository: where it lies, its objects, references, index, configuration and work tree. What each offers:
//
//   objects     store/objects.ts     read, readTree, readCommit, readBlob, readTag, has, expand; write keeps a new object until `flush`
//   refs        store/refs.ts        read, resolve, idOf, list, readLog; update, setSymbolic and detach add to a `Changes`
//   config()    store/config.ts      get, all, bool, number over all files and `-c`
//   readIndex() index/git-index.ts   a table of its own for the caller: get, set, remove, setConflict, stages, sorted
//   workTree()  work/work-tree.ts    lstat, compare, hash, checkOut; lineEnds and ignore rules are inside
//   attributes(), ignore()           work/attributes.ts, work/ignore-rules.ts
//   commit(changes, index?)          flushes objects, then makes all changes in one batch, the index last
//
// Revisions are resolved by `resolveRevision` in revs/revision.ts, trees are compared by diff/tree-diff.ts.

import { decodeText, encodeText } from '../shell/byte-text.ts'
import type { Stat } from '../vfs/backend.ts'
import { Changes, readableFailure } from './changes.ts'
import { fatal, GitFailure } from './errors.ts'
import { GitFiles } from './files.ts'
import type { GitNetworkOptions, GitProgressListener } from './network/options.ts'
import { writeTrees } from './index/cached-tree.ts'
import { encodeIndex, parseIndex } from './index/codec.ts'
import { GitIndex, type IndexEntry } from './index/git-index.ts'
import { Config, type ConfigEntry, expandHome } from './store/config.ts'
import { type Commit, emptyTreeId, encodeCommit, type ObjectId, type Person } from './store/object-format.ts'
import { ObjectStore } from './store/objects.ts'
import { RefStore } from './store/refs.ts'
import { readReplacements } from './store/replacements.ts'
import { Attributes } from './work/attributes.ts'
import { outsideOf, WorkTreeIgnore } from './work/ignore-rules.ts'
import { SeenFiles } from './work/seen-files.ts'
import { WorkTree } from './work/work-tree.ts'
import { readAllConfig } from './read-config.ts'
import { discover, type RepositoryPlace } from './discover.ts'
import { checkFormat } from './check-format.ts'
import { RepositoryCache } from './repository-cache.ts'
import { identityOf } from './identity.ts'

/** The environment of a command. */
export interface GitEnvironment {
  readonly files: GitFiles
  /** Absolute. */
  readonly cwd: string
  readonly env: Readonly<Record<string, string | undefined>>
  /** Milliseconds since the epoch. */
  readonly clock: () => number
  readonly signal: AbortSignal
  /** From `-c`. */
  readonly settings: readonly ConfigEntry[]
  /** The committer if neither environment nor configuration names one. */
  readonly author?: { readonly name: string; readonly email: string } | undefined
  /** The host's rules for the network; without it, the network is off. */
  readonly network?: GitNetworkOptions | undefined
  /** Receives the progress of transfers. */
  readonly progress?: GitProgressListener | undefined
  /** Runs a command of the shell, given as words; absent if none can be run. For commands that a person asks for (`git bisect run`). */
  readonly exec?: ((words: readonly string[]) => Promise<number>) | undefined
  /** Takes a warning of the command that runs, and tells it once. */
  readonly warn?: ((text: string) => Promise<void>) | undefined
  /** Keeps object stores from one command to the next. */
  readonly cache: RepositoryCache
}

/** A commit to write. */
export interface NewCommit extends Omit<Commit, 'extra'> {
  /** The message is in the configured encoding, not in UTF-8. */
  readonly isEncoded?: boolean
}

function indexKey({ ino, rev, mtimeMs, ctimeMs, sizeBytes }: Stat): string {
  return `${ino} ${rev} ${mtimeMs} ${ctimeMs} ${sizeBytes}`
}

export class Repository {
  readonly environment: GitEnvironment
  readonly gitDir: string
  readonly commonDir: string
  readonly files: GitFiles
  readonly refs: RefStore
  readonly #workTreeRoot: string | undefined
  readonly #config: Config
  #objects: ObjectStore
  #attributes: Attributes | undefined
  #workTree: Promise<WorkTree> | undefined
  #indexRev = 0

  /** The repository that the working directory belongs to, or that the environment names. */
  static async open(environment: GitEnvironment): Promise<Repository | undefined> {
    const place = await discover(environment)
    return place === undefined ? undefined : Repository.openAt(environment, place)
  }

  static async openAt(environment: GitEnvironment, place: RepositoryPlace): Promise<Repository> {
    const { files } = environment
    const config = new Config(await readAllConfig(environment, place))
    checkFormat(config)
    // Only a file places the work tree, not `-c`.
    const configuredRoot = config.entries.findLast(({ name, scope }) => name === 'core.worktree' && scope !== 'command')?.value
    const bare = config.has('core.bare') && config.bool('core.bare', false)
    let workTree = place.workTree
    if (environment.env['GIT_WORK_TREE'] === undefined && place.gitDir === place.commonDir) {
      if (configuredRoot !== undefined) {
        const path = configuredRoot.startsWith('/') ? configuredRoot : `${place.gitDir}/${configuredRoot}`
        workTree = await files.vfs.realpath(path).catch(() => path)
      } else if (bare) workTree = undefined
    }
    const repository = new Repository(environment, { ...place, workTree }, config)
    await repository.#heedReplacements()
    return repository
  }

  private constructor(environment: GitEnvironment, { gitDir, commonDir, workTree }: RepositoryPlace, config: Config) {
    const { files, cache } = environment
    this.environment = environment
    this.gitDir = gitDir
    this.commonDir = commonDir
    this.files = files
    this.#workTreeRoot = workTree
    this.#config = config
    this.#objects = cache.objects(files, this.#objectDirectory)
    this.#objects.cutAt(() => this.shallowCommits())
    this.refs = new RefStore({
      files,
      gitDir,
      commonDir,
      logsAll: () => {
        const setting = config.get('core.logallrefupdates')
        return Promise.resolve(setting === 'always' ? 'always' : config.bool('core.logallrefupdates', workTree !== undefined))
      },
      who: () => this.identity('committer', false),
    })
  }

  get #objectDirectory(): string {
    return this.environment.env['GIT_OBJECT_DIRECTORY'] ?? `${this.commonDir}/objects`
  }

  get objects(): ObjectStore {
    return this.#objects
  }

  async #heedReplacements(): Promise<void> {
    const { env } = this.environment
    if (env['GIT_NO_REPLACE_OBJECTS'] !== undefined || !this.#config.bool('core.usereplacerefs', true)) return
    const replacements = await readReplacements(this.refs, env)
    if (replacements.size === 0) return
    this.#objects = new ObjectStore(this.files, this.#objectDirectory, replacements)
    this.#objects.cutAt(() => this.shallowCommits())
  }

  /** The file of the commits at which a shallow history ends. */
  get shallowFile(): string {
    return `${this.commonDir}/shallow`
  }

  async shallowCommits(): Promise<ReadonlySet<ObjectId>> {
    const bytes = await this.files.read(this.shallowFile)
    return new Set(bytes === undefined ? [] : decodeText(bytes).split('\n').filter(Boolean))
  }

  /** The same repository with every object as it is stored, for what checks or sends objects. */
  withoutReplacements(): Repository {
    const { environment, gitDir, commonDir } = this
    return new Repository(environment, { gitDir, commonDir, workTree: this.#workTreeRoot }, this.#config)
  }

  get isBare(): boolean {
    return this.#workTreeRoot === undefined
  }

  /** The root of the work tree. Rejects in a bare repository. */
  get root(): string {
    if (this.#workTreeRoot === undefined) throw fatal('this operation must be run in a work tree')
    return this.#workTreeRoot
  }

  /** What a remote's path is relative to. */
  get baseDirectory(): string {
    return this.#workTreeRoot ?? this.gitDir
  }

  config(): Config {
    return this.#config
  }

  /** The working directory relative to the root, '' for the root itself; otherwise with '/' at the end. */
  get prefix(): string {
    const root = this.#workTreeRoot
    const { cwd } = this.environment
    if (root === undefined || cwd === root) return ''
    const base = root === '/' ? '/' : `${root}/`
    return cwd.startsWith(base) ? `${cwd.slice(base.length)}/` : ''
  }

  /** Whether the working directory lies in the work tree. */
  get isInWorkTree(): boolean {
    const root = this.#workTreeRoot
    const { cwd } = this.environment
    if (root === undefined) return false
    return cwd === root || cwd.startsWith(root === '/' ? '/' : `${root}/`)
  }

  attributes(): Attributes {
    return (this.#attributes ??= new Attributes({
      files: this.files,
      workTree: this.#workTreeRoot,
      gitDir: this.commonDir,
      globalFile: this.#rooted(this.#globalFile('core.attributesfile', 'attributes')),
      indexed: path => this.#indexed(path),
    }))
  }

  async #indexed(path: string): Promise<Uint8Array | undefined> {
    const entry = (await this.readIndex()).get(path)
    return entry === undefined ? undefined : (await this.objects.read(entry.oid))?.bytes
  }

  get isSparse(): boolean {
    return this.#config.bool('core.sparsecheckout', false)
  }

  /** Whether a path stays out of a sparse work tree. */
  async outsideOfSparse(): Promise<(path: string) => boolean> {
    const sparse = this.isSparse ? await this.files.read(`${this.gitDir}/info/sparse-checkout`) : undefined
    return sparse === undefined ? () => false : outsideOf(sparse)
  }

  ignore(extra: readonly string[] = [], readsFiles: boolean = true, perDirectory?: string): WorkTreeIgnore {
    const globalFile = this.#globalFile('core.excludesfile', 'ignore')
    const skipped = this.isSparse ? (path: string) => this.#indexed(path) : undefined
    const { files, root: workTree, commonDir: gitDir } = this
    const ignoresCase = this.#config.bool('core.ignorecase', false)
    return new WorkTreeIgnore({ files, workTree, gitDir, globalFile, extra, readsFiles, perDirectory, skipped, ignoresCase })
  }

  #rooted(path: string | undefined): string | undefined {
    return path === undefined || path.startsWith('/') ? path : `${this.root}/${path}`
  }

  /** Absolute, or below the root of the work tree. */
  #globalFile(setting: string, name: string): string | undefined {
    const { env } = this.environment
    const configured = this.#config.get(setting)
    if (configured !== undefined) {
      const path = expandHome(configured, env['HOME'])
      return path === '' ? undefined : path
    }
    const home = env['XDG_CONFIG_HOME'] || (env['HOME'] === undefined ? undefined : `${env['HOME']}/.config`)
    return home === undefined || home === '' ? undefined : `${home}/git/${name}`
  }

  /** The cached state of the work tree; `undefined` if it must be read again. */
  async seenFiles(): Promise<SeenFiles | undefined> {
    const seen = await this.environment.cache.seen(this.files, this.root)
    seen?.under(`${this.#config.get('core.filemode')} ${this.#config.get('core.symlinks')}`)
    return seen
  }

  workTree(): Promise<WorkTree> {
    return (this.#workTree ??= this.#openWorkTree())
  }

  async #openWorkTree(): Promise<WorkTree> {
    const { root } = this
    const caps = await this.files.vfs.caps(root)
    const isExact = caps.mtime === 'exact' && caps.watch === 'exact'
    return new WorkTree({
      files: this.files,
      root,
      objects: this.objects,
      config: this.#config,
      attributes: this.attributes(),
      isExact,
    })
  }

  get indexPath(): string {
    const own = this.environment.env['GIT_INDEX_FILE']
    if (own === undefined || own === '') return `${this.gitDir}/index`
    return own.startsWith('/') ? own : `${this.environment.cwd}/${own}`
  }

  /** A copy that the caller may change. Empty when there is none. */
  async readIndex(): Promise<GitIndex> {
    const path = this.indexPath
    const stat = await this.files.stat(path)
    this.#indexRev = stat?.rev ?? 0
    if (stat === undefined || stat.sizeBytes === 0) return new GitIndex()
    const key = indexKey(stat)
    const known = this.environment.cache.index(path, key)
    if (known !== undefined) return known
    const bytes = await this.files.read(path)
    if (bytes === undefined) return new GitIndex()
    const index = parseIndex(bytes, stat.mtimeMs)
    this.environment.cache.keepIndex(path, key, index)
    return index
  }

  /**
   * Writes new objects, then all other changes in one batch; the index, if given, comes last, with the stats of the work tree's files at
   * that time. Refused if the index has changed since it was read.
   */
  async commit(changes: Changes, index?: GitIndex): Promise<void> {
    try {
      await this.objects.flush()
    } catch (error) {
      throw readableFailure(error, new Set([`${this.indexPath}.lock`]))
    }
    if (index !== undefined) {
      changes.lock(`${this.indexPath}.lock`)
      changes.expect(this.indexPath, this.#indexRev)
      changes.writeLate(this.indexPath, async () => {
        if (this.#workTreeRoot !== undefined) await (await this.workTree()).smudgeRacy(index)
        return encodeIndex(index)
      })
    }
    await changes.commit(this.files, this.environment.signal)
    if (index !== undefined) await this.#keepWritten(index)
    this.refs.refresh()
  }

  /** The next command need not read again what was just written. */
  async #keepWritten(index: GitIndex): Promise<void> {
    const stat = await this.files.stat(this.indexPath)
    this.#indexRev = stat?.rev ?? 0
    if (stat !== undefined) this.environment.cache.keepIndex(this.indexPath, indexKey(stat), index.copy(stat.mtimeMs))
  }

  /** Writes the trees of the index and returns the root's ID. Rejects if there are conflicts. */
  async writeTree(index: GitIndex): Promise<ObjectId> {
    const [conflict] = index.conflicts()
    if (conflict !== undefined) {
      const told = index.conflicts().map(path => `${path}: unmerged (${index.stages(path)?.find(Boolean)?.oid ?? ''})`)
      throw new GitFailure(`${told.join('\n')}\nfatal: git-write-tree: error building trees`, 128)
    }
    const entries: readonly IndexEntry[] = index.sorted()
    index.tree = await writeTrees(this.objects, entries, index.tree)
    return index.tree.oid ?? ''
  }

  /** Keeps a commit until `commit` writes it. */
  async writeCommit(commit: NewCommit): Promise<ObjectId> {
    const encoding = this.#config.get('i18n.commitencoding')
    if (encoding === undefined || /^utf-?8$/i.test(encoding))
      return this.objects.write('commit', encodeCommit({ ...commit, extra: [] }))
    // oxlint-disable-next-line no-control-regex
    if (commit.isEncoded !== true && /[^\0-\x7f]/.test(commit.message))
      throw fatal(`writing a message in ${encoding} again is not built into this git; unset i18n.commitEncoding`)
    return this.objects.write('commit', encodeCommit({ ...commit, extra: [{ key: 'encoding', value: encoding }] }))
  }

  /** The current branch with its full name, and its commit; no `branch` if detached, no `oid` before the first commit. */
  async head(): Promise<{ readonly branch: string | undefined; readonly oid: ObjectId | undefined }> {
    const value = await this.refs.read('HEAD')
    if (value === undefined) throw fatal('your HEAD is broken')
    if (value.kind === 'id') return { branch: undefined, oid: value.oid }
    const { name, oid } = await this.refs.resolve('HEAD')
    return { branch: name, oid }
  }

  /** The commit of `HEAD`. Rejects before the first one. */
  async bornHead(): Promise<ObjectId> {
    const { branch, oid } = await this.head()
    if (oid !== undefined) return oid
    throw fatal(`your current branch '${(branch ?? '').replace('refs/heads/', '')}' does not have any commits yet`)
  }

  /** The tree of a commit; the empty tree for `undefined`. */
  async treeOf(commit: ObjectId | undefined): Promise<ObjectId> {
    return commit === undefined ? emptyTreeId : (await this.objects.readCommit(commit)).tree
  }

  /** `isStrict`: rejects if no identity is configured; otherwise a default is used, as for the logs of references. */
  identity(role: 'author' | 'committer', isStrict: boolean = true): Promise<Person> {
    return identityOf(role, this.environment, this.#config, isStrict)
  }

  /** A file of the repository's own directory as text, without the line feed at its end. */
  async readState(name: string): Promise<string | undefined> {
    const bytes = await this.files.read(`${this.gitDir}/${name}`)
    return bytes === undefined ? undefined : decodeText(bytes).replace(/\n$/, '')
  }

  writeState(changes: Changes, name: string, text: string): void {
    changes.write(`${this.gitDir}/${name}`, encodeText(text))
  }

  /** Removes those of these files of the repository's own directory that exist. */
  async removeState(changes: Changes, ...names: readonly string[]): Promise<void> {
    for (const name of names) {
      const path = `${this.gitDir}/${name}`
      const stat = await this.files.lstat(path)
      if (stat?.kind === 'directory') changes.removeTree(path)
      else if (stat !== undefined) changes.remove(path)
    }
  }
}

export { Changes }
