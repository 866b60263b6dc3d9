// What was cut can be put together again byte for byte: a kept output is read in pages, and nothing but the page is in its block.

import { ToolError } from '../../../core/errors.ts'
import type { Session } from '../../../session/session.ts'
import type { ToolOutcome } from '../../../session/tool.ts'
import { cutLimits } from '../limits.ts'

interface StoredArguments {
  readonly path: string
  readonly offset?: number | undefined
  readonly limit?: number | undefined
}

const addressPattern = /^artifact:\/\/(\d{1,15})(?:\?bytes=(\d{1,15})-(\d{1,15}))?$/

/**
 * The first text block is the page; a second one, if there is more, says where it goes on. Ends move forward to the next character,
 * so pages that follow each other leave nothing out and repeat nothing. Throws `ToolError` `artifact-unknown`.
 */
export function readStoredOutput(session: Session, { path, offset, limit }: StoredArguments): ToolOutcome {
  const [, id, start, end] = addressPattern.exec(path) ?? []
  const output = id === undefined ? undefined : session.outputs.get(Number(id))
  if (id === undefined || output === undefined) {
    throw new ToolError('artifact-unknown', `${path} is not kept in this session.`, {
      nextStep: 'Only outputs that were cut have an artifact:// address, and the oldest are dropped. Run the call again.',
    })
  }
  const bytes = new TextEncoder().encode(output.text)
  const asked =
    start === undefined
      ? linesRange(bytes, offset, limit)
      : { startByte: Number(start), endByte: Math.min(bytes.length, Number(end)) }
  const startByte = characterBorder(bytes, asked.startByte)
  const wantedEnd = Math.max(startByte, characterBorder(bytes, asked.endByte))
  const pageEnd = characterBorder(bytes, Math.min(wantedEnd, startByte + (cutLimits.read.maxBytes - 3)))
  const page = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes.subarray(startByte, pageEnd))
  const more =
    pageEnd < wantedEnd
      ? `[Bytes ${startByte}-${pageEnd} of ${bytes.length}. Go on with read artifact://${id}?bytes=${pageEnd}-${wantedEnd}]`
      : undefined
  return {
    content: [{ type: 'text', text: page }, ...(more === undefined ? [] : [{ type: 'text' as const, text: more }])],
    details: { path: `artifact://${id}`, title: output.title, startByte, endByte: pageEnd, bytes: bytes.length },
  }
}

/** The bytes of `limit` lines from line `offset` on, the ends of lines included. */
function linesRange(
  bytes: Uint8Array,
  offset: number | undefined,
  limit: number | undefined,
): { readonly startByte: number; readonly endByte: number } {
  const startByte = afterLines(bytes, 0, Math.max(1, offset ?? 1) - 1)
  return { startByte, endByte: limit === undefined || limit === 0 ? bytes.length : afterLines(bytes, startByte, limit) }
}

function afterLines(bytes: Uint8Array, from: number, count: number): number {
  let at = from
  for (let line = 0; line < count && at < bytes.length; line++) {
    const feed = bytes.indexOf(0x0a, at)
    at = feed === -1 ? bytes.length : feed + 1
  }
  return at
}

function characterBorder(bytes: Uint8Array, from: number): number {
  let at = Math.min(from, bytes.length)
  while (at < bytes.length && ((bytes[at] ?? 0) & 0xc0) === 0x80) at++
  return at
}
