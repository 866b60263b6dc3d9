// The grammar of revisions (gitrevisions(7)): a name, then any number of `^`, `~`, `@{…}`, `^{…}`, and `:path`.

import { formatDate } from './date.ts'
import { fatal, GitFailure } from '../errors.ts'
import { mapped, parseRefSpec } from '../network/ref-spec.ts'
import { isObjectId, modes, type ObjectId, type ObjectType } from '../store/object-format.ts'
import type { Repository } from '../repository.ts'
import { parentsOf } from './parents.ts'
import { CommitQueue } from './commit-queue.ts'

export interface Revision {
  readonly oid: ObjectId
  /** Of `rev:path` and `:path`. */
  readonly path?: string
  readonly mode?: number
}

/** Where to look for a short name; the first match wins. */
const refPlaces = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'] as const

export interface NamedRef {
  readonly name: string
  readonly oid: ObjectId
}

/** The full name of a reference from what a person writes; `undefined` if there is none. */
export async function findRef(repository: Repository, name: string): Promise<NamedRef | undefined> {
  for await (const ref of refsNamed(repository, name)) return ref
  return undefined
}

/** All references that `name` may mean, in the order of preference. */
export async function* refsNamed(repository: Repository, name: string): AsyncGenerator<NamedRef> {
  if (name === '@') name = 'HEAD'
  for (const full of [...refPlaces.map(place => place + name), `refs/remotes/${name}/HEAD`]) {
    if (full === name && !/^(refs\/.|[A-Z_]+$)/.test(name)) continue
    if (!isPlausibleRef(full)) continue
    const value = await repository.refs.read(full)
    if (value === undefined) continue
    const oid = value.kind === 'id' ? value.oid : await repository.refs.idOf(full)
    if (oid !== undefined) yield { name: full, oid }
  }
}

function isPlausibleRef(name: string): boolean {
  // oxlint-disable-next-line no-control-regex
  return name !== '' && !/[\0-\x20~^:?*[\\\x7f]|\.\.|@\{|\/\/|\/$|^\//.test(name)
}

/** `undefined` if nothing has this name. Rejects if git has a better explanation: a path that a revision does not contain. */
export async function resolveRevision(repository: Repository, text: string): Promise<Revision | undefined> {
  // Alone it is a path: the root.
  if (text === ':/') return undefined
  if (text.startsWith(':/')) {
    const oid = await findByMessage(repository, text.slice(2), undefined)
    return oid === undefined ? undefined : { oid }
  }
  const colon = colonOf(text)
  if (colon !== -1)
    return colon === 0 ? inIndex(repository, text.slice(1)) : inTree(repository, text.slice(0, colon), text.slice(colon + 1))
  const oid = await resolveName(repository, text)
  return oid === undefined ? undefined : { oid }
}

/** The first `:` outside of braces. */
function colonOf(text: string): number {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const character = text[at]
    if (character === '{') depth++
    else if (character === '}' && depth > 0) depth--
    else if (character === ':' && depth === 0) return at
  }
  return -1
}

async function inIndex(repository: Repository, rest: string): Promise<Revision | undefined> {
  const [, stageText, named] = /^([0-3]):(.*)$/s.exec(rest) ?? []
  const stage = Number(stageText ?? 0)
  const path = fromRoot(repository, named ?? rest)
  const index = await repository.readIndex()
  const entry = stage === 0 ? index.get(path) : index.stages(path)?.[stage - 1]
  if (entry !== undefined) return { oid: entry.oid, path, mode: entry.mode }
  if (index.has(path)) {
    const stages = [index.get(path), ...(index.stages(path) ?? [])]
    const other = stages.findIndex(Boolean)
    throw fatal(`path '${path}' is in the index, but not at stage ${stage}\nhint: Did you mean ':${other}:${path}'?`)
  }
  const exists = repository.isBare ? undefined : await repository.files.lstat(`${repository.root}/${path}`)
  throw fatal(
    exists === undefined
      ? `path '${path}' does not exist (neither on disk nor in the index)`
      : `path '${path}' exists on disk, but not in the index`,
  )
}

/** `./x` and `../x` are relative to the working directory. */
function fromRoot(repository: Repository, path: string): string {
  if (!/^\.\.?\//.test(path) && path !== '.' && path !== '..') return path
  const kept: string[] = []
  for (const name of (repository.prefix + path).split('/')) {
    if (name === '..') {
      if (kept.pop() === undefined) throw fatal(`'${path}' is outside repository at '${repository.root}'`)
    } else if (name !== '' && name !== '.') kept.push(name)
  }
  return kept.join('/')
}

async function inTree(repository: Repository, revision: string, given: string): Promise<Revision | undefined> {
  const base = await resolveName(repository, revision)
  if (base === undefined) throw fatal(`invalid object name '${revision}'.`)
  const path = fromRoot(repository, given)
  const root = await peel(repository, base, 'tree')
  if (root === undefined) return undefined
  const found = await findInTree(repository, root, path)
  if (found !== undefined) return { ...found, path }
  const full = `${repository.isBare ? '' : repository.prefix}${path}`
  if (full !== path && !repository.isBare && (await findInTree(repository, root, full)) !== undefined) {
    throw fatal(`path '${full}' exists, but not '${path}'\nhint: Did you mean '${revision}:${full}' aka '${revision}:./${path}'?`)
  }
  const exists = repository.isBare ? undefined : await repository.files.lstat(`${repository.root}/${path}`)
  throw fatal(
    exists === undefined
      ? `path '${path}' does not exist in '${revision}'`
      : `path '${path}' exists on disk, but not in '${revision}'`,
  )
}

/** The entry at `path` in a tree; '' is the tree itself. */
export async function findInTree(
  repository: Repository,
  tree: ObjectId,
  path: string,
): Promise<{ readonly oid: ObjectId; readonly mode: number } | undefined> {
  let at = { oid: tree, mode: modes.tree as number }
  for (const name of path.split('/')) {
    if (name === '') continue
    if (at.mode !== modes.tree) return undefined
    const entry = (await repository.objects.readTree(at.oid)).find(candidate => candidate.name === name)
    if (entry === undefined) return undefined
    at = entry
  }
  return at
}

async function resolveName(repository: Repository, text: string): Promise<ObjectId | undefined> {
  const peeled = /^(.*)\^\{([^}]*)\}$/s.exec(text)
  if (peeled !== null) return resolvePeeled(repository, peeled[1] ?? '', peeled[2] ?? '')
  const relative = /^(.+?)?([~^])(\d*)$/s.exec(text)
  if (relative !== null) {
    const base = relative[1]
    if (base === undefined) return undefined
    const count = relative[3] === '' ? 1 : Number(relative[3])
    return relative[2] === '~' ? ancestor(repository, base, count) : parent(repository, base, count)
  }
  return resolveBasic(repository, text)
}

async function commitOf(repository: Repository, text: string): Promise<ObjectId | undefined> {
  const oid = await resolveName(repository, text)
  return oid === undefined ? undefined : peel(repository, oid, 'commit')
}

async function ancestor(repository: Repository, base: string, count: number): Promise<ObjectId | undefined> {
  let at = await commitOf(repository, base)
  for (let step = 0; step < count && at !== undefined; step++) at = (await parentsOf(repository, at))[0]
  return at
}

async function parent(repository: Repository, base: string, number: number): Promise<ObjectId | undefined> {
  const at = await commitOf(repository, base)
  if (at === undefined || number === 0) return at
  return (await parentsOf(repository, at))[number - 1]
}

async function resolvePeeled(repository: Repository, base: string, kind: string): Promise<ObjectId | undefined> {
  const oid = await resolveName(repository, base)
  if (oid === undefined) return undefined
  if (kind.startsWith('/')) {
    const start = await peel(repository, oid, 'commit')
    return start === undefined ? undefined : findByMessage(repository, kind.slice(1), start)
  }
  if (kind === '') return peelTags(repository, oid)
  if (kind === 'object') return oid
  return kind === 'commit' || kind === 'tree' || kind === 'blob' || kind === 'tag' ? peel(repository, oid, kind) : undefined
}

async function peelTags(repository: Repository, oid: ObjectId): Promise<ObjectId | undefined> {
  let at = oid
  for (let depth = 0; depth < 100; depth++) {
    const object = await repository.objects.read(at)
    if (object === undefined) return undefined
    if (object.type !== 'tag') return at
    at = (await repository.objects.readTag(at)).object
  }
  return undefined
}

/** Follows tags, and from a commit to its tree, until it reaches an object of this type; `undefined` if there is none. */
export async function peel(repository: Repository, oid: ObjectId, type: ObjectType): Promise<ObjectId | undefined> {
  let at = oid
  for (let depth = 0; depth < 100; depth++) {
    const object = await repository.objects.read(at)
    if (object === undefined) return undefined
    if (object.type === type) return at
    if (object.type === 'tag') at = (await repository.objects.readTag(at)).object
    else if (object.type === 'commit' && type === 'tree') at = (await repository.objects.readCommit(at)).tree
    else return undefined
  }
  return undefined
}

async function resolveBasic(repository: Repository, text: string): Promise<ObjectId | undefined> {
  if (isObjectId(text.toLowerCase()) && text.length === 40) return text.toLowerCase()
  const logged = /^(.*)@\{([^}]*)\}$/s.exec(text)
  if (logged !== null) return resolveLogged(repository, logged[1] ?? '', logged[2] ?? '')
  const ref = await findRef(repository, text)
  if (ref !== undefined) return ref.oid
  const described = /-g([0-9a-f]{4,40})$/.exec(text)?.[1]
  if (described !== undefined) {
    const found = (await expandId(repository, described)).found
    if (found !== undefined) return found
  }
  return /^[0-9a-fA-F]{4,40}$/.test(text) ? (await expandId(repository, text.toLowerCase())).found : undefined
}

/** The only object whose ID starts with `prefix`; among several, the one that is a commit or a tag of one. */
export async function expandId(
  repository: Repository,
  prefix: string,
): Promise<{ readonly found: ObjectId | undefined; readonly candidates: readonly ObjectId[] }> {
  const candidates = await repository.objects.expand(prefix)
  if (candidates.length <= 1) return { found: candidates[0], candidates }
  const commits: ObjectId[] = []
  for (const oid of candidates) if ((await peel(repository, oid, 'commit')) !== undefined) commits.push(oid)
  return { found: commits.length === 1 ? commits[0] : undefined, candidates }
}

async function resolveLogged(repository: Repository, base: string, inside: string): Promise<ObjectId | undefined> {
  const name = await loggedName(repository, base, inside)
  if (name.kind === 'ref') return repository.refs.idOf(name.name)
  if (name.kind === 'none') return undefined
  const log = await repository.refs.readLog(name.name)
  const shown = base === '' ? name.name : base
  if (/^\d+$/.test(inside)) {
    const number = Number(inside)
    // A log that was emptied is known to begin with the present value; without a log nothing is known.
    if (log.length === 0 && number === 0 && (await repository.refs.hasLog(name.name))) return repository.refs.idOf(name.name)
    if (log.length === 0) throw fatal(`log for ${name.name} is empty`)
    const entry = log[log.length - 1 - number]
    if (entry !== undefined) return entry.after
    // One more than the number of entries: the value before the oldest entry.
    if (number === log.length && log[0] !== undefined && !/^0+$/.test(log[0].before)) return log[0].before
    throw fatal(`log for '${shown.replace(/^refs\/heads\//, '')}' only has ${log.length} entries`)
  }
  const { approximateDate } = await import('./read-date.ts')
  const now = Math.floor(repository.environment.clock() / 1000)
  const time = approximateDate(inside, now)
  const entry = log.findLast(candidate => candidate.who.time <= time)
  const [oldest] = log
  if (oldest === undefined && (await repository.refs.hasLog(name.name))) throw fatal(`log for ${name.name} is empty`)
  if (entry === undefined && oldest !== undefined) {
    const since = formatDate(oldest.who, 'rfc2822', now) ?? ''
    await repository.environment.warn?.(`log for '${shown.replace(/^refs\/heads\//, '')}' only goes back to ${since}`)
  }
  return entry?.after ?? oldest?.after
}

type LoggedName = { readonly kind: 'ref' | 'log'; readonly name: string } | { readonly kind: 'none' }

async function loggedName(repository: Repository, base: string, inside: string): Promise<LoggedName> {
  const previous = /^-(\d+)$/.exec(inside)?.[1]
  if (previous !== undefined) {
    if (base !== '') return { kind: 'none' }
    const name = await previousBranch(repository, Number(previous))
    if (name === undefined) return { kind: 'none' }
    return { kind: 'ref', name: isObjectId(name) ? name : ((await findRef(repository, name))?.name ?? name) }
  }
  if (/^(u|upstream|push)$/i.test(inside)) {
    const branch = base === '' || base === '@' || base === 'HEAD' ? (await repository.head()).branch : `refs/heads/${base}`
    if (branch === undefined) throw fatal('HEAD does not point to a branch')
    const target = upstreamOf(repository, branch)
    if (target === undefined) throw fatal(`no upstream configured for branch '${branch.replace('refs/heads/', '')}'`)
    return { kind: 'ref', name: target }
  }
  if (base === '') return { kind: 'log', name: (await repository.head()).branch ?? 'HEAD' }
  const found = await findRef(repository, base)
  return found === undefined ? { kind: 'none' } : { kind: 'log', name: found.name }
}

/** The branch or commit that was checked out before: 1 for `@{-1}`. */
export async function previousBranch(repository: Repository, number: number): Promise<string | undefined> {
  const moves = (await repository.refs.readLog('HEAD')).filter(({ message }) => message.startsWith('checkout: moving from '))
  const message = moves[moves.length - number]?.message
  return message === undefined ? undefined : /^checkout: moving from (.*) to /.exec(message)?.[1]
}

/** The full name of the reference that follows a branch's upstream; `undefined` when none is configured. */
export function upstreamOf(repository: Repository, branch: string): string | undefined {
  const short = branch.replace(/^refs\/heads\//, '')
  const config = repository.config()
  const remote = config.get(`branch.${short}.remote`)
  const merge = config.get(`branch.${short}.merge`)
  if (remote === undefined || merge === undefined) return undefined
  if (remote === '.') return merge
  for (const spec of config.all(`remote.${remote}.fetch`)) {
    const to = mapped(parseRefSpec(spec), merge)
    if (to !== undefined) return to
  }
  return undefined
}

/** The newest commit whose message matches; among all references, or from one commit. */
async function findByMessage(repository: Repository, text: string, start: ObjectId | undefined): Promise<ObjectId | undefined> {
  const isNegated = text.startsWith('!-')
  const pattern = isNegated ? text.slice(2) : text.startsWith('!!') ? text.slice(1) : text
  const { posixPattern } = await import('./posix-pattern.ts')
  let matcher: RegExp
  try {
    matcher = posixPattern(pattern, 'extended', 'm')
  } catch {
    // Git takes the word for a path then.
    return undefined
  }
  const queue = new CommitQueue()
  const seen = new Set<ObjectId>()
  const add = async (oid: ObjectId | undefined): Promise<void> => {
    if (oid === undefined || seen.has(oid)) return
    seen.add(oid)
    queue.push(oid, (await repository.objects.readCommit(oid)).committer.time)
  }
  if (start === undefined) {
    const head = await repository.refs.idOf('HEAD')
    if (head !== undefined) await add(head)
    for (const { oid } of await repository.refs.list()) await add(await peel(repository, oid, 'commit'))
  } else await add(start)
  for (let oid = queue.pop(); oid !== undefined; oid = queue.pop()) {
    if (matcher.test((await repository.objects.readCommit(oid)).message) !== isNegated) return oid
    for (const next of await parentsOf(repository, oid)) await add(next)
  }
  return undefined
}

/** The message for a word that is neither a revision nor a path. */
export function ambiguousArgument(word: string): GitFailure {
  return fatal(
    `ambiguous argument '${word}': unknown revision or path not in the working tree.\n` +
      `Use '--' to separate paths from revisions, like this:\n'git <command> [<revision>...] -- [<file>...]'`,
  )
}

/** The commit that `text` names. Rejects with `message` if there is none. */
export async function needCommit(
  repository: Repository,
  text: string,
  message: string = `bad revision '${text}'`,
): Promise<ObjectId> {
  const revision = await resolveRevision(repository, text)
  const oid = revision === undefined ? undefined : await peel(repository, revision.oid, 'commit')
  if (oid === undefined) throw fatal(message)
  return oid
}

/** The tree that `text` names. */
export async function needTree(
  repository: Repository,
  text: string,
  message: string = `not a tree object: ${text}`,
): Promise<ObjectId> {
  const revision = await resolveRevision(repository, text)
  const oid = revision === undefined ? undefined : await peel(repository, revision.oid, 'tree')
  if (oid === undefined) throw fatal(message)
  return oid
}
