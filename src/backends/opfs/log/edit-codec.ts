// Encodes edits as the facts of records, and decodes them.

import type { VfsPath } from '../../../core/path.ts'
import { unreachable } from '../../../core/errors.ts'
import type { EntryKind } from '../../../vfs/backend.ts'
import type { Edit } from '../../../vfs/tree/edit.ts'
import type { Extra } from '../../../vfs/tree/node.ts'
import type { ByteReader, ByteWriter } from './bytes.ts'
import { type FoundRecord, type RecordType, recordTypes } from './record.ts'
import type { Location, StoredContent } from './content.ts'
import type { Content, Piece } from './pieced-content.ts'
import type { StoredChange } from './stored-change.ts'

/** A part of a content, and where that content is stored. File number 0 means: in the record itself. */
export interface StoredPiece {
  readonly fileNumber: number
  readonly offset: number
  readonly contentLength: number
  readonly checksum: number
  readonly start: number
  readonly length: number
}

/** Makes the content that a record describes. */
export interface ContentReader {
  whole(pieces: readonly StoredPiece[], record: FoundRecord): Content
  /** What `change` of the file at `path` leaves, with `pieces` in place of the bytes that it replaces. */
  changed(path: VfsPath, change: StoredChange, pieces: readonly StoredPiece[], record: FoundRecord): Content
}

const changes = ['create', 'modify', 'attributes'] as const
/** Added to the change: owners and the time of the last read follow. Since version 4. */
const extraFlag = 4
const entryKinds = ['file', 'directory', 'symlink'] as const satisfies readonly EntryKind[]

export function recordType(edit: Edit): RecordType {
  switch (edit.kind) {
    case 'put':
      return recordTypes[edit.node.kind]
    case 'link':
      return recordTypes.link
    case 'drop':
      return recordTypes.drop
    case 'move':
      return recordTypes.move
    default:
      return unreachable(edit)
  }
}

/**
 * `pieces` are the pieces of the file's content, or those that `change` adds to it. A content without a place is in the record itself, unless
 * `placed` has it.
 */
export function writeEdit(
  writer: ByteWriter,
  edit: Edit,
  pieces: readonly Piece[],
  placed: ReadonlyMap<StoredContent, Location>,
  change: StoredChange | undefined,
): void {
  writer.text(edit.path)
  writer.float64(edit.atMs)
  writer.float64(edit.rev)
  switch (edit.kind) {
    case 'put': {
      const { node } = edit
      writer.uint8(changes.indexOf(edit.change) + (node.extra === undefined ? 0 : extraFlag))
      writer.uint16(node.mode)
      writer.float64(node.mtimeMs)
      writer.float64(node.ctimeMs)
      writer.float64(node.ino)
      writer.float64(node.rev)
      if (node.extra !== undefined) for (const number of extraNumbers(node.extra)) writer.float64(number)
      if (node.kind === 'symlink') {
        writer.float64(node.sizeBytes)
        writer.text(node.target)
      } else if (node.kind === 'file') {
        writer.uint32(node.nlink)
        if (change !== undefined) for (const field of changeFields) writer.float64(change[field])
        writePieces(writer, pieces, placed)
      }
      return
    }
    case 'link':
      writer.text(edit.existing)
      writer.float64(edit.nodeRev)
      return
    case 'drop':
      writer.uint8(entryKinds.indexOf(edit.entry))
      return
    case 'move':
      writer.text(edit.from)
      writer.uint8(entryKinds.indexOf(edit.entry))
      writer.float64(edit.nodeRev)
      return
    default:
      unreachable(edit)
  }
}

/**
 * The edit of a record whose checksum has been verified. `undefined` for a note, which changes nothing. `reader` is at the record's facts,
 * and afterwards at the end of the edit's facts.
 */
export function readEdit(record: FoundRecord, contents: ContentReader, reader: ByteReader): Edit | undefined {
  const { type } = record
  if (type === recordTypes.note) return undefined
  const stamp = { path: readPath(reader), atMs: reader.float64(), rev: reader.float64() }
  switch (type) {
    case recordTypes.file:
    case recordTypes.storedFile:
    case recordTypes.change:
    case recordTypes.directory:
    case recordTypes.symlink: {
      const word = reader.uint8()
      const change = member(changes, word & ~extraFlag)
      const plain = {
        mode: reader.uint16(),
        mtimeMs: reader.float64(),
        ctimeMs: reader.float64(),
        ino: reader.float64(),
        rev: reader.float64(),
      }
      const extra = extraFrom((word & extraFlag) === 0 ? [] : [reader.float64(), reader.float64(), reader.float64()])
      const facts = extra === undefined ? plain : { ...plain, extra }
      const put = { kind: 'put', change, ...stamp } as const
      if (type === recordTypes.directory) return { ...put, node: { kind: 'directory', ...facts } }
      if (type === recordTypes.symlink) {
        const sizeBytes = reader.float64()
        return { ...put, node: { kind: 'symlink', sizeBytes, target: reader.text(), nlink: 1, ...facts } }
      }
      const nlink = reader.uint32()
      const found = type === recordTypes.change ? readChange(reader) : undefined
      const pieces = record.version === 1 ? piecesOfVersion1(record, reader) : readPieces(reader)
      const bytes = found === undefined ? contents.whole(pieces, record) : contents.changed(stamp.path, found, pieces, record)
      return { ...put, node: { kind: 'file', bytes, nlink, ...facts } }
    }
    case recordTypes.link:
      // The kind is not stored, because only watchers need it.
      return { kind: 'link', ...stamp, existing: readPath(reader), entry: 'file', nodeRev: reader.float64() }
    case recordTypes.drop:
      return { kind: 'drop', ...stamp, entry: member(entryKinds, reader.uint8()) }
    case recordTypes.move: {
      const from = readPath(reader)
      return { kind: 'move', ...stamp, from, entry: member(entryKinds, reader.uint8()), nodeRev: reader.float64() }
    }
    default:
      return unreachable(type)
  }
}

const extraFields = ['uid', 'gid', 'atimeMs'] as const satisfies readonly (keyof Extra)[]
export const extraColumns = 3

/** Not a number: what is not set. */
export function extraNumbers(extra: Extra): readonly number[] {
  return extraFields.map(field => extra[field] ?? NaN)
}

/** `undefined` if `numbers` has none that is set. */
export function extraFrom(numbers: ArrayLike<number>): Extra | undefined {
  const found = extraFields.flatMap((field, index) => {
    const number = numbers[index] ?? NaN
    return Number.isNaN(number) ? [] : [[field, number] as const]
  })
  return found.length === 0 ? undefined : Object.fromEntries(found)
}

const changeFields = ['ino', 'rev', 'lengthBytes', 'start', 'end'] as const satisfies readonly (keyof StoredChange)[]

function readChange(reader: ByteReader): StoredChange {
  const file = { ino: reader.float64(), rev: reader.float64(), lengthBytes: reader.float64() }
  return { ...file, start: reader.float64(), end: reader.float64() }
}

/** Makes no objects: a file that is changed often has many pieces. */
function writePieces(writer: ByteWriter, pieces: readonly Piece[], placed: ReadonlyMap<StoredContent, Location>): void {
  writer.uint32(pieces.length)
  for (const { content, start, length } of pieces) {
    const location = content.isPlaced ? undefined : placed.get(content)
    writer.uint32(location?.holder.number ?? content.fileNumber)
    writer.float64(location?.offset ?? content.offset)
    writer.uint32(content.length)
    writer.uint32(content.checksum)
    writer.uint32(start)
    writer.uint32(length)
  }
}

function readPieces(reader: ByteReader): StoredPiece[] {
  const pieces: StoredPiece[] = []
  for (let count = reader.uint32(); count > 0; count--) {
    const place = { fileNumber: reader.uint32(), offset: reader.float64() }
    const of = { contentLength: reader.uint32(), checksum: reader.uint32() }
    pieces.push({ ...place, ...of, start: reader.uint32(), length: reader.uint32() })
  }
  return pieces
}

/** One whole content, in the record or elsewhere. */
function piecesOfVersion1(record: FoundRecord, reader: ByteReader): StoredPiece[] {
  const { contentLength, contentChecksum } = record
  const place =
    record.type === recordTypes.file
      ? { fileNumber: 0, offset: 0, contentLength, checksum: contentChecksum }
      : { fileNumber: reader.uint32(), offset: reader.float64(), contentLength: reader.float64(), checksum: reader.uint32() }
  return place.contentLength === 0 ? [] : [{ ...place, start: 0, length: place.contentLength }]
}

/** The path was checked when it was written, and the checksum of the record has been verified. */
function readPath(reader: ByteReader): VfsPath {
  return reader.text() as VfsPath
}

function member<T>(values: readonly T[], index: number): T {
  const value = values[index]
  if (value === undefined) throw new RangeError(`a record names choice ${index} of ${values.length}`)
  return value
}
