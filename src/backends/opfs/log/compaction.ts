// Frees the space of contents that are no longer visible. The contents that are still used in a mostly dead file move to the end of the
// log, a little at a time. Then two checkpoints record their new place, and the file is removed. Older snapshots keep the files that they
// use.

import { isVfsError } from '../../../vfs/error.ts'
import type { Version } from '../../../vfs/tree/tree.ts'
import { StoredContent } from './content.ts'
import { storedBytes } from './extent.ts'
import { headerBytes, type NumberedFile } from './header.ts'
import type { Log } from './log.ts'
import { type Content, type Piece, PiecedContent, piecesOf } from './pieced-content.ts'
import { headBytes } from './record.ts'
import { contentsOf } from './tree-contents.ts'

/** Files that are mostly dead, and the contents in them that are still used. */
export interface CompactionPlan {
  readonly victims: readonly NumberedFile[]
  readonly alive: readonly Content[]
}

export interface CompactionLimits {
  /** Compaction starts only above this number of dead bytes. */
  readonly minimumDeadBytes: number
  /** In addition, this many dead bytes for each byte in use. */
  readonly deadShare: number
  /** A plan moves about this many bytes, or this share of what is in use: what it frees is given back only after all of it was moved. */
  readonly movedBytes: number
  readonly movedShare: number
  /** Nothing that is larger is moved. Otherwise one file may be, when nothing else is. */
  readonly isMovedStrict: boolean
}

export const compactionLimits: CompactionLimits = {
  minimumDeadBytes: 1024 * 1024,
  deadShare: 0.5,
  movedBytes: 256 * 1024,
  movedShare: 0.25,
  isMovedStrict: false,
}
/** On a full disk every file that can be freed is, but what is moved must leave room in the reserve for deletions and two checkpoints. */
export const fullDiskLimits: CompactionLimits = {
  minimumDeadBytes: 256 * 1024,
  deadShare: 0,
  movedBytes: 256 * 1024,
  movedShare: 0,
  isMovedStrict: true,
}
/** A file with a smaller share of dead bytes is not moved. */
const victimShare = 0.25
/** Adjacent pieces are merged into one of at most this size. */
const maxMovedBytes = 8 * 1024 * 1024

/** The least space that `count` contents of `bytes` take if nothing else is stored, without the tables of large contents. */
export function leastBytes(bytes: number, count: number): number {
  return bytes + count * headBytes
}

/** `undefined` if compaction would free too little. Time: in proportion to the number of files in the tree. */
export function planCompaction(log: Log, tree: Version, limits: CompactionLimits): CompactionPlan | undefined {
  const contents = contentsOf(tree)
  const aliveBytes = new Map<NumberedFile, number>()
  for (const content of contents) {
    for (const { content: of, length } of piecesOf(content)) {
      const { holder } = of.location ?? {}
      if (holder !== undefined) aliveBytes.set(holder, (aliveBytes.get(holder) ?? 0) + storedBytes(length) + headBytes)
    }
  }
  const aliveIn = (file: NumberedFile): number => Math.min(aliveBytes.get(file) ?? 0, file.sizeBytes - headerBytes)
  const deadIn = (file: NumberedFile): number => file.sizeBytes - headerBytes - aliveIn(file)
  const files = [...log.files.of('segment'), ...log.files.of('side')].filter(file => !log.unmovable.has(file))
  const sum = (of: (file: NumberedFile) => number): number => files.reduce((total, file) => total + of(file), 0)
  const [alive, dead] = [sum(aliveIn), sum(deadIn)]
  if (dead <= limits.minimumDeadBytes + alive * limits.deadShare) return undefined
  const isDeadEnough = (file: NumberedFile): boolean => deadIn(file) > victimShare * (file.sizeBytes - headerBytes)
  const { tail } = log
  if (isDeadEnough(tail)) log.roll()
  const candidates = files.filter(file => file !== log.tail && isDeadEnough(file))
  candidates.sort((a, b) => deadIn(b) / b.sizeBytes - deadIn(a) / a.sizeBytes)
  const victims = new Set<NumberedFile>()
  let left = dead
  let room = Math.max(limits.movedBytes, limits.movedShare * alive)
  for (const file of candidates) {
    if (left <= (limits.deadShare / 2) * alive) break
    // A file that needs more room than is left would make the whole plan fail on a full disk, with the files that need none.
    if (aliveIn(file) > room && (limits.isMovedStrict || victims.size > 0)) continue
    victims.add(file)
    left -= deadIn(file)
    room -= aliveIn(file)
  }
  if (victims.size === 0) return undefined
  return { victims: [...victims], alive: contents.filter(content => piecesOf(content).some(piece => liesIn(piece, victims))) }
}

function liesIn({ content: { location } }: Piece, files: ReadonlySet<NumberedFile>): boolean {
  return location !== undefined && files.has(location.holder)
}

/** Moves contents in slices of about `sliceBytes`; the caller does other work between two slices. */
export function* moveContents(log: Log, plan: CompactionPlan, sliceBytes: number): Generator<undefined, void> {
  const victims = new Set(plan.victims)
  let movedBytes = 0
  for (const content of plan.alive) {
    for (const bytes of moveContent(log, content, victims)) {
      movedBytes += bytes
      if (movedBytes < sliceBytes) continue
      movedBytes = 0
      yield
    }
  }
}

/** Yields the number of bytes moved, one part at a time. A content that is no longer in a victim stays. */
function* moveContent(log: Log, content: Content, victims: ReadonlySet<NumberedFile>): Generator<number, void> {
  if (content instanceof StoredContent) {
    const [piece] = piecesOf(content)
    if (piece === undefined || !liesIn(piece, victims)) return
    const copy = movedCopy(log, [piece])
    if (copy !== undefined) content.moveTo(copy)
    yield content.length
    return
  }
  for (const run of runsIn(content.pieces, victims)) {
    const copy = movedCopy(log, run)
    // Only compaction changes these pieces, so they are unchanged.
    if (copy !== undefined) content.replace(run, { content: copy, start: 0, length: copy.length })
    yield copy?.length ?? 0
  }
}

/** Runs of adjacent pieces in `victims`. */
function runsIn(pieces: readonly Piece[], victims: ReadonlySet<NumberedFile>): readonly (readonly Piece[])[] {
  const runs: Piece[][] = []
  let run: Piece[] = []
  let runBytes = 0
  for (const piece of pieces) {
    if (!liesIn(piece, victims)) {
      run = []
      continue
    }
    if (run.length === 0 || runBytes + piece.length > maxMovedBytes) {
      run = []
      runBytes = 0
      runs.push(run)
    }
    run.push(piece)
    runBytes += piece.length
  }
  return runs
}

/** `undefined` if the content is damaged. Then the files that hold it stay, and the other contents in them are moved. */
function movedCopy(log: Log, pieces: readonly Piece[]): StoredContent | undefined {
  try {
    return log.storeAgain(new PiecedContent(pieces).slice())
  } catch (error) {
    if (!isVfsError(error, 'EIO') || log.failure !== undefined) throw error
    for (const { content } of pieces) if (content.location !== undefined) log.unmovable.add(content.location.holder)
    return undefined
  }
}

/** The files of `plan` that hold nothing in use any more. */
export function emptied(log: Log, plan: CompactionPlan): readonly NumberedFile[] {
  return plan.victims.filter(file => !log.unmovable.has(file))
}

/** Moves what `tree` still has in the files of `plan`: files that were changed meanwhile share parts with their older versions. */
export function moveRest(log: Log, { victims }: CompactionPlan, tree: Version): void {
  const files = new Set(victims)
  const alive = contentsOf(tree).filter(content => piecesOf(content).some(piece => liesIn(piece, files)))
  moveContents(log, { victims, alive }, Infinity).next()
}

/**
 * Those of `files` that hold nothing of `tree`. A file that was changed while its content moved may still use the old place of a part that
 * it shares with the content before.
 */
export function unreferenced(tree: Version, files: readonly NumberedFile[]): readonly NumberedFile[] {
  const left = new Set(files)
  for (const content of contentsOf(tree))
    for (const { content: of } of piecesOf(content)) if (of.location !== undefined) left.delete(of.location.holder)
  return [...left]
}
