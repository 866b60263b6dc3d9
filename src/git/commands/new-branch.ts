// The start and the upstream of a branch that is created or switched to.

import { fatal, GitFailure } from '../errors.ts'
import type { Options } from '../options.ts'
import { Changes, type Repository } from '../repository.ts'
import { mapped, parseRefSpec } from '../network/ref-spec.ts'
import { mergeBases } from '../revs/merge-base.ts'
import { findRef, needCommit, peel, previousBranch, resolveRevision } from '../revs/revision.ts'
import type { ObjectId } from '../store/object-format.ts'
import { checkedBranchName } from '../store/refs.ts'
import { checkedOutAt } from '../work/worktrees.ts'
import { AmbiguousUpstream, type Upstream, upstreamFor } from './upstream.ts'

export interface SwitchTarget {
  /** Full name of the branch; `undefined` detaches. */
  readonly branch: string | undefined
  readonly oid: ObjectId | undefined
  /** As the user wrote it, for the log. */
  readonly text: string
  readonly creates: 'no' | 'new' | 'reset'
  /** The reference that the new branch follows. */
  readonly upstream?: Upstream | undefined
  /** The start of the branch, as messages name it. */
  readonly start?: string
  readonly makesLog?: boolean
}

/** The target of `-` or a name; `undefined` if it is not a revision. */
export async function targetOf(repository: Repository, word: string, detaches: boolean): Promise<SwitchTarget | undefined> {
  const name =
    word === '-'
      ? await previousBranch(repository, 1)
      : /^@\{-(\d+)\}$/.test(word)
        ? await previousBranch(repository, Number(/\d+/.exec(word)?.[0]))
        : word
  if (name === undefined) return undefined
  const branch = `refs/heads/${name}`
  const ref = /^[^\s~^:?*[\\]+$/.test(name) ? await repository.refs.resolve(branch) : undefined
  if (ref?.oid !== undefined) return { branch: detaches ? undefined : branch, oid: ref.oid, text: name, creates: 'no' }
  const revision = await resolveRevision(repository, name)
  const oid = revision === undefined ? undefined : await peel(repository, revision.oid, 'commit')
  return oid === undefined ? undefined : { branch: undefined, oid, text: name, creates: 'no' }
}

/** The only remote-tracking branch with this name, from which a local one can be created. */
export async function remoteBranch(repository: Repository, name: string): Promise<string | undefined> {
  const config = repository.config()
  const usual = config.get('checkout.defaultremote')
  const found: string[] = []
  for (const remote of config.subsections('remote')) {
    // Where each remote keeps its branches is configured.
    for (const spec of config.all(`remote.${remote}.fetch`)) {
      const kept = mapped(parseRefSpec(spec), `refs/heads/${name}`)
      const ref = kept === undefined ? undefined : await findRef(repository, kept)
      if (ref === undefined) continue
      if (remote === usual) return ref.name
      found.push(ref.name)
    }
  }
  if (found.length < 2) return found[0]
  throw fatal(
    `'${name}' matched multiple (${found.length}) remote tracking branches\nhint: If you meant to check out a remote tracking branch on, e.g. 'origin',\n` +
      'hint: you can do so by fully qualifying the name with the --track option:\nhint: \nhint:     git checkout --track origin/<name>\nhint: \n' +
      "hint: If you'd like to always have checkouts of an ambiguous <name> prefer\nhint: one remote, e.g. the 'origin' remote, consider setting\n" +
      'hint: checkout.defaultRemote=origin in your config.',
  )
}

export async function newBranchTarget(
  repository: Repository,
  name: string,
  start: string | undefined,
  creates: 'new' | 'reset',
  track: string | undefined,
): Promise<SwitchTarget> {
  const branch = checkedBranchName(name)
  const exists = (await repository.refs.idOf(branch)) !== undefined
  if (creates === 'new' && exists) throw fatal(`a branch named '${name}' already exists`)
  const startText = start ?? 'HEAD'
  const head = await repository.head()
  if (start === undefined && head.oid === undefined)
    return { branch, oid: undefined, text: name, creates: exists ? 'reset' : 'new' }
  const oid = await startCommit(
    repository,
    startText,
    start === undefined
      ? `your current branch does not have any commits yet`
      : `'${startText}' is not a commit and a branch '${name}' cannot be created from it`,
  )
  const ref = start === undefined ? head.branch : (await findRef(repository, start))?.name
  const real = ref === undefined ? undefined : (await repository.refs.resolve(ref)).name
  const upstream = await upstreamOrBranch(repository, { name, start: startText, ref: real, track }, oid)
  return {
    branch,
    oid,
    text: name,
    creates: exists ? 'reset' : 'new',
    start: startText,
    ...(upstream === undefined ? {} : { upstream }),
  }
}

/** The upstream of a new branch. Where it is ambiguous the branch is made before the command fails. */
async function upstreamOrBranch(
  repository: Repository,
  wanted: Parameters<typeof upstreamFor>[1],
  oid: ObjectId,
): Promise<Upstream | undefined> {
  try {
    return upstreamFor(repository, wanted)
  } catch (error) {
    const branch = checkedBranchName(wanted.name)
    if (!(error instanceof AmbiguousUpstream) || (await checkedOutAt(repository, branch)) !== undefined) throw error
    const changes = new Changes()
    await repository.refs.update(changes, { name: branch, oid, message: `branch: Created from ${wanted.start}` })
    await repository.commit(changes)
    throw error
  }
}

/** The commit that a branch starts at: a revision, or `a...b` for the only merge base. */
export async function startCommit(repository: Repository, text: string, message: string): Promise<ObjectId> {
  const [, left, right] = /^(.*?)\.\.\.(.*)$/.exec(text) ?? []
  if (left === undefined || right === undefined) return needCommit(repository, text, message)
  const one = await needCommit(repository, left || 'HEAD', message)
  const bases = await mergeBases(repository, one, [await needCommit(repository, right || 'HEAD', message)])
  const [base, ...more] = bases
  if (base === undefined || more.length > 0) throw fatal(message)
  return base
}

/** What a branch was set up to follow, in git's words. */
export function tellUpstream(branch: string, { remote, merges }: Upstream, isRebased: boolean): string {
  const names = merges.map(merge => `'${remote === '.' ? '' : `${remote}/`}${merge.replace('refs/heads/', '')}'`)
  const how = isRebased ? ' by rebasing' : ''
  if (names.length === 1) return `branch '${branch}' set up to track ${names[0] ?? ''}${how}.`
  return `branch '${branch}' set up to track${how}:\n${names.map(name => `  ${name.slice(1, -1)}`).join('\n')}`
}

/** `--track`: `direct`, `inherit` or `no`. */
export function trackMode(options: Options): string | undefined {
  if (options.isNegated('track')) return 'no'
  if (!options.has('track')) return undefined
  const mode = options.value('track') ?? 'direct'
  if (mode !== 'direct' && mode !== 'inherit') throw new GitFailure('error: option `track\' expects "direct" or "inherit"', 129)
  return mode
}
