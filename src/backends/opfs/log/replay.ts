// Replays the log after a checkpoint. A crash leaves the end of the log unfinished: data that was not flushed may be there completely, in
// part or not at all, and a missing part invalidates all later changes. Data that was flushed must be there. If it is not, the log is
// damaged, and the loss is reported.

import type { Edit } from '../../../vfs/tree/edit.ts'
import { isVfsError } from '../../../vfs/error.ts'
import { Tree, type Version } from '../../../vfs/tree/tree.ts'
import { ByteReader } from './bytes.ts'
import type { CheckpointFacts } from './checkpoint.ts'
import { type ClientTable, readMark } from './clients.ts'
import { type ContentCache, StoredContent } from './content.ts'
import { type ContentReader, readEdit, type StoredPiece } from './edit-codec.ts'
import { lostNumber, type StoreFiles } from './files.ts'
import { headerBytes, type NumberedFile } from './header.ts'
import type { Loss } from './losses.ts'
import { changed, type Content, contentFrom, piecesOf } from './pieced-content.ts'
import { type FoundRecord, recordTypes } from './record.ts'
import { applyAnyway, recounted } from './salvage.ts'
import { isContentWhole, type Scanned, scanSegment } from './scan.ts'
import { contentBefore } from './stored-change.ts'
import { filesOf } from './tree-contents.ts'

/** Receives each transaction after the checkpoint, in order, also for a checkpoint that is rejected later. */
export type OnReplay = (transaction: number, edits: readonly Edit[]) => void

export interface ReplayStart extends Pick<CheckpointFacts, 'epoch' | 'transaction' | 'lastRev' | 'lastIno' | 'lastSeq'> {
  readonly tree: Version
  readonly clients: ClientTable
  readonly segmentNumber: number
  readonly segmentOffset: number
  /** Nothing is known about earlier records: replay starts with the first record. */
  readonly isUnknown?: boolean
}

export interface ReplayOptions {
  readonly files: StoreFiles
  readonly cache: ContentCache
  /** Each commit was stored as a whole, so that a crash leaves nothing unfinished. */
  readonly isAtomic: boolean
  readonly onReplay: OnReplay
}

/** Bytes at the end of the log that a crash left unfinished and that are ignored. */
export interface CutEnd {
  readonly segment: number
  readonly startOffset: number
  readonly bytes: number
  /** Complete transactions among them: acknowledged, but not flushed. */
  readonly transactions: number
}

export interface Replayed {
  readonly tree: Tree
  readonly lastRev: number
  readonly lastIno: number
  readonly lastSeq: number
  readonly transaction: number
  /** The highest epoch in any record, also in ignored ones: the next session needs a different one. */
  readonly epoch: number
  readonly clients: ClientTable
  /** The last segment. */
  readonly tail: NumberedFile | undefined
  readonly cut: CutEnd | undefined
  readonly losses: readonly Loss[]
  readonly mendedRecords: number
  readonly bytes: number
  readonly count: number
}

/** Changes no file. Throws `UnknownRecord`. */
export function replay(start: ReplayStart, options: ReplayOptions): Replayed {
  const { files } = options
  const segments = files.of('segment').filter(({ number }) => number >= start.segmentNumber)
  const first = segments[0]
  const replaying = new Replaying(start, options)
  if (start.isUnknown !== true && (first?.number !== start.segmentNumber || first.sizeBytes < start.segmentOffset))
    replaying.missStart(first)
  const scanned = segments.flatMap(segment =>
    scanSegment(segment, segment.number === start.segmentNumber ? Math.min(start.segmentOffset, segment.sizeBytes) : headerBytes),
  )
  return replaying.run(scanned, segments)
}

/** Removes records that a later session of the store had cut off. That session reused their transaction numbers. */
function withoutSuperseded(scanned: readonly Scanned[]): Scanned[] {
  const kept: Scanned[] = []
  let [epoch, first, limit] = [Infinity, Infinity, Infinity]
  for (let index = scanned.length - 1; index >= 0; index--) {
    const item = scanned[index]
    if (item === undefined) continue
    if (item.is === 'gap') {
      kept.push(item)
      continue
    }
    const { record } = item
    if (record.epoch < epoch) {
      limit = Math.min(limit, first)
      epoch = record.epoch
      first = Infinity
    }
    const begins = isNote(record) ? record.transaction + 1 : record.transaction
    first = Math.min(first, begins)
    if (begins < limit || (isNote(record) && begins <= limit)) kept.push(item)
  }
  return kept.toReversed()
}

function isNote({ type }: FoundRecord): boolean {
  return type === recordTypes.note
}

/** A transaction of which some records were found. */
interface Pending {
  readonly records: FoundRecord[]
  readonly segment: NumberedFile
  nextIndex: number
}

class Replaying {
  readonly #options: ReplayOptions
  readonly #start: ReplayStart
  readonly #tree: Tree
  readonly #losses: Loss[] = []
  /** Contents that later records were made of, and that are not there. */
  readonly #lost = new Set<StoredContent>()
  #last: number
  /** The epoch of the last record that counts. */
  #epoch: number
  #highestEpoch: number
  #lastRev: number
  #lastIno: number
  #lastSeq: number
  #pending: Pending | undefined
  /** Where records are missing since the last complete transaction. */
  #gap: { readonly segment: NumberedFile; readonly startOffset: number; readonly endOffset: number } | undefined
  #count = 0
  #mended = 0
  #isSalvaged = false

  constructor(start: ReplayStart, options: ReplayOptions) {
    this.#start = start
    this.#options = options
    this.#tree = new Tree(start.tree)
    this.#last = start.transaction
    this.#epoch = start.epoch
    this.#highestEpoch = start.epoch
    this.#lastRev = start.lastRev
    this.#lastIno = start.lastIno
    this.#lastSeq = start.lastSeq
  }

  /** Called when the segment that the checkpoint refers to is missing or shorter. */
  missStart(segment: NumberedFile | undefined): void {
    const { segmentNumber, segmentOffset, transaction } = this.#start
    const startOffset = segment?.number === segmentNumber ? segment.sizeBytes : 0
    this.#losses.push({ what: 'changes', segment: segmentNumber, startOffset, endOffset: segmentOffset, transaction })
  }

  /** `all` also contains what a later session cut off. */
  run(all: readonly Scanned[], segments: readonly NumberedFile[]): Replayed {
    for (const item of all) if (item.is === 'record') this.#highestEpoch = Math.max(this.#highestEpoch, item.record.epoch)
    const scanned = withoutSuperseded(all)
    const flushed = this.#flushed(scanned)
    let [tail, tailEnd] = [segments[0], this.#start.segmentOffset]
    let cut: CutEnd | undefined
    let bytes = 0
    for (const [index, item] of scanned.entries()) {
      const isWhole = this.#take(item, flushed)
      if (!isWhole) {
        cut = this.#cutFrom(tail, tailEnd, scanned.slice(index))
        break
      }
      if (item.is === 'gap' || this.#pending !== undefined) continue
      tail = item.segment
      tailEnd = item.record.endOffset
      bytes += item.record.endOffset - item.record.startOffset
    }
    if (cut === undefined && (this.#gap !== undefined || this.#pending !== undefined)) {
      if (this.#last >= flushed) cut = this.#cutFrom(tail, tailEnd, [])
      else this.#lose()
    }
    const tree = this.#isSalvaged ? recounted(this.#tree) : this.#tree
    return {
      tree,
      lastRev: this.#lastRev,
      lastIno: this.#lastIno,
      lastSeq: this.#lastSeq,
      transaction: this.#last,
      epoch: this.#highestEpoch,
      clients: this.#start.clients,
      tail: segments.at(-1),
      cut,
      losses: [...this.#losses, ...this.#lostContents(tree)],
      mendedRecords: this.#mended,
      bytes,
      count: this.#count,
    }
  }

  /** The highest transaction that is known to have been flushed. */
  #flushed(scanned: readonly Scanned[]): number {
    if (this.#options.isAtomic) return Infinity
    let flushed = this.#start.transaction
    let [highest, before, segment] = [0, 0, -1]
    for (const item of scanned) {
      if (item.is === 'gap') continue
      const { record } = item
      // A segment is flushed before the next one begins.
      if (item.segment.number !== segment) flushed = Math.max(flushed, highest)
      segment = item.segment.number
      flushed = Math.max(flushed, record.flushed)
      if (isNote(record) || !record.isLast || record.transaction <= highest) continue
      before = highest
      highest = record.transaction
      // Version 1 does not record flushes: a transaction that valid data follows is taken as flushed.
      if (record.version === 1) flushed = Math.max(flushed, before)
    }
    return flushed
  }

  /** Whether to continue; `false` where the unfinished end begins. */
  #take(item: Scanned, flushed: number): boolean {
    if (item.is === 'gap') {
      const { segment, startOffset, endOffset } = item
      this.#gap ??= { segment, startOffset, endOffset }
      return true
    }
    const { record, segment } = item
    if (record.isMended) this.#mended++
    if (this.#start.isUnknown === true && this.#count === 0 && this.#pending === undefined && !isNote(record))
      this.#last = record.transaction - 1
    if (record.epoch > this.#epoch && this.#isNext(record, 0)) {
      // The previous session found the same end, and cut it off.
      this.#pending = undefined
      this.#gap = undefined
    }
    if (record.transaction < this.#last || (!isNote(record) && record.transaction === this.#last)) return true
    if (!this.#isNext(record, this.#pending?.nextIndex ?? 0)) {
      if (this.#last >= flushed) return false
      this.#lose()
      this.#last = isNote(record) ? record.transaction : record.transaction - 1
    }
    if (isNote(record)) {
      if (this.#pending === undefined) this.#gap = undefined
      this.#epoch = Math.max(this.#epoch, record.epoch)
      this.#noteMark(new ByteReader(record.facts))
      return true
    }
    this.#gap = undefined
    this.#pending ??= { records: [], segment, nextIndex: 0 }
    this.#pending.records.push(record)
    this.#pending.nextIndex = record.index + 1
    return record.isLast ? this.#commit(this.#pending, flushed) : true
  }

  /** Whether nothing is missing between the last record and this one. Version 1 does not show what is missing within a transaction. */
  #isNext(record: FoundRecord, index: number): boolean {
    if (isNote(record)) return record.transaction === this.#last
    if (record.transaction !== this.#last + 1) return false
    return record.version === 1 ? this.#gap === undefined || record.epoch > this.#epoch : record.index === index
  }

  /** Checks the contents of the transaction if a crash may have kept them from the disk. Returns whether they are all there. */
  #commit({ records, segment }: Pending, flushed: number): boolean {
    const last = records.at(-1)
    if (last === undefined) return true
    if (last.transaction > flushed && records.some(record => !isContentWhole(segment, record))) return false
    this.#apply(records, segment)
    this.#last = last.transaction
    this.#epoch = Math.max(this.#epoch, last.epoch)
    this.#pending = undefined
    return true
  }

  #apply(records: readonly FoundRecord[], segment: NumberedFile): void {
    const contents = this.#contentsIn(segment)
    const edits: Edit[] = []
    for (const record of records) {
      const reader = new ByteReader(record.facts)
      const edit = readEdit(record, contents, reader)
      if (edit !== undefined) edits.push(edit)
      if (record.isLast) this.#noteMark(reader)
    }
    for (const edit of edits) {
      this.#applyOne(edit)
      this.#lastRev = Math.max(this.#lastRev, edit.rev)
      if (edit.kind !== 'put') continue
      this.#lastRev = Math.max(this.#lastRev, edit.node.rev)
      this.#lastIno = Math.max(this.#lastIno, edit.node.ino)
    }
    this.#lastSeq += edits.length
    this.#count++
    this.#options.onReplay(records[0]?.transaction ?? 0, edits)
  }

  #applyOne(edit: Edit): void {
    if (this.#losses.length === 0 && this.#lost.size === 0) {
      this.#tree.apply(edit)
      return
    }
    this.#isSalvaged = true
    try {
      applyAnyway(this.#tree, edit)
    } catch (error) {
      if (!isVfsError(error)) throw error
      this.#losses.push({ what: 'change', path: edit.path })
    }
  }

  /** Continues after an unreadable range, with all that is undamaged in the transaction that it interrupted. */
  #lose(): void {
    const pending = this.#pending
    const end = pending?.records.at(-1)?.endOffset ?? this.#start.segmentOffset
    const { segment, startOffset, endOffset } = this.#gap ?? { segment: pending?.segment, startOffset: end, endOffset: end }
    this.#losses.push({ what: 'changes', segment: segment?.number ?? 0, startOffset, endOffset, transaction: this.#last })
    if (pending !== undefined) {
      this.#apply(pending.records, pending.segment)
      this.#last = pending.records[0]?.transaction ?? this.#last
    }
    this.#pending = undefined
    this.#gap = undefined
  }

  #noteMark(reader: ByteReader): void {
    const mark = readMark(reader)
    if (mark === undefined) return
    this.#start.clients.note(mark)
    this.#lastRev = Math.max(this.#lastRev, mark.lastRev)
    this.#lastIno = Math.max(this.#lastIno, mark.lastIno)
  }

  #contentsIn(holder: NumberedFile): ContentReader {
    const { files, cache } = this.#options
    const whole = (pieces: readonly StoredPiece[], record: FoundRecord): Content =>
      contentFrom(pieces, cache, ({ fileNumber, offset, contentLength, checksum }) =>
        fileNumber === 0
          ? StoredContent.at(holder, record.contentOffset, contentLength, checksum, cache)
          : StoredContent.at(files.at(fileNumber), offset, contentLength, checksum, cache),
      )
    return {
      whole,
      changed: (path, { start, end, ...of }, pieces, record) => {
        const before = contentBefore(this.#tree, path, of) ?? this.#lostContent(of.lengthBytes)
        return changed({ before, start, end, pieces: piecesOf(whole(pieces, record)) }, cache)
      },
    }
  }

  /** Reading it fails with EIO. */
  #lostContent(lengthBytes: number): Content {
    const { files, cache } = this.#options
    const content = StoredContent.at(files.at(lostNumber), 0, lengthBytes, 0, cache)
    this.#lost.add(content)
    return content
  }

  /** Later changes may have replaced a lost content. */
  #lostContents(tree: Tree): Loss[] {
    if (this.#lost.size === 0) return []
    const losses: Loss[] = []
    for (const { path, content } of filesOf(tree)) {
      const isLost = piecesOf(content).some(piece => this.#lost.has(piece.content))
      if (isLost) losses.push({ what: 'content', path, lengthBytes: content.length })
    }
    return losses
  }

  #cutFrom(tail: NumberedFile | undefined, tailEnd: number, rest: readonly Scanned[]): CutEnd | undefined {
    if (tail === undefined) return undefined
    const later = new Set(rest.map(({ segment }) => segment).filter(segment => segment !== tail))
    const bytes = [...later].reduce((sum, { sizeBytes }) => sum + sizeBytes - headerBytes, tail.sizeBytes - tailEnd)
    const transactions = rest.filter(item => item.is === 'record' && item.record.isLast && !isNote(item.record)).length
    return { segment: tail.number, startOffset: tailEnd, bytes, transactions }
  }
}
