// Reads a kept output in pages. Each page is the whole content of its block, so that joined pages are the output, byte for byte.

import { findOutput, parseOutputAddress, readBytePage } from '../../../session/output-page.ts'
import type { Session } from '../../../session/session.ts'
import type { ToolOutcome } from '../../../session/tool.ts'
import { cutLimits } from '../limits.ts'

interface StoredArguments {
  readonly path: string
  readonly offset?: number | undefined
  readonly limit?: number | undefined
}

/** The first text block is the page; if more follows, a second block says how to continue. Throws `ToolError` `artifact-unknown`. */
export async function readStoredOutput(session: Session, { path, offset, limit }: StoredArguments): Promise<ToolOutcome> {
  const address = parseOutputAddress(path)
  const output = await findOutput(session.outputs, address, path)
  const firstIndex = Math.max(1, offset ?? 1) - 1
  const asked = address?.bytes ?? {
    startByte: await output.startOfLine(firstIndex),
    endByte: limit === undefined || limit === 0 ? output.sizeBytes : await output.startOfLine(firstIndex + limit),
  }
  const { text, startByte, endByte, nextAddress } = await readBytePage(output, asked, cutLimits.read.maxBytes)
  const more = `[Bytes ${startByte}-${endByte} of ${output.sizeBytes}. Go on with read ${nextAddress}]`
  return {
    content: [{ type: 'text', text }, ...(nextAddress === undefined ? [] : [{ type: 'text' as const, text: more }])],
    details: { path: output.address, title: output.title, startByte, endByte, bytes: output.sizeBytes },
  }
}
