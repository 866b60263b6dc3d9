// `git describe` and `git shortlog`.

import { outputRecoder, subjectOf } from '../revs/subject.ts'
import type { GitCall } from '../call.ts'
import { failure, fatal } from '../errors.ts'
import { type Options, parseOptions } from '../options.ts'
import { Decorations } from '../revs/decorations.ts'
import { Mailmap } from '../revs/mailmap.ts'
import { Pretty } from '../revs/pretty.ts'
import { needCommit } from '../revs/revision.ts'
import { readRevisions } from '../revs/revision-arguments.ts'
import { trailersOf } from '../revs/trailers.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { type Commit, compareText } from '../store/object-format.ts'
import { wrapText } from '../wrap-text.ts'
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
      { names: ['contains'] },
      { names: ['broken'], argument: { name: 'mark', isOptional: true } },
    ],
    usage: 'git describe [<options>] [<commit-ish>...]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const words = options.all.length === 0 ? ['HEAD'] : options.all
    if (options.has('contains')) return nameByContaining(call, options, words)
    if (options.has('dirty') && options.all.length > 0) throw fatal("option '--dirty' and commit-ishes cannot be used together")
    const { Describer } = await import('../revs/rare-placeholders.ts')
    const describer = new Describer(repository, options)
    for (const word of words)
      await call.print(await describer.of(await needCommit(repository, word, `Not a valid object name ${word}`)))
    return 0
  },
}

/** The names that `git name-rev` gives. */
async function nameByContaining(call: GitCall, options: Options, words: readonly string[]): Promise<number> {
  const { nameRev } = await import('./rare-commands.ts')
  const patterns = (key: string, name: string): readonly string[] =>
    options.values(key).map(pattern => `--${name}=refs/tags/${pattern}`)
  const ofTags = options.has('all') ? [] : ['--tags', ...patterns('match', 'refs'), ...patterns('exclude', 'exclude')]
  const always = options.has('always') ? ['--always'] : []
  const args = ['--name-only', '--no-undefined', '--peel-tag', ...always, ...ofTags, '--', ...words]
  return nameRev.run(call, parseOptions(nameRev.options, args), args)
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
      { names: ['w'], argument: { name: 'width', isOptional: true } },
      { names: ['group'], argument: { name: 'field' } },
      { names: ['format'], argument: { name: 'format' } },
      ...revisionOptionRows.filter(({ names }) => !names.includes('n') && !names.includes('committer')),
    ],
    numberKey: 'max-count',
    onUnknown: 'revision',
    usage: 'git shortlog [<options>] [<revision-range>] [[--] <path>...]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const args = await readRevisions(repository, options)
    if (options.all.length === 0 && !options.given.some(({ key }) => namesRefs.has(key)) && call.stdin.isGiven) {
      const groups = shortlogGroups(options)
      if (groups.length > 1) throw fatal('using multiple --group options with stdin is not supported')
      if (groups[0]?.startsWith('trailer:')) throw fatal('using --group=trailer with stdin is not supported')
      await writeShortlog(call, options, readLogText(await call.input(), groups[0] === 'committer', options.has('email')))
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
    const wanted = shortlogGroups(options)
    const groups = new Map<string, string[]>()
    const mailmap = await Mailmap.read(repository)
    const recode = await outputRecoder(repository.config())
    for await (const { oid, commit, parents } of commits) {
      const text = recode(
        format === undefined ? subjectOf(commit.message) : await pretty.format({ oid, commit, parents, mark: '' }, format),
      )
      // A commit counts once in each group.
      for (const key of new Set(wanted.flatMap(group => keysOf(commit, group, mailmap, options.has('email')))))
        groups.set(key, [text || '<none>', ...(groups.get(key) ?? [])])
    }
    await writeShortlog(call, options, groups)
    return 0
  },
}

/** What `--group` and `--committer` name. */
function shortlogGroups(options: Options): readonly string[] {
  const named = options.values('group')
  const unknown = named.find(name => name !== 'author' && name !== 'committer' && !name.startsWith('trailer:'))
  if (unknown !== undefined) throw failure(`unknown group type: ${unknown}`, 129)
  const groups = [...(options.has('by-committer') ? ['committer'] : []), ...named]
  return groups.length === 0 ? ['author'] : groups
}

/** The names under which a commit is listed. */
function keysOf(commit: Commit, group: string, mailmap: Mailmap, showsEmail: boolean): readonly string[] {
  const shown = (person: { readonly name: string; readonly email: string }): string =>
    showsEmail ? `${person.name} <${person.email}>` : person.name
  if (group === 'author') return [shown(mailmap.of(commit.author))]
  if (group === 'committer') return [shown(mailmap.of(commit.committer))]
  const key = group.slice('trailer:'.length).toLowerCase()
  return trailersOf(commit.message)
    .filter(trailer => trailer.key.toLowerCase() === key)
    .map(({ value }) => {
      const text = value.replaceAll(/\s*\n\s*/g, ' ')
      const [, name, email = ''] = /^(.*?)\s*<([^<>]*)>$/.exec(text) ?? []
      return name === undefined ? text : shown(mailmap.of({ name, email, time: 0, zone: '+0000' }))
    })
}

const namesRefs: ReadonlySet<string> = new Set(['all', 'branches', 'tags', 'remotes', 'glob'])

async function writeShortlog(call: GitCall, options: Options, groups: ReadonlyMap<string, readonly string[]>): Promise<void> {
  const [width = 76, indent = 6, nextIndent = 9] = (options.value('w') ?? '').split(',').filter(Boolean).map(Number)
  const shown = (subject: string): string =>
    options.has('w') ? wrapText(subject.trimStart(), { width, indent, nextIndent }) : `      ${subject}`
  const rows = [...groups].sort(
    ([a, left], [b, right]) => (options.has('numbered') ? right.length - left.length : 0) || compareText(a, b),
  )
  for (const [name, subjects] of rows) {
    if (options.has('summary')) await call.print(`${String(subjects.length).padStart(6)}\t${name}`)
    else await call.print(`${name} (${subjects.length}):\n${subjects.map(subject => `${shown(subject)}\n`).join('')}`)
  }
}

/** Groups the output of `git log` by author: the first line of each message. */
function readLogText(text: string, isByCommitter: boolean, showsEmail: boolean): ReadonlyMap<string, readonly string[]> {
  const groups = new Map<string, string[]>()
  const who = isByCommitter ? /^(?:Commit: |committer )(.*)$/ : /^(?:Author: |author )(.*)$/
  let name: string | undefined
  let isBehindHeader = false
  for (const line of text.split('\n')) {
    const person = who.exec(line)?.[1]
    if (person !== undefined) {
      const [, plain = person, email = ''] = /^(.*?) ?<([^>]*)>/.exec(person) ?? []
      name = showsEmail ? `${plain} <${email}>` : plain
      isBehindHeader = false
    } else if (name !== undefined && line.trim() === '') isBehindHeader = true
    else if (name !== undefined && isBehindHeader) {
      groups.set(name, [line.trim().replace(/^\[PATCH[^\]]*\]\s*/, ''), ...(groups.get(name) ?? [])])
      name = undefined
    }
  }
  return groups
}
