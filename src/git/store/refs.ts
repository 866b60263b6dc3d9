// References: loose files, `packed-refs`, symbolic ones, and their logs. Changes are collected as file operations (changes.ts), so that
// references change in the same commit of files as the work tree.

import { decodeText, encodeText } from '../../shell/byte-text.ts'
import type { Changes } from '../changes.ts'
import { fatal } from '../errors.ts'
import type { GitFiles } from '../files.ts'
import { compareText, encodePerson, isObjectId, type ObjectId, parsePerson, type Person, zeroId } from './object-format.ts'

export type RefValue = { readonly kind: 'id'; readonly oid: ObjectId } | { readonly kind: 'symbolic'; readonly target: string }

export interface Ref {
  readonly name: string
  readonly oid: ObjectId
}

export interface ReflogEntry {
  readonly before: ObjectId
  readonly after: ObjectId
  readonly who: Person
  readonly message: string
}

export interface RefUpdate {
  /** Full name. A symbolic reference is followed, and both get a log entry. */
  readonly name: string
  /** `undefined` deletes the reference. */
  readonly oid: ObjectId | undefined
  /** Its required current value; `zeroId` for missing. */
  readonly expected?: ObjectId
  /** The message in the log. */
  readonly message: string
  /** Changes the symbolic reference itself. */
  readonly noDeref?: boolean
  /** Creates a log even if the configuration does not ask for one. */
  readonly makesLog?: boolean
}

interface PackedRefs {
  readonly refs: ReadonlyMap<string, ObjectId>
  readonly peeled: ReadonlyMap<string, ObjectId>
}

const maxSymbolicDepth = 5

export interface RefStoreOptions {
  readonly files: GitFiles
  readonly gitDir: string
  readonly commonDir: string
  /** Whether new logs are made: `core.logAllRefUpdates`. */
  readonly logsAll: () => Promise<boolean | 'always'>
  readonly who: () => Promise<Person>
}

export class RefStore {
  readonly #files: GitFiles
  readonly #options: RefStoreOptions
  #packed: PackedRefs | undefined

  constructor(options: RefStoreOptions) {
    this.#files = options.files
    this.#options = options
  }

  /** Drops the cache: another command may have changed the files. */
  refresh(): void {
    this.#packed = undefined
  }

  pathOf(name: string): string {
    return `${this.#directoryOf(name)}/${name}`
  }

  #directoryOf(name: string): string {
    const isShared = name.startsWith('refs/') && !/^refs\/(bisect|worktree|rewritten)\//.test(name)
    return isShared ? this.#options.commonDir : this.#options.gitDir
  }

  /** Its content, without following it. */
  async read(name: string): Promise<RefValue | undefined> {
    const path = this.pathOf(name)
    const bytes = await this.#files.read(path)
    if (bytes !== undefined) {
      const text = decodeText(bytes)
      if (text.startsWith('ref:')) return { kind: 'symbolic', target: text.slice(4).trim() }
      const oid = text.slice(0, 40).toLowerCase()
      if (!isObjectId(oid) || !/^\s?/.test(text.slice(40))) throw fatal(`your ${name} is broken`)
      return { kind: 'id', oid }
    }
    const link = await this.#linkTarget(path)
    if (link !== undefined) return { kind: 'symbolic', target: link }
    const oid = (await this.#packedRefs()).refs.get(name)
    return oid === undefined ? undefined : { kind: 'id', oid }
  }

  /** `HEAD` used to be a symlink. */
  async #linkTarget(path: string): Promise<string | undefined> {
    const stat = await this.#files.lstat(path)
    return stat?.kind === 'symlink' ? this.#files.readlink(path) : undefined
  }

  /** Follows symbolic references. `name` is the last one, even if it does not exist. */
  async resolve(name: string): Promise<{ readonly name: string; readonly oid: ObjectId | undefined }> {
    let at = name
    for (let depth = 0; depth <= maxSymbolicDepth; depth++) {
      const value = await this.read(at)
      if (value === undefined) return { name: at, oid: undefined }
      if (value.kind === 'id') return { name: at, oid: value.oid }
      at = value.target
    }
    return { name: at, oid: undefined }
  }

  async idOf(name: string): Promise<ObjectId | undefined> {
    return (await this.resolve(name)).oid
  }

  /** All references whose full name begins with `prefix`, by name. Broken ones are left out. */
  async list(prefix: string = 'refs/'): Promise<readonly Ref[]> {
    const names = new Set<string>()
    for (const name of (await this.#packedRefs()).refs.keys()) if (name.startsWith(prefix)) names.add(name)
    const { commonDir, gitDir } = this.#options
    await this.#listLoose(commonDir, 'refs', prefix, names)
    if (gitDir !== commonDir) await this.#listLoose(gitDir, 'refs', prefix, names)
    const found: Ref[] = []
    for (const name of [...names].sort(compareText)) {
      const oid = await this.idOf(name).catch(() => undefined)
      if (oid !== undefined) found.push({ name, oid })
    }
    return found
  }

  async #listLoose(root: string, directory: string, prefix: string, names: Set<string>): Promise<void> {
    for (const { name, kind } of await this.#files.list(`${root}/${directory}`)) {
      const path = `${directory}/${name}`
      if (kind === 'directory') {
        if (path.startsWith(prefix) || prefix.startsWith(`${path}/`)) await this.#listLoose(root, path, prefix, names)
      } else if (path.startsWith(prefix) && !name.endsWith('.lock') && this.#directoryOf(path) === root) names.add(path)
    }
  }

  async #packedRefs(): Promise<PackedRefs> {
    if (this.#packed !== undefined) return this.#packed
    const bytes = await this.#files.read(`${this.#options.commonDir}/packed-refs`)
    const refs = new Map<string, ObjectId>()
    const peeled = new Map<string, ObjectId>()
    let last = ''
    for (const line of bytes === undefined ? [] : decodeText(bytes).split('\n')) {
      if (line.startsWith('^')) peeled.set(last, line.slice(1, 41))
      const [, oid, name] = /^([0-9a-f]{40}) (.+)$/.exec(line) ?? []
      if (oid === undefined || name === undefined) continue
      refs.set(name, oid)
      last = name
    }
    return (this.#packed = { refs, peeled })
  }

  /** Adds an update to `changes`. Rejects if the current value is not the expected one, or another name is in the way. */
  async update(changes: Changes, update: RefUpdate): Promise<void> {
    const { name, oid, expected, message, noDeref = false, makesLog = false } = update
    const target = noDeref ? name : (await this.resolve(name)).name
    const before = noDeref ? await this.#ownId(name) : await this.idOf(target)
    if (expected !== undefined && expected !== (before ?? zeroId)) {
      const told = before === undefined ? 'unable to resolve reference' : `is at ${before} but expected ${expected}`
      throw fatal(`cannot lock ref '${target}': ${told}`)
    }
    await this.#checkLock(changes, target)
    const isDetaching = noDeref && (await this.read(name))?.kind === 'symbolic'
    if (oid === undefined) await this.#delete(changes, target)
    // A branch that does not change has nothing to log, but a symbolic reference to it logs the update.
    else if (before !== oid || isDetaching) {
      if (before === undefined) await this.#checkName(changes, target)
      changes.write(this.pathOf(target), encodeText(`${oid}\n`))
      await this.#log(changes, target, before ?? zeroId, oid, message, makesLog)
    }
    if (name !== target) await this.#log(changes, name, before ?? zeroId, oid ?? zeroId, message)
    // `HEAD` logs an update of its branch, whatever name was used for the branch.
    else if (name !== 'HEAD' && oid !== undefined) {
      const head = await this.read('HEAD')
      if (head?.kind === 'symbolic' && head.target === name) await this.#log(changes, 'HEAD', before ?? zeroId, oid, message)
    }
  }

  async #ownId(name: string): Promise<ObjectId | undefined> {
    const value = await this.read(name)
    return value?.kind === 'symbolic' ? this.idOf(value.target) : value?.oid
  }

  /** Points a symbolic reference, for example `HEAD`, at another name. With `message`, logs it. */
  async setSymbolic(changes: Changes, name: string, target: string, message?: string): Promise<void> {
    await this.#checkLock(changes, name)
    const before = (await this.idOf(name)) ?? zeroId
    changes.write(this.pathOf(name), encodeText(`ref: ${target}\n`))
    const after = await this.idOf(target)
    if (message !== undefined && (after !== undefined || message !== ''))
      await this.#log(changes, name, before, after ?? before, message)
  }

  /** Adds an entry to the log of `name`, if it has a log or is of a kind that has one. */
  async log(changes: Changes, name: string, before: ObjectId, after: ObjectId, message: string): Promise<void> {
    await this.#log(changes, name, before, after, message)
  }

  async detach(changes: Changes, oid: ObjectId, message: string): Promise<void> {
    await this.update(changes, { name: 'HEAD', oid, message, noDeref: true })
  }

  async #delete(changes: Changes, name: string): Promise<void> {
    const bytes = await this.#files.read(this.pathOf(name))
    if (bytes !== undefined) changes.remove(this.pathOf(name))
    const { refs, peeled } = await this.#packedRefs()
    if (refs.has(name)) {
      const path = `${this.#options.commonDir}/packed-refs`
      const removed = changes.removedPackedRefs
      removed.add(name)
      const lines = ['# pack-refs with: peeled fully-peeled sorted ']
      for (const [own, oid] of refs) {
        if (removed.has(own)) continue
        lines.push(`${oid} ${own}`)
        const commit = peeled.get(own)
        if (commit !== undefined) lines.push(`^${commit}`)
      }
      changes.write(path, encodeText(`${lines.join('\n')}\n`))
    }
    if (name !== 'HEAD') {
      const log = this.#logPath(name)
      if ((await this.#files.lstat(log)) !== undefined) changes.remove(log)
    }
  }

  /** `a` and `a/b` cannot both exist: one is a file and the other needs a directory of that name. */
  async #checkName(changes: Changes, name: string): Promise<void> {
    if (!name.startsWith('refs/')) return
    const parts = name.split('/')
    for (let length = 3; length < parts.length; length++) {
      const above = parts.slice(0, length).join('/')
      if (changes.isRemoved(this.pathOf(above))) continue
      if ((await this.read(above)) !== undefined) {
        throw fatal(`cannot lock ref '${name}': '${above}' exists; cannot create '${name}'`)
      }
    }
    const below = (await this.list(`${name}/`)).find(ref => !changes.isRemoved(this.pathOf(ref.name)))
    if (below !== undefined) throw fatal(`cannot lock ref '${name}': '${below.name}' exists; cannot create '${name}'`)
    if (await this.#files.isDirectory(this.pathOf(name))) changes.removeDirectory(this.pathOf(name))
  }

  async #checkLock(changes: Changes, name: string): Promise<void> {
    changes.lock(`${this.pathOf(name)}.lock`)
    await Promise.resolve()
  }

  #logPath(name: string): string {
    return `${this.#directoryOf(name)}/logs/${name}`
  }

  async #log(
    changes: Changes,
    name: string,
    before: ObjectId,
    after: ObjectId,
    message: string,
    makesLog: boolean = false,
  ): Promise<void> {
    const path = this.#logPath(name)
    const exists = await this.#files.isFile(path)
    const logsAll = await this.#options.logsAll()
    const isKept = name === 'HEAD' || /^refs\/(heads|remotes|notes)\//.test(name)
    if (!exists && !makesLog && logsAll !== 'always' && !(logsAll && isKept)) return
    if (!exists && (await this.#files.isDirectory(path))) changes.removeDirectory(path)
    const who = encodePerson(await this.#options.who())
    const text = message.trim().replaceAll(/\s+/g, ' ')
    changes.append(path, encodeText(`${before} ${after} ${who}${text === '' ? '' : `\t${text}`}\n`))
  }

  /** A log in another place cannot be moved with it. */
  async isLogLinked(name: string): Promise<boolean> {
    return (await this.#files.lstat(this.#logPath(name)))?.kind === 'symlink'
  }

  async hasLog(name: string): Promise<boolean> {
    return this.#files.isFile(this.#logPath(name))
  }

  /** Oldest first. */
  async readLog(name: string): Promise<readonly ReflogEntry[]> {
    const bytes = await this.#files.read(this.#logPath(name))
    const entries: ReflogEntry[] = []
    for (const line of bytes === undefined ? [] : decodeText(bytes).split('\n')) {
      const [, before, after, who = '', message = ''] = /^([0-9a-f]{40}) ([0-9a-f]{40}) ([^\t]*)(?:\t(.*))?$/.exec(line) ?? []
      if (before === undefined || after === undefined) continue
      entries.push({ before, after, who: parsePerson(who), message })
    }
    return entries
  }

  /** Replaces the log of `name`, as `reflog delete` and `stash drop` do. */
  writeLog(changes: Changes, name: string, entries: readonly ReflogEntry[]): void {
    const lines = entries.map(
      ({ before, after, who, message }) => `${before} ${after} ${encodePerson(who)}${message === '' ? '' : `\t${message}`}\n`,
    )
    changes.write(this.#logPath(name), encodeText(lines.join('')))
  }
}

/** Why `name` cannot be a reference; `undefined` if it can. `isWhole`: it must begin with `refs/` or be like `HEAD`. */
export function isValidRefName(name: string): boolean {
  // oxlint-disable-next-line no-control-regex
  if (name === '' || name === '@' || /[\0-\x20\x7f~^:?*[\\]|\.\.|@\{|\/\/|\.$|^\/|\/$/.test(name)) return false
  return name.split('/').every(part => part !== '' && !part.startsWith('.') && !part.endsWith('.lock'))
}

export function checkedBranchName(name: string): string {
  if (name.startsWith('-') || name === 'HEAD' || !isValidRefName(`refs/heads/${name}`))
    throw fatal(`'${name}' is not a valid branch name`)
  return `refs/heads/${name}`
}

/** The short form of a full name: `main`, `origin/main`, `v1`. */
export function shortRefName(name: string): string {
  return name.replace(/^refs\/(?:heads|tags|remotes)\//, '').replace(/^refs\//, '')
}
