// The files that keep a series of cherry-picks or reverts: `sequencer/`, where real git finds them too.

import type { Changes, Repository } from '../repository.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { titleOf } from '../revs/subject.ts'
import type { ObjectId } from '../store/object-format.ts'
import { writeState } from './head-moves.ts'
import { readState } from './merge-state.ts'
import type { ReplayKind } from './replay.ts'

export const headFile = { 'cherry-pick': 'CHERRY_PICK_HEAD', revert: 'REVERT_HEAD' } as const
const verb = { 'cherry-pick': 'pick', revert: 'revert' } as const
export const sequencerFiles = ['sequencer'] as const

interface Sequence {
  readonly kind: ReplayKind
  /** The commits that are not applied yet, beginning with the one that stopped. */
  readonly left: readonly ObjectId[]
  /** Where the series began. */
  readonly head: ObjectId
  readonly now: ObjectId
  /** The text of `sequencer/opts`. */
  readonly options: string
}

/** The kind of the series that is under way. */
export async function openKind(repository: Repository): Promise<ReplayKind | undefined> {
  const todo = await readState(repository, 'sequencer/todo')
  if (todo === undefined) return undefined
  return /^(?:revert|r) /.test(todo) ? 'revert' : 'cherry-pick'
}

/** The commit that stopped, of a series or alone. */
export async function openHead(
  repository: Repository,
): Promise<{ readonly kind: ReplayKind; readonly oid: ObjectId } | undefined> {
  for (const kind of ['cherry-pick', 'revert'] as const) {
    const oid = (await readState(repository, headFile[kind]))?.trim()
    if (oid !== undefined) return { kind, oid }
  }
  return undefined
}

export async function writeSequence(
  repository: Repository,
  changes: Changes,
  { kind, left, head, now, options }: Sequence,
): Promise<void> {
  const rows: string[] = []
  const ids = new ShortIds(repository)
  for (const oid of left) {
    const { message } = await repository.objects.readCommit(oid)
    rows.push(`${verb[kind]} ${await ids.of(oid)} ${titleOf(message)}\n`)
  }
  writeState(repository, changes, 'sequencer/todo', rows.join(''))
  writeState(repository, changes, 'sequencer/head', `${head}\n`)
  writeState(repository, changes, 'sequencer/abort-safety', `${now}\n`)
  if (options !== '') writeState(repository, changes, 'sequencer/opts', options)
}

export async function readTodo(repository: Repository): Promise<readonly ObjectId[] | undefined> {
  const text = await readState(repository, 'sequencer/todo')
  if (text === undefined) return undefined
  const found: ObjectId[] = []
  for (const line of text.split('\n')) {
    const id = /^(?:pick|revert) ([0-9a-f]{4,40})/.exec(line)?.[1]
    if (id === undefined) continue
    const [oid] = id.length === 40 ? [id] : await repository.objects.expand(id)
    if (oid !== undefined) found.push(oid)
  }
  return found
}

/** Whether the head is where it was when the series stopped. */
export async function isHeadKept(repository: Repository): Promise<boolean> {
  const expected = (await readState(repository, 'sequencer/abort-safety'))?.trim()
  return expected === undefined || expected === ((await repository.head()).oid ?? '')
}
