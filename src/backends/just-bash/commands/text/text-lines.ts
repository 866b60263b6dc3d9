// Reads all inputs of a command as one text.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { decodeInParts, paceOf } from '../pace.ts'
import { eachInput } from '../program.ts'

/** The concatenated inputs; `code` is 1 if one of them could not be read. */
export async function textOf(
  context: ShellCommandContext,
  command: string,
  names: readonly string[],
): Promise<{ readonly text: string; readonly code: number }> {
  let text = ''
  const code = await eachInput(context, command, names, async bytes => {
    text += await decodeInParts(bytes, paceOf(context.signal))
  })
  return { text, code }
}
