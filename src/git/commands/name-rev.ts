// `git name-rev`: names commits by the references that reach them, as `main~3` or `tags/v1^2~1`.

import { compileWildcard, matchesWildcard } from '../../search/wildmatch.ts'
import { encodeText } from '../../shell/byte-text.ts'
import { fatal } from '../errors.ts'
import type { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import { parentsOf } from '../revs/parents.ts'
import { shortestRef } from '../revs/ref-names.ts'
import { peel, resolveRevision } from '../revs/revision.ts'
import { ShortIds } from '../revs/short-ids.ts'
import type { ObjectId } from '../store/object-format.ts'
import type { GitCommand } from './command.ts'

/** A step to a parent other than the first counts as this many steps to the first. */
const mergeSteps = 65_535

export const nameRev: GitCommand = {
  name: 'name-rev',
  summary: 'Find symbolic names for given revs',
  options: {
    rows: [
      { names: ['name-only'] },
      { names: ['tags'] },
      { names: ['refs'], argument: { name: 'pattern' } },
      { names: ['exclude'], argument: { name: 'pattern' } },
      { names: ['all'] },
      { names: ['stdin', 'annotate-stdin'], key: 'annotate-stdin' },
      { names: ['no-undefined'], isNegatable: false },
      { names: ['undefined'] },
      { names: ['always'] },
      { names: ['peel-tag'] },
    ],
    usage:
      'git name-rev [<options>] <commit>...\n   or: git name-rev [<options>] --all\n   or: git name-rev [<options>] --annotate-stdin',
  },
  async run(call, options) {
    const repository = await call.repository()
    const names = await namesOfCommits(repository, options)
    const ids = new ShortIds(repository)
    const nameOf = async (oid: ObjectId): Promise<string> => {
      const name = names.get(oid)
      if (name !== undefined) return textOf(name)
      if (!options.has('no-undefined')) return 'undefined'
      if (options.has('always')) return ids.of(oid)
      throw fatal(`cannot describe '${oid}'`)
    }
    if (options.has('annotate-stdin')) {
      const text = await call.input()
      await call.out.write(
        text.replaceAll(/\b[0-9a-f]{40}\b/g, oid => {
          const name = names.get(oid)
          if (name === undefined) return oid
          return options.has('name-only') ? textOf(name) : `${oid} (${textOf(name)})`
        }),
      )
      return 0
    }
    if (options.has('all')) {
      for (const oid of [...names.keys()].sort()) await call.print(`${oid} ${await nameOf(oid)}`)
      return 0
    }
    for (const word of options.all) {
      const revision = await resolveRevision(repository, word).catch(() => undefined)
      if (revision === undefined) {
        await call.warn(`Could not get sha1 for ${word}. Skipping.`)
        continue
      }
      const commit = await peel(repository, revision.oid, 'commit')
      if (commit === undefined && options.has('peel-tag')) {
        await call.warn(`Could not get commit for ${word}. Skipping.`)
        continue
      }
      if (!options.has('name-only')) await call.out.write(`${word} `)
      await call.print(await nameOf(commit ?? revision.oid))
    }
    return 0
  },
}

interface CommitName {
  readonly tip: string
  readonly time: number
  /** Steps to first parents since the tip, or since the last other parent. */
  readonly generation: number
  readonly distance: number
  readonly isTag: boolean
}

function textOf({ tip, generation }: CommitName): string {
  return generation === 0 ? tip : `${tip.replace(/\^0$/, '')}~${generation}`
}

function isBetter(name: CommitName, before: CommitName): boolean {
  const steps = ({ distance, generation }: CommitName): number => distance + (generation > 0 ? mergeSteps : 0)
  if (name.isTag && before.isTag) return name.time === before.time ? steps(name) < steps(before) : name.time < before.time
  if (name.isTag !== before.isTag) return name.isTag
  return steps(name) === steps(before) ? name.time < before.time : steps(name) < steps(before)
}

async function namesOfCommits(repository: Repository, options: Options): Promise<ReadonlyMap<ObjectId, CommitName>> {
  const patternsOf = (key: string) => options.values(key).map(pattern => compileWildcard(encodeText(pattern), false))
  const [wanted, unwanted] = [patternsOf('refs'), patternsOf('exclude')]
  /** Whether a pattern matches the name, or the part after one of its slashes. */
  const matches = (patterns: typeof wanted, name: string): boolean =>
    name.split('/').some((_, at, parts) => {
      const end = encodeText(parts.slice(at).join('/'))
      return patterns.some(pattern => matchesWildcard(pattern, end))
    })
  const tips: { readonly commit: ObjectId; readonly name: CommitName }[] = []
  for (const { name, oid } of await repository.refs.list()) {
    const isTag = name.startsWith('refs/tags/')
    if ((options.has('tags') && !isTag) || matches(unwanted, name)) continue
    if (wanted.length > 0 && !matches(wanted, name)) continue
    const commit = await peel(repository, oid, 'commit')
    if (commit === undefined) continue
    const isAnnotated = commit !== oid
    const isShort = options.has('name-only') && (options.has('tags') || wanted.length > 0)
    const short = isShort ? await shortestRef(repository, name) : name.replace(/^refs\/(?:heads\/)?/, '')
    const { committer } = await repository.objects.readCommit(commit)
    const time = isAnnotated ? ((await repository.objects.readTag(oid)).tagger?.time ?? committer.time) : committer.time
    const tip = isAnnotated ? `${short}^0` : short
    tips.push({ commit, name: { tip, time, generation: 0, distance: 0, isTag } })
  }
  tips.sort((a, b) => Number(b.name.isTag) - Number(a.name.isTag) || a.name.time - b.name.time)
  const names = new Map<ObjectId, CommitName>()
  for (const { commit, name } of tips) await spread(repository, names, commit, name)
  return names
}

async function spread(
  repository: Repository,
  names: Map<ObjectId, CommitName>,
  start: ObjectId,
  first: CommitName,
): Promise<void> {
  const open = [{ oid: start, name: first }]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const { oid, name } = next
    const before = names.get(oid)
    if (before !== undefined && !isBetter(name, before)) continue
    names.set(oid, name)
    const parents = await parentsOf(repository, oid)
    for (const [index, parent] of [...parents.entries()].toReversed()) {
      const { time, isTag, distance, generation } = name
      open.push({
        oid: parent,
        name:
          index === 0
            ? { tip: name.tip, time, isTag, generation: generation + 1, distance: distance + 1 }
            : {
                tip: `${textOf(name).replace(/\^0$/, '')}^${index + 1}`,
                time,
                isTag,
                generation: 0,
                distance: distance + mergeSteps,
              },
      })
    }
  }
}
