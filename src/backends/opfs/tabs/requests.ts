// Turns a transaction into the message that requests it.

import type { Edit } from '../../../vfs/tree/edit.ts'
import type { FileNode } from '../../../vfs/tree/node.ts'
import { changeBetween, changesIn, type Changes } from './content-change.ts'
import { type Bundle, contentBytesOf } from './jobs.ts'
import type { Request } from './messages.ts'
import { encodeEdit, type WireContent } from './wire-edits.ts'

/** Contents larger than this are sent in parts before the request. */
const inlineBytes = 256 * 1024
export const partBytes: number = 1024 * 1024

export interface Prepared {
  readonly request: Request
  /** The contents that are sent in parts. */
  readonly sent: Uint8Array
}

export function prepared(
  { edits, basis, expect, isTogether, base, origin }: Omit<Bundle, 'results'>,
  sequence: number,
  expiresAtMs: number,
  /** Whether the leader takes changes of contents. */
  takesChanges = false,
): Prepared {
  const changes: Changes = base === undefined || !takesChanges ? new Map() : changesIn(edits, base, changeBetween)
  const wholeBytes = contentBytesOf(edits.filter(edit => edit.kind !== 'put' || !changes.has(edit.node)))
  const { wires, sent } = encoded(edits, wholeBytes > inlineBytes, changes)
  const partCount = Math.ceil(sent.length / partBytes)
  const by = origin === undefined ? {} : { origin }
  return { request: { sequence, partCount, expiresAtMs, edits: wires, isTogether, ...by, basis, expect }, sent }
}

function encoded(
  edits: readonly Edit[],
  isApart: boolean,
  changes: Changes,
): { readonly wires: Request['edits']; readonly sent: Uint8Array } {
  const chunks: Uint8Array[] = []
  let offset = 0
  const contentOf = (file: FileNode): WireContent => {
    const change = changes.get(file)
    if (change !== undefined) return { is: 'changed', ...change }
    const content = file.bytes.slice()
    if (!isApart) return { is: 'bytes', bytes: content }
    chunks.push(content)
    offset += content.length
    return { is: 'sent', offset: offset - content.length, length: content.length }
  }
  const wires = edits.map(edit => encodeEdit(edit, contentOf))
  const sent = new Uint8Array(offset)
  let at = 0
  for (const chunk of chunks) {
    sent.set(chunk, at)
    at += chunk.length
  }
  return { wires, sent }
}
