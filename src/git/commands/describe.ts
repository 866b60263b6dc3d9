// `git describe` and `git shortlog`.

import { subjectOf } from '../revs/subject.ts'
import { compileWildcard, matchesWildcard } from '../../search/wildmatch.ts'
import { encodeText } from '../../shell/byte-text.ts'
import type { GitCall } from '../call.ts'
import { fatal } from '../errors.ts'
import type { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import { CommitQueue } from '../revs/commit-queue.ts'
import { parentsOf } from '../revs/parents.ts'
import { Decorations } from '../revs/decorations.ts'
import { Mailmap } from '../revs/mailmap.ts'
import { Pretty } from '../revs/pretty.ts'
import { needCommit, peel } from '../revs/revision.ts'
import { readRevisions } from '../revs/revision-arguments.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { compareText, type ObjectId } from '../store/object-format.ts'
import { diffIndexToTree, diffWorkTree } from '../work/status.ts'
import type { GitCommand } from './command.ts'
import { limitedWalk, revisionOptionRows } from './revision-options.ts'

export const describeCommand: GitCommand = {
  name: 'describe',
  summary: 'Give an object a human readable name based on an available ref',
  options: {
    rows: [
      { names: ['all'] },
      { names: ['tags'] },
      { names: ['long'] },
      { names: ['first-parent'] },
      { names: ['abbrev'], argument: { name: 'n', isOptional: true } },
      { names: ['exact-match'] },
      { names: ['candidates'], argument: { name: 'n' } },
      { names: ['match'], argument: { name: 'pattern' } },
      { names: ['exclude'], argument: { name: 'pattern' } },
      { names: ['always'] },
      { names: ['dirty'], argument: { name: 'mark', isOptional: true } },
      { names: ['contains'], refuses: 'naming by what contains it is not built into this git' },
      { names: ['broken'], argument: { name: 'mark', isOptional: true } },
    ],
    usage: 'git describe [<options>] [<commit-ish>...]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const words = options.all.length === 0 ? ['HEAD'] : options.all
    if (options.has('dirty') && options.all.length > 0) throw fatal("option '--dirty' and commit-ishes cannot be used together")
    const wildcard = (key: string) => options.values(key).map(pattern => compileWildcard(encodeText(pattern), false))
    const [wanted, unwanted] = [wildcard('match'), wildcard('exclude')]
    const names = new Map<ObjectId, { readonly name: string; readonly rank: number; readonly time: number }>()
    const isAll = options.has('all')
    for (const { name, oid } of await repository.refs.list()) {
      const isTag = name.startsWith('refs/tags/')
      if (!isTag && !isAll) continue
      const short = name.slice('refs/tags/'.length)
      const matches = (list: typeof wanted): boolean => list.some(pattern => matchesWildcard(pattern, encodeText(short)))
      if ((wanted.length > 0 && !matches(wanted)) || matches(unwanted)) continue
      const object = await repository.objects.read(oid)
      const rank = object?.type === 'tag' ? 2 : isTag ? 1 : 0
      if (rank < 2 && !options.has('tags') && !isAll) continue
      const commit = await peel(repository, oid, 'commit')
      if (commit === undefined) continue
      const time = object?.type === 'tag' ? ((await repository.objects.readTag(oid)).tagger?.time ?? 0) : 0
      const before = names.get(commit)
      if (before === undefined || rank > before.rank || (rank === 2 && time > before.time))
        names.set(commit, { name: isAll ? name.replace('refs/', '') : short, rank, time })
    }
    const ids = new ShortIds(repository)
    const abbrev = options.value('abbrev')
    const digits = options.isNegated('abbrev') ? 0 : abbrev === undefined ? undefined : Number(abbrev)
    const mark = options.has('dirty') ? (options.value('dirty') ?? '-dirty') : options.has('broken') ? '-dirty' : ''
    const suffix = mark !== '' && (await isDirty(repository)) ? mark : ''
    for (const word of words) {
      const oid = await needCommit(repository, word, `Not a valid object name ${word}`)
      const exact = names.get(oid)
      if (exact !== undefined) {
        await call.print(`${exact.name}${options.has('long') ? `-0-g${await ids.of(oid, digits)}` : ''}${suffix}`)
        continue
      }
      const candidates = options.number('candidates') ?? 10
      if (options.has('exact-match') || candidates === 0) throw fatal(`no tag exactly matches '${oid}'`)
      const found = await nearest(repository, oid, names, options.has('first-parent'), candidates)
      if (found === undefined) {
        if (!options.has('always'))
          throw fatal(
            names.size === 0
              ? 'No names found, cannot describe anything.'
              : `No ${options.has('tags') || isAll ? '' : 'annotated '}tags can describe '${oid}'.\nHowever, there were unannotated tags: try --tags.`,
          )
        await call.print((await ids.of(oid, digits === 0 ? undefined : digits)) + suffix)
        continue
      }
      await call.print(
        digits === 0 ? `${found.name}${suffix}` : `${found.name}-${found.depth}-g${await ids.of(oid, digits)}${suffix}`,
      )
    }
    return 0
  },
}

async function isDirty(repository: Repository): Promise<boolean> {
  const index = await repository.readIndex()
  const head = (await repository.head()).oid
  const staged = await diffIndexToTree(repository, index, head === undefined ? undefined : await repository.treeOf(head))
  return staged.length > 0 || (await diffWorkTree(repository, index)).changes.length > 0
}

/** The name with the fewest commits after it, counting those that the name's commit does not reach. */
async function nearest(
  repository: Repository,
  start: ObjectId,
  names: ReadonlyMap<ObjectId, { readonly name: string }>,
  firstParent: boolean,
  maxCandidates: number,
): Promise<{ readonly name: string; readonly depth: number } | undefined> {
  const queue = new CommitQueue()
  const order: ObjectId[] = []
  const seen = new Set<ObjectId>([start])
  queue.push(start, 0)
  const candidates: ObjectId[] = []
  for (let oid = queue.pop(); oid !== undefined; oid = queue.pop()) {
    order.push(oid)
    if (names.has(oid)) {
      candidates.push(oid)
      if (candidates.length >= maxCandidates) break
    }
    const parents = await parentsOf(repository, oid)
    for (const parent of firstParent ? parents.slice(0, 1) : parents) {
      if (seen.has(parent)) continue
      seen.add(parent)
      queue.push(parent, (await repository.objects.readCommit(parent)).committer.time)
    }
  }
  let best: { readonly name: string; readonly depth: number } | undefined
  const { countBetween } = await import('../revs/tracking.ts')
  for (const oid of candidates) {
    const [depth] = await countBetween(repository, start, oid)
    if (best === undefined || depth < best.depth) best = { name: names.get(oid)?.name ?? '', depth }
  }
  return best
}

export const shortlog: GitCommand = {
  name: 'shortlog',
  summary: "Summarize 'git log' output",
  options: {
    rows: [
      { names: ['n', 'numbered'], key: 'numbered' },
      { names: ['s', 'summary'] },
      { names: ['e', 'email'] },
      { names: ['c', 'committer'], key: 'by-committer' },
      { names: ['w'], argument: { name: 'width', isOptional: true }, refuses: 'wrapping lines is not built into this git' },
      { names: ['group'], argument: { name: 'field' }, accepts: ['author', 'committer'] },
      { names: ['format'], argument: { name: 'format' } },
      ...revisionOptionRows.filter(({ names }) => !names.includes('n') && !names.includes('committer')),
    ],
    onUnknown: 'revision',
    usage: 'git shortlog [<options>] [<revision-range>] [[--] <path>...]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const args = await readRevisions(repository, options)
    if (options.all.length === 0 && !options.given.some(({ key }) => namesRefs.has(key)) && call.isInputGiven) {
      await writeShortlog(call, options, readLogText(await call.input(), options))
      return 0
    }
    const { commits } = await limitedWalk(repository, options, args, { defaultsToHead: true })
    const ids = new ShortIds(repository)
    const decorations = new Decorations(repository)
    const format = options.value('format')
    const pretty = new Pretty({
      repository,
      ids,
      isAbbreviated: true,
      abbrev: undefined,
      dateMode: 'default',
      now: call.now,
      decorations: (oid, form) => decorations.of(oid, form),
      showsDecorations: 'no',
      tabWidth: 8,
    })
    const groups = new Map<string, string[]>()
    const mailmap = await Mailmap.read(repository)
    for await (const { oid, commit, parents } of commits) {
      const own = options.has('by-committer') || options.value('group') === 'committer' ? commit.committer : commit.author
      const person = mailmap.of(own)
      const key = options.has('email') ? `${person.name} <${person.email}>` : person.name
      const text =
        format === undefined ? subjectOf(commit.message) : await pretty.format({ oid, commit, parents, mark: '' }, format)
      groups.set(key, [text, ...(groups.get(key) ?? [])])
    }
    await writeShortlog(call, options, groups)
    return 0
  },
}

const namesRefs: ReadonlySet<string> = new Set(['all', 'branches', 'tags', 'remotes', 'glob'])

async function writeShortlog(call: GitCall, options: Options, groups: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const rows = [...groups].sort(
    ([a, left], [b, right]) => (options.has('numbered') ? right.length - left.length : 0) || compareText(a, b),
  )
  for (const [name, subjects] of rows) {
    if (options.has('summary')) await call.print(`${String(subjects.length).padStart(6)}\t${name}`)
    else await call.print(`${name} (${subjects.length}):\n${subjects.map(subject => `      ${subject}\n`).join('')}`)
  }
}

/** Groups the output of `git log` by author: the first line of each message. */
function readLogText(text: string, options: Options): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  const who = options.has('by-committer') ? /^(?:Commit: |committer )(.*)$/ : /^(?:Author: |author )(.*)$/
  let name: string | undefined
  let isBehindHeader = false
  for (const line of text.split('\n')) {
    const person = who.exec(line)?.[1]
    if (person !== undefined) {
      const [, plain = person, email = ''] = /^(.*?) ?<([^>]*)>/.exec(person) ?? []
      name = options.has('email') ? `${plain} <${email}>` : plain
      isBehindHeader = false
    } else if (name !== undefined && line.trim() === '') isBehindHeader = true
    else if (name !== undefined && isBehindHeader) {
      groups.set(name, [line.trim(), ...(groups.get(name) ?? [])])
      name = undefined
    }
  }
  return groups
}
