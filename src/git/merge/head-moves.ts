// Moves of `HEAD` and its branch, several in one commit of files, each with its log entries.

import { encodeText } from '../../shell/byte-text.ts'
import type { Changes, Repository } from '../repository.ts'
import { type ObjectId, zeroId } from '../store/object-format.ts'

export interface HeadMove {
  readonly oid: ObjectId
  /** The message in the log. */
  readonly message: string
}

/** Adds moves of the current branch, or of a detached `HEAD`. */
export async function moveHead(repository: Repository, changes: Changes, moves: readonly HeadMove[]): Promise<void> {
  const { refs } = repository
  const { name, oid } = await refs.resolve('HEAD')
  const last = moves.at(-1)
  if (last === undefined) return
  if (oid === undefined) {
    await refs.update(changes, { name: 'HEAD', oid: last.oid, message: last.message })
    return
  }
  changes.lock(`${refs.pathOf(name)}.lock`)
  await expectUnchanged(repository, changes, refs.pathOf(name))
  changes.write(refs.pathOf(name), encodeText(`${last.oid}\n`))
  await logMoves(repository, changes, name, oid, moves)
  if (name !== 'HEAD') await logMoves(repository, changes, 'HEAD', oid, moves)
}

/** Adds entries to the log of a name, from `before` through all moves. */
export async function logMoves(
  repository: Repository,
  changes: Changes,
  name: string,
  before: ObjectId | undefined,
  moves: readonly HeadMove[],
): Promise<void> {
  let at = before ?? zeroId
  for (const { oid, message } of moves) {
    await repository.refs.log(changes, name, at, oid, message)
    at = oid
  }
}

async function expectUnchanged(repository: Repository, changes: Changes, path: string): Promise<void> {
  changes.expect(path, (await repository.files.stat(path))?.rev ?? 0)
}

/** Logs that `HEAD` stayed, as git does if `HEAD` names a branch. */
export async function logStay(repository: Repository, changes: Changes, oid: ObjectId, message: string): Promise<void> {
  const head = await repository.refs.read('HEAD')
  if (head?.kind === 'symbolic') await repository.refs.log(changes, 'HEAD', oid, oid, message)
}

export function keepOldHead(repository: Repository, changes: Changes, oid: ObjectId): void {
  writeState(repository, changes, 'ORIG_HEAD', `${oid}\n`)
}

/** Writes a file of the repository's own directory. */
export function writeState(repository: Repository, changes: Changes, name: string, text: string): void {
  changes.write(`${repository.gitDir}/${name}`, encodeText(text))
}
