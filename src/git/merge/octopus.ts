// A merge of several histories at once: each is merged into the result of those before it. Only the last one may leave conflicts.

import { mergeFiles } from '../../text/git-merge/merge-files.ts'
import { looksBinary } from '../diff/file-pair.ts'
import type { GitCall } from '../call.ts'
import { GitFailure, notBuilt } from '../errors.ts'
import type { Repository } from '../repository.ts'
import { mergeBases } from '../revs/merge-base.ts'
import { compareText, isRegularMode, type ObjectId } from '../store/object-format.ts'
import { isSame } from './merge-trees.ts'
import type { MergeHead } from './merge-heads.ts'
import type { ConflictStages, TreeMerge, Version } from './tree-merge.ts'
import { changesBetween, treeWithChanges } from './tree-with-changes.ts'

/** Rejects with exit code 2 if a history before the last leaves a conflict. */
export async function mergeSeveral(
  call: GitCall,
  repository: Repository,
  ours: ObjectId,
  heads: readonly MergeHead[],
): Promise<TreeMerge> {
  const start = await repository.treeOf(ours)
  const messages: string[] = []
  let [merged, tree]: [readonly ObjectId[], ObjectId] = [[ours], start]
  for (const [index, { oid, name }] of heads.entries()) {
    const bases = await mergeBases(repository, oid, merged)
    const [base, another] = bases
    if (bases.includes(oid)) {
      messages.push(`Already up to date with ${name}`)
      continue
    }
    const theirs = await repository.treeOf(oid)
    if (another === undefined && merged.length === 1 && base === merged[0]) {
      messages.push(`Fast-forwarding to: ${name}`)
      ;[merged, tree] = [[oid], theirs]
      continue
    }
    if (base === undefined || another !== undefined) throw notBuilt('a merge of several histories with other than one merge base')
    messages.push(`Trying simple merge with ${name}`)
    const step = new Step(repository, { base: await repository.treeOf(base), ours: tree, theirs }, messages)
    await step.run()
    const text = await treeWithChanges(repository, tree, step.changes)
    if (step.errors.length > 0) {
      if (index < heads.length - 1) {
        for (const line of [...messages, 'Automated merge did not work.', 'Should not be doing an octopus.'])
          await call.print(line)
        throw new GitFailure([...step.errors, 'Merge with strategy octopus failed.'].join('\n'), 2)
      }
      return {
        changes: await changesBetween(repository, start, text),
        conflicts: step.conflicts,
        isClean: false,
        messages,
        errors: step.errors,
      }
    }
    ;[merged, tree] = [[...merged, oid], text]
  }
  return { changes: await changesBetween(repository, start, tree), conflicts: new Map(), isClean: true, messages }
}

interface Trees {
  readonly base: ObjectId
  readonly ours: ObjectId
  readonly theirs: ObjectId
}

/** One three-way merge without renames. */
class Step {
  readonly changes = new Map<string, Version | undefined>()
  readonly conflicts = new Map<string, ConflictStages>()
  readonly errors: string[] = []
  readonly #repository: Repository
  readonly #trees: Trees
  readonly #messages: string[]

  constructor(repository: Repository, trees: Trees, messages: string[]) {
    this.#repository = repository
    this.#trees = trees
    this.#messages = messages
  }

  async run(): Promise<void> {
    const { base, ours, theirs } = this.#trees
    const [mine, others] = [
      await changesBetween(this.#repository, base, ours),
      await changesBetween(this.#repository, base, theirs),
    ]
    const before = new Map([
      ...(await changesBetween(this.#repository, ours, base)),
      ...(await changesBetween(this.#repository, theirs, base)),
    ])
    const paths = [...mine.keys(), ...others.keys()]
    if (paths.some(path => paths.some(other => other.startsWith(`${path}/`))))
      throw notBuilt('a merge of several histories, of which one has a file where another has a directory')
    let isSimple = true
    for (const [path, version] of [...others].sort(([one], [other]) => compareText(one, other))) {
      const own = mine.get(path)
      if (mine.has(path) && !isSame(own, version)) {
        if (isSimple) this.#messages.push('Simple merge did not work, trying automatic merge.')
        isSimple = false
        await this.#mergeFile(path, [before.get(path), own, version])
      } else if (!mine.has(path)) this.changes.set(path, version)
    }
    if (this.errors.length > 0) this.errors.push('fatal: merge program failed')
  }

  async #mergeFile(path: string, stages: ConflictStages): Promise<void> {
    const { objects } = this.#repository
    const [base, ours, theirs] = stages
    if (ours === undefined || theirs === undefined || [ours, theirs].some(({ mode }) => !isRegularMode(mode))) {
      this.conflicts.set(path, stages)
      this.errors.push(`ERROR: ${path}: Not handling case ${base?.oid ?? ''} -> ${ours?.oid ?? ''} -> ${theirs?.oid ?? ''}`)
      return
    }
    this.#messages.push(base === undefined ? `Added ${path} in both, but differently.` : `Auto-merging ${path}`)
    const contents = [
      base === undefined ? new Uint8Array() : await objects.readBlob(base.oid),
      await objects.readBlob(ours.oid),
      await objects.readBlob(theirs.oid),
    ] as const
    const isBinary = contents.some(looksBinary)
    const merged = isBinary
      ? { bytes: contents[1], conflicts: 1 }
      : mergeFiles(...contents, { labels: { ours: 'ours', theirs: 'theirs' } })
    this.changes.set(path, { mode: ours.mode, oid: await objects.write('blob', merged.bytes) })
    const faults = [
      ...(merged.conflicts > 0 || base === undefined ? ['content conflict'] : []),
      ...(ours.mode === theirs.mode ? [] : [`permissions conflict: ${octal(base)}->${octal(ours)},${octal(theirs)}`]),
    ]
    if (faults.length === 0) return
    this.conflicts.set(path, stages)
    this.errors.push(`ERROR: ${faults.join(', ')} in ${path}`)
  }
}

function octal(version: Version | undefined): string {
  return version?.mode.toString(8).padStart(6, '0') ?? ''
}
