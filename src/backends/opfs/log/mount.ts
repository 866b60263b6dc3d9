// From files to a tree: the newest whole checkpoint, and every whole transaction after it. What a crash left half done at the end is
// cut off; what is damaged elsewhere is an error, because going on without it would lose what was acknowledged.

import { createStamps } from '../../../vfs/tree/stamps.ts'
import type { Edit } from '../../../vfs/tree/edit.ts'
import { Tree } from '../../../vfs/tree/tree.ts'
import { type Checkpoint, contentsOf, decodeCheckpoint, encodeCheckpoint, generationOf } from './checkpoint.ts'
import { ByteReader } from './bytes.ts'
import { ClientTable, readMark } from './clients.ts'
import { type ContentCache, StoredContent } from './content.ts'
import { type ContentReader, readEdit } from './edit-codec.ts'
import { damagedStore } from './failure.ts'
import { StoreFiles } from './files.ts'
import { headerBytes, type NumberedFile, readHeader } from './header.ts'
import { type FoundRecord, readRecord, recordTypes } from './record.ts'
import type { LogStorage } from './storage.ts'
import { FileWindow } from './window.ts'
import { AnchorageError } from '../../../core/errors.ts'

/** What to do with a store that is damaged elsewhere than at its end. `cut`: go back to the last state before the damage. */
export type OnDamage = 'refuse' | 'cut'

/** Hears of each transaction after the checkpoint, in order, also of a checkpoint that is then found to be of no use. */
export type OnReplay = (transaction: number, edits: readonly Edit[]) => void

export interface Mounted {
  readonly files: StoreFiles
  readonly tree: Tree
  readonly lastRev: number
  readonly lastIno: number
  readonly lastSeq: number
  readonly transaction: number
  readonly epoch: number
  readonly generation: number
  readonly tail: NumberedFile
  readonly activeCheckpoint: NumberedFile
  readonly spareCheckpoint: NumberedFile
  /** Bytes and transactions that were replayed: what the next mount would have to replay again. */
  readonly replayedBytes: number
  readonly replayedCount: number
  readonly clients: ClientTable
  readonly isNew: boolean
}

/** Throws `AnchorageError` `store-damaged` or `store-newer`; then nothing was changed. */
export function mount(
  storage: LogStorage,
  cache: ContentCache,
  clock: () => number,
  onDamage: OnDamage = 'refuse',
  onReplay: OnReplay = () => {},
): Mounted {
  const files = new StoreFiles(storage)
  const leftovers = classify(files, storage)
  // Only the newer one is decoded if it is whole: that is most of the time that opening takes.
  const candidates = files.of('checkpoint').map(holder => ({ holder, bytes: contentOf(holder) }))
  candidates.sort((a, b) => generationOf(b.bytes) - generationOf(a.bytes))
  const reasons: string[] = []
  for (const { holder, bytes } of candidates) {
    const checkpoint = decodeCheckpoint(bytes, number => files.at(number), cache)
    if (checkpoint === undefined) continue
    const replayed = replay(files, checkpoint, cache, onDamage, onReplay)
    if (typeof replayed === 'string') {
      reasons.push(replayed)
      continue
    }
    for (const file of leftovers) storage.discard(file)
    return finish(files, holder, checkpoint, replayed)
  }
  if (reasons.length > 0) throw damagedStore(reasons.join('; the checkpoint before it: '))
  // The transactions after a checkpoint lie behind it; before the first one there can be none.
  if (files.of('segment').some(segment => segment.sizeBytes > headerBytes)) {
    throw damagedStore('neither of its two checkpoints is whole')
  }
  for (const kind of ['segment', 'checkpoint', 'side', 'reserve'] as const) files.of(kind).forEach(file => files.discard(file))
  for (const file of leftovers) storage.discard(file)
  return create(files, clock)
}

/** Gives the files that hold nothing yet but part of a header. */
function classify(files: StoreFiles, storage: LogStorage): StoreFiles['storage']['files'] {
  return storage.files.filter(file => {
    const header = readHeader(file)
    switch (header.is) {
      case 'file':
        files.add(file, header.kind, header.number)
        return false
      case 'empty':
        return file.sizeBytes() > 0
      case 'foreign':
        throw damagedStore('one of its files does not begin as it should')
      case 'newer':
        throw new AnchorageError(
          'store-newer',
          `The stored filesystem was written by a newer release (format ${header.version}). Nothing was changed. Next: update anchorage.`,
          { details: { version: header.version } },
        )
    }
  })
}

function contentOf({ file, sizeBytes }: NumberedFile): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.max(0, sizeBytes - headerBytes))
  return bytes.subarray(0, file.read(bytes, headerBytes))
}

interface Replayed {
  readonly tree: Tree
  readonly lastRev: number
  readonly lastIno: number
  readonly lastSeq: number
  readonly transaction: number
  readonly epoch: number
  readonly tail: NumberedFile
  readonly tailEnd: number
  /** Segments behind the damage, where it was to be cut. */
  readonly dropped: readonly NumberedFile[]
  readonly clients: ClientTable
  readonly bytes: number
  readonly count: number
}

/** The state after `checkpoint` and what follows it, or why there is none. Changes no file. */
function replay(
  files: StoreFiles,
  checkpoint: Checkpoint,
  cache: ContentCache,
  onDamage: OnDamage,
  onReplay: OnReplay,
): Replayed | string {
  const segments = files.of('segment').filter(({ number }) => number >= checkpoint.segmentNumber)
  const first = segments[0]
  if (first?.number !== checkpoint.segmentNumber || first.sizeBytes < checkpoint.segmentOffset) {
    return 'the log is missing or shorter than its checkpoint says'
  }
  const tree = new Tree(checkpoint.tree)
  let { lastRev, lastIno, lastSeq, transaction, epoch } = checkpoint
  const { clients } = checkpoint
  let tail = first
  let tailEnd = checkpoint.segmentOffset
  let [bytes, count] = [0, 0]
  const dropped: NumberedFile[] = []

  const commit = (edits: readonly Edit[]): void => {
    for (const edit of edits) {
      tree.apply(edit)
      lastRev = Math.max(lastRev, edit.rev)
      if (edit.kind !== 'put') continue
      lastRev = Math.max(lastRev, edit.node.rev)
      lastIno = Math.max(lastIno, edit.node.ino)
    }
    lastSeq += edits.length
    count++
  }

  for (const [index, segment] of segments.entries()) {
    const start = index === 0 ? checkpoint.segmentOffset : headerBytes
    const window = new FileWindow(segment.file)
    const contents = contentsAt(files, segment, cache)
    let pending: Edit[] = []
    let [offset, end] = [start, start]
    for (;;) {
      const record = readRecord(window, offset)
      if (record === undefined || !follows(record, transaction, epoch)) break
      const reader = new ByteReader(record.facts)
      const edit = readEdit(record, contents, reader)
      offset = record.endOffset
      if (edit !== undefined) pending.push(edit)
      if (!record.isLast) continue
      ;({ transaction, epoch } = record)
      if (pending.length > 0) {
        commit(pending)
        onReplay(transaction, pending)
      }
      const mark = readMark(reader)
      if (mark !== undefined) {
        clients.note(mark)
        lastRev = Math.max(lastRev, mark.lastRev)
        lastIno = Math.max(lastIno, mark.lastIno)
      }
      pending = []
      end = offset
    }
    tail = segment
    tailEnd = end
    bytes += end - start
    // A segment is flushed before the next one begins, so only the last one may end in the middle of something.
    if (end === segment.file.sizeBytes()) continue
    const later = segments.slice(index + 1)
    if (later.some(({ sizeBytes }) => sizeBytes > headerBytes) && onDamage === 'refuse') {
      return `segment ${segment.number} is damaged at byte ${end}, and more was committed after it`
    }
    dropped.push(...later)
    break
  }
  if (files.missing.size > 0) {
    const isLost = contentsOf(tree).some(content => content.length > 0 && content.location?.holder.isGone === true)
    if (isLost) return 'a file with contents of it is missing'
  }
  return { tree, lastRev, lastIno, lastSeq, transaction, epoch, tail, tailEnd, dropped, clients, bytes, count }
}

/** A record of an earlier life, or behind something that is lost, does not belong to what came before it. */
function follows(record: FoundRecord, transaction: number, epoch: number): boolean {
  const expected = record.type === recordTypes.copy ? transaction : transaction + 1
  return record.transaction === expected && record.epoch >= epoch
}

function contentsAt(files: StoreFiles, holder: NumberedFile, cache: ContentCache): ContentReader {
  return {
    inline: ({ contentOffset, contentLength, contentChecksum }) =>
      StoredContent.at(holder, contentOffset, contentLength, contentChecksum, cache),
    stored: ({ fileNumber, offset, length, checksum }) => StoredContent.at(files.at(fileNumber), offset, length, checksum, cache),
  }
}

function finish(files: StoreFiles, holder: NumberedFile, checkpoint: Checkpoint, replayed: Replayed): Mounted {
  const { tail, tailEnd, dropped, bytes, count } = replayed
  // Behind what is cut off there could be a whole record of the life before; it must not turn up behind what is written now.
  if (tail.file.sizeBytes() > tailEnd) tail.file.truncate(tailEnd)
  // What the life before wrote last may still be on its way to the disk. Nothing may be built on it, or given back because of it, until
  // it has arrived.
  tail.file.flush()
  holder.file.flush()
  tail.sizeBytes = tailEnd
  for (const segment of dropped) files.discard(segment)
  discardUnused(files, checkpoint)
  const [spareCheckpoint, ...extra] = files.of('checkpoint').filter(file => file !== holder)
  for (const file of extra) files.discard(file)
  files.nextNumber = Math.max(files.nextNumber, checkpoint.nextNumber)
  return {
    ...replayed,
    files,
    epoch: replayed.epoch + 1,
    generation: checkpoint.generation,
    activeCheckpoint: holder,
    spareCheckpoint: spareCheckpoint ?? beginNow(files, 'checkpoint'),
    replayedBytes: bytes,
    replayedCount: count,
    isNew: false,
  }
}

/** What compaction emptied and a crash kept it from giving back, and side files whose transaction never committed. */
function discardUnused(files: StoreFiles, checkpoint: Checkpoint): void {
  for (const file of [...files.of('segment').filter(({ number }) => number < checkpoint.segmentNumber), ...files.of('side')]) {
    if (!files.referenced.has(file.number)) files.discard(file, 'by and by')
  }
}

function create(files: StoreFiles, clock: () => number): Mounted {
  const stamps = createStamps(clock)
  const tree = Tree.empty(stamps)
  const tail = beginNow(files, 'segment')
  const [activeCheckpoint, spareCheckpoint] = [beginNow(files, 'checkpoint'), beginNow(files, 'checkpoint')]
  const state = { lastRev: stamps.lastRev, lastIno: stamps.lastIno, lastSeq: 0, transaction: 0, epoch: 1, generation: 1 }
  const first = { ...state, segmentNumber: tail.number, segmentOffset: headerBytes, nextNumber: files.nextNumber }
  activeCheckpoint.file.append(encodeCheckpoint(first, tree))
  activeCheckpoint.file.flush()
  const clients = new ClientTable()
  return {
    ...state,
    files,
    tree,
    tail,
    activeCheckpoint,
    spareCheckpoint,
    clients,
    replayedBytes: 0,
    replayedCount: 0,
    isNew: true,
  }
}

function beginNow(files: StoreFiles, kind: 'segment' | 'checkpoint'): NumberedFile {
  const begun = files.begin(kind)
  if (begun === undefined) throw new Error('the storage has no spare file to open a store with')
  return begun
}
