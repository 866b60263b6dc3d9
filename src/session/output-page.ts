// Pages of a stored output. The toolsets format them differently, but use the same boundaries.

import type { LineEnding, TextDocument } from '../core/text.ts'
import { ToolError, unreachable } from '../core/errors.ts'
import type { StoredOutput } from './output-entry.ts'
import type { OutputStore } from './outputs.ts'

export interface OutputAddress {
  readonly id: number
  /** `?bytes=START-END`: for lines that are too long for pages of lines, and to read an output exactly. */
  readonly bytes: { readonly startByte: number; readonly endByte: number } | undefined
}

const addressPattern = /^artifact:\/\/(\d{1,15})(?:\?bytes=(\d{1,15})-(\d{1,15}))?$/

export function parseOutputAddress(text: string): OutputAddress | undefined {
  const [, id, start, end] = addressPattern.exec(text) ?? []
  if (id === undefined) return undefined
  return {
    id: Number(id),
    bytes: start === undefined || end === undefined ? undefined : { startByte: Number(start), endByte: Number(end) },
  }
}

/** Throws `ToolError` with `code`. */
export async function findOutput(
  outputs: OutputStore,
  address: OutputAddress | undefined,
  asked: string,
  code: 'artifact-unknown' | 'ENOENT' = 'artifact-unknown',
): Promise<StoredOutput> {
  const found = address === undefined ? { kind: 'unknown' as const } : await outputs.find(address.id)
  switch (found.kind) {
    case 'kept':
      return found.output
    case 'unknown':
      throw new ToolError(code, `${asked} is not kept in this session.`, {
        nextStep: 'Only outputs that were cut have an artifact:// address, and the oldest are dropped. Run the command again.',
      })
    case 'gone':
      throw new ToolError(code, `${asked} cannot be read any more. ${found.why}`, {
        nextStep: 'Run the command again if its output is still needed.',
      })
    default:
      return unreachable(found)
  }
}

export interface BytePage {
  readonly text: string
  readonly startByte: number
  readonly endByte: number
  /** Where to continue, if the requested range is longer than one page. */
  readonly nextAddress: string | undefined
}

/**
 * At most `maxBytes` of the requested range. Both ends move forward to the next character boundary, so that consecutive pages
 * have neither gaps nor overlaps.
 */
export async function readBytePage(
  output: StoredOutput,
  asked: { readonly startByte: number; readonly endByte: number },
  maxBytes: number,
): Promise<BytePage> {
  const startByte = await characterBorder(output, asked.startByte)
  const wantedEnd = Math.max(startByte, await characterBorder(output, asked.endByte))
  const endByte = await characterBorder(output, Math.min(wantedEnd, startByte + maxBytes - 3))
  return {
    text: decode(await output.read(startByte, endByte)),
    startByte,
    endByte,
    nextAddress: endByte < wantedEnd ? `${output.address}?bytes=${endByte}-${wantedEnd}` : undefined,
  }
}

async function characterBorder(output: StoredOutput, from: number): Promise<number> {
  const at = Math.min(from, output.sizeBytes)
  const following = await output.read(at, at + 3)
  let skipped = 0
  while (skipped < following.length && ((following[skipped] ?? 0) & 0xc0) === 0x80) skipped++
  return at + skipped
}

export interface LinePageRequest {
  readonly firstIndex: number
  readonly maxLines: number
  /** At least one line is read, up to this size. */
  readonly maxBytes: number
}

/**
 * The output as a document in which only the lines from `firstIndex` on have texts, as many as fit. Lines end at LF only, so that
 * their number agrees with the result of the command.
 */
export async function readLinePage(
  output: StoredOutput,
  requests: readonly LinePageRequest[],
): Promise<{ readonly document: TextDocument; readonly isLineCut: boolean }> {
  // The array is sparse, so that a page of an output with ten million lines needs no more memory than the page.
  const lines: string[] = []
  const endings: LineEnding[] = []
  lines.length = output.lineCount
  endings.length = output.lineCount
  let isLineCut = false
  for (const { firstIndex, maxLines, maxBytes } of requests) {
    const startByte = await output.startOfLine(firstIndex)
    const text = decode(await output.read(startByte, startByte + maxBytes))
    let at = 0
    for (let index = firstIndex; index < Math.min(firstIndex + maxLines, lines.length) && at < text.length; index++) {
      const feed = text.indexOf('\n', at)
      const isWhole = feed !== -1 || startByte + maxBytes >= output.sizeBytes
      // A line that does not fit is left out, unless the page would otherwise be empty.
      if (!isWhole && index > firstIndex) break
      isLineCut ||= !isWhole
      const end = feed === -1 ? text.length : feed
      const hasReturn = feed !== -1 && text.charCodeAt(feed - 1) === 13 && feed > at
      lines[index] = text.slice(at, hasReturn ? end - 1 : end)
      endings[index] = feed === -1 ? '' : hasReturn ? '\r\n' : '\n'
      at = end + 1
    }
  }
  return { document: { bom: false, lines, endings }, isLineCut }
}

export type OutputPage =
  | { readonly kind: 'lines'; readonly document: TextDocument }
  | { readonly kind: 'bytes'; readonly page: BytePage }

/** The size of one read, because lines can be shown from any column. */
const windowBytes = 1024 * 1024

/** Lines from `firstIndex` on, or bytes if the address requests them or a line is too long for a page. */
export async function readOutputPage(
  output: StoredOutput,
  address: OutputAddress | undefined,
  { firstIndex, maxLines, maxBytes }: LinePageRequest,
): Promise<OutputPage> {
  if (address?.bytes !== undefined) return { kind: 'bytes', page: await readBytePage(output, address.bytes, maxBytes) }
  const { document, isLineCut } = await readLinePage(output, [{ firstIndex, maxLines, maxBytes: windowBytes }])
  if (!isLineCut) return { kind: 'lines', document }
  const asked = { startByte: await output.startOfLine(firstIndex), endByte: output.sizeBytes }
  return { kind: 'bytes', page: await readBytePage(output, asked, maxBytes) }
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
}
