// What was cut can be put together again byte for byte: a kept output is read in pages, and nothing but the page is in its block.

import { findOutput, parseOutputAddress, readBytePage } from '../../../session/output-page.ts'
import type { Session } from '../../../session/session.ts'
import type { ToolOutcome } from '../../../session/tool.ts'
import { cutLimits } from '../limits.ts'

interface StoredArguments {
  readonly path: string
  readonly offset?: number | undefined
  readonly limit?: number | undefined
}

/** The first text block is the page; a second one, if there is more, says where it goes on. Throws `ToolError` `artifact-unknown`. */
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
