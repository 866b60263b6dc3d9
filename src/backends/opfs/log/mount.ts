// Builds the tree from the files: the newest valid checkpoint, and every complete transaction after it. Data that a crash left unfinished
// at the end is ignored, reported and left in place. Damage anywhere else is an error that lists what is lost, unless the host has agreed
// to continue without it.

import { createStamps } from '../../../vfs/tree/stamps.ts'
import { Tree } from '../../../vfs/tree/tree.ts'
import { type Checkpoint, decodeCheckpoint, encodeCheckpoint, generationOf } from './checkpoint.ts'
import { ClientTable } from './clients.ts'
import type { ContentCache } from './content.ts'
import { damagedStore, isQuotaError, newerStore, storageError } from './failure.ts'
import { StoreFiles } from './files.ts'
import { formatVersion, headerBytes, type NumberedFile, readHeader } from './header.ts'
import type { Loss } from './losses.ts'
import { piecesOf } from './pieced-content.ts'
import { readRecord, UnknownRecord } from './record.ts'
import { type OnReplay, replay, type Replayed, type ReplayStart } from './replay.ts'
import type { LogFile, LogStorage } from './storage.ts'
import { filesOf } from './tree-contents.ts'
import { FileWindow } from './window.ts'

export type { OnReplay } from './replay.ts'

/** What to do with a store that has lost data. `cut`: continue with everything undamaged; reading missing content fails with EIO. */
export type OnDamage = 'refuse' | 'cut'

export interface MountOptions {
  readonly clock: () => number
  readonly onDamage?: OnDamage
  readonly onReplay?: OnReplay
}

export interface Mounted extends Omit<Replayed, 'tail' | 'epoch'> {
  readonly files: StoreFiles
  readonly epoch: number
  readonly generation: number
  readonly tail: NumberedFile
  /** If there is no checkpoint file, it is created when a checkpoint is written. */
  readonly activeCheckpoint: NumberedFile | undefined
  readonly spareCheckpoint: NumberedFile | undefined
  /** Files that nothing refers to, except possibly the checkpoint before the newest one. */
  readonly unused: readonly NumberedFile[]
  /** A checkpoint saves the next mount this work: something was repaired, cut off, lost, or written by an earlier release. */
  readonly isCheckpointDue: boolean
  readonly isNew: boolean
}

/** Throws `AnchorageError` `store-damaged` or `store-newer`; then nothing was changed. */
export function mount(storage: LogStorage, cache: ContentCache, options: MountOptions): Mounted {
  try {
    return mountKnown(storage, cache, options)
  } catch (error) {
    if (error instanceof UnknownRecord) throw newerStore(formatVersion)
    throw error
  }
}

function mountKnown(storage: LogStorage, cache: ContentCache, { clock, onDamage = 'refuse', onReplay }: MountOptions): Mounted {
  const files = new StoreFiles(storage)
  const { leftovers, unreadable } = classify(files, storage)
  const candidates = checkpointsOf(files, cache)
  const hasContents = [...files.of('segment'), ...files.of('side')].some(({ sizeBytes }) => sizeBytes > headerBytes)
  if (candidates.length === 0 && !hasContents && unreadable.length === 0) {
    for (const kind of ['segment', 'checkpoint', 'side', 'reserve'] as const) files.of(kind).forEach(file => files.discard(file))
    for (const file of leftovers) storage.discard(file)
    return create(files, clock)
  }
  const found = bestOf(candidates, unreadable, {
    files,
    cache,
    clock,
    isAtomic: storage.isAtomic === true,
    onReplay: onReplay ?? (() => {}),
  })
  if (found.losses.length > 0 && onDamage === 'refuse') throw damagedStore(found.losses)
  for (const file of [...leftovers, ...unreadable]) storage.discard(file)
  return finish(files, found, candidates)
}

interface Candidate {
  readonly holder: NumberedFile
  readonly checkpoint: Checkpoint
}

interface Found {
  readonly replayed: Replayed
  readonly losses: readonly Loss[]
  /** `undefined`: neither checkpoint is valid. */
  readonly candidate: Candidate | undefined
}

/** Each of `leftovers` holds only a part of a header. */
function classify(
  files: StoreFiles,
  storage: LogStorage,
): { readonly leftovers: readonly LogFile[]; readonly unreadable: readonly LogFile[] } {
  const leftovers: LogFile[] = []
  const unreadable: LogFile[] = []
  for (const file of storage.files) {
    const header = readHeader(file)
    if (header.is === 'newer') throw newerStore(header.version)
    if (header.is === 'file') files.add(file, header.kind, header.number, header.version)
    else if (header.is === 'unreadable') unreadable.push(file)
    else if (file.sizeBytes() > 0) leftovers.push(file)
  }
  // A record is valid only at its own place, so the first record of a segment reveals the number in the damaged header.
  return { leftovers, unreadable: unreadable.filter(file => !isIdentified(file, files)) }
}

/** At most this many numbers may have been used since the last one that is known. */
const triedNumbers = 1_024

function isIdentified(file: LogFile, files: StoreFiles): boolean {
  const window = new FileWindow(file)
  for (let number = 1; number < files.nextNumber + triedNumbers; number++) {
    if (readRecord(window, number, headerBytes)?.isMended !== false) continue
    files.add(file, 'segment', number, formatVersion)
    return true
  }
  return false
}

/** Newest first. */
function checkpointsOf(files: StoreFiles, cache: ContentCache): readonly Candidate[] {
  const read = files.of('checkpoint').map(holder => ({ holder, bytes: bytesIn(holder) }))
  return read
    .toSorted((a, b) => generationOf(b.bytes) - generationOf(a.bytes))
    .flatMap(({ holder, bytes }) => {
      const checkpoint = decodeCheckpoint(bytes, holder.version, number => files.at(number), cache)
      return checkpoint === undefined ? [] : [{ holder, checkpoint }]
    })
}

function bytesIn({ file, sizeBytes }: NumberedFile): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(Math.max(0, sizeBytes - headerBytes))
  return bytes.subarray(0, file.read(bytes, headerBytes))
}

interface Sources {
  readonly files: StoreFiles
  readonly cache: ContentCache
  readonly clock: () => number
  readonly isAtomic: boolean
  readonly onReplay: OnReplay
}

/** The state with the least loss; the newest checkpoint is tried first. */
function bestOf(candidates: readonly Candidate[], unreadable: readonly LogFile[], sources: Sources): Found {
  const common: readonly Loss[] = unreadable.map(file => ({ what: 'file', lengthBytes: file.sizeBytes() }))
  let best: Found | undefined
  for (const candidate of candidates) {
    const found = replayFrom(candidate, common, sources)
    if (best === undefined || found.losses.length < best.losses.length) best = found
    if (best.losses.length === common.length) break
  }
  return best ?? replayFrom(undefined, [...common, { what: 'checkpoints' }], sources)
}

function replayFrom(candidate: Candidate | undefined, common: readonly Loss[], sources: Sources): Found {
  const replayed = replay(candidate?.checkpoint ?? nothingKnown(sources), sources)
  return { replayed, candidate, losses: [...common, ...replayed.losses, ...missingContents(replayed.tree, sources.files)] }
}

function nothingKnown({ files, clock }: Sources): ReplayStart {
  const { lastRev, lastIno, tree } = emptyTree(clock)
  const numbers = { epoch: 0, transaction: 0, lastRev, lastIno, lastSeq: 0 }
  const place = { segmentNumber: files.of('segment')[0]?.number ?? 0, segmentOffset: headerBytes }
  return { ...numbers, ...place, tree, clients: new ClientTable(), isUnknown: true }
}

/** Files whose contents were in a file of the store that does not exist. */
function missingContents(tree: Tree, { missing }: StoreFiles): Loss[] {
  if (missing.size === 0) return []
  const losses: Loss[] = []
  for (const { path, content } of filesOf(tree)) {
    const isMissing = piecesOf(content).some(piece => missing.has(piece.content.location?.holder.number ?? 0))
    if (isMissing) losses.push({ what: 'content', path, lengthBytes: content.length })
  }
  return losses
}

function finish(files: StoreFiles, { replayed, losses, candidate }: Found, candidates: readonly Candidate[]): Mounted {
  const { cut, tail } = replayed
  files.nextNumber = Math.max(files.nextNumber, candidate?.checkpoint.nextNumber ?? 0)
  // The last writes of the previous session may still be on their way to the disk. Until they have arrived, nothing may be built on them or
  // freed because of them.
  tail?.file.flush()
  candidate?.holder.file.flush()
  const [active, spare, ...extra] = [
    ...(candidate === undefined ? [] : [candidate.holder]),
    ...files.of('checkpoint').filter(file => file !== candidate?.holder && file.version === formatVersion),
    ...files.of('checkpoint').filter(file => file !== candidate?.holder && file.version !== formatVersion),
  ]
  const isOld = tail?.version !== formatVersion || active?.version !== formatVersion
  // Ignored data stays in place, in a segment that is not written to any more.
  const isContinued = cut === undefined && tail?.version === formatVersion && losses.length === 0
  const begins = Math.min(...candidates.map(({ checkpoint }) => checkpoint.segmentNumber))
  const unused = [...files.of('segment').filter(({ number }) => number < begins), ...files.of('side')].filter(
    ({ number }) => !files.referenced.has(number),
  )
  return {
    ...replayed,
    losses,
    files,
    tail: isContinued ? tail : beginNow(files, 'segment'),
    epoch: replayed.epoch + 1,
    generation: candidate?.checkpoint.generation ?? 0,
    activeCheckpoint: active,
    spareCheckpoint: spare,
    unused: [...unused, ...extra],
    isCheckpointDue: isOld || !isContinued || replayed.mendedRecords > 0 || candidates.length < 2,
    isNew: false,
  }
}

function emptyTree(clock: () => number): { readonly tree: Tree; readonly lastRev: number; readonly lastIno: number } {
  const stamps = createStamps(clock)
  const tree = Tree.empty(stamps)
  return { tree, lastRev: stamps.lastRev, lastIno: stamps.lastIno }
}

function create(files: StoreFiles, clock: () => number): Mounted {
  const { tree, lastRev, lastIno } = emptyTree(clock)
  const tail = beginNow(files, 'segment')
  const [activeCheckpoint, spareCheckpoint] = [beginNow(files, 'checkpoint'), beginNow(files, 'checkpoint')]
  const state = { lastRev, lastIno, lastSeq: 0, transaction: 0, epoch: 1, generation: 1 }
  const first = { ...state, segmentNumber: tail.number, segmentOffset: headerBytes, nextNumber: files.nextNumber }
  activeCheckpoint.file.append(encodeCheckpoint(first, tree))
  activeCheckpoint.file.flush()
  return {
    ...state,
    files,
    tree,
    tail,
    activeCheckpoint,
    spareCheckpoint,
    clients: new ClientTable(),
    cut: undefined,
    losses: [],
    mendedRecords: 0,
    bytes: 0,
    count: 0,
    unused: [],
    isCheckpointDue: false,
    isNew: true,
  }
}

/** On a full disk it uses the space of the reserve. Throws `VfsError` ENOSPC. */
function beginNow(files: StoreFiles, kind: 'segment' | 'checkpoint'): NumberedFile {
  try {
    return begunFile(files, kind)
  } catch (error) {
    if (!isQuotaError(error)) throw error
    for (const reserve of files.of('reserve')) files.discard(reserve)
    try {
      return begunFile(files, kind)
    } catch (again) {
      throw storageError(again, 'open')
    }
  }
}

function begunFile(files: StoreFiles, kind: 'segment' | 'checkpoint'): NumberedFile {
  const begun = files.begin(kind)
  if (begun === undefined) throw new Error('the storage has no spare file to open a store with')
  return begun
}
