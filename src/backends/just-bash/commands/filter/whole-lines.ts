// Applies a change to each line of an input. The input is processed in pieces that end at a newline.

import { decodeText } from '../../../../shell/byte-text.ts'
import { PendingInput, type ShellInput, type ShellOutput } from '../../../../shell/commands.ts'

/**
 * Writes the result of `change` for each line of `input`; `change` gets the line without its newline, and may return a promise for
 * a long one. `ends`: whether a missing newline after the last line is added.
 */
export async function mapLines(
  input: ShellInput,
  output: ShellOutput,
  change: (line: string) => string | Promise<string>,
  ends: 'as-given' | 'always' = 'as-given',
): Promise<void> {
  const pending = new PendingInput()
  const write = async (bytes: Uint8Array): Promise<void> => {
    if (bytes.length === 0) return
    const lines = decodeText(bytes).split('\n')
    const open = lines.pop() ?? ''
    let changed = ''
    for (const line of lines) {
      const result = change(line)
      changed += typeof result === 'string' ? result : await result
      changed += '\n'
    }
    await output.write(open === '' ? changed : changed + (await change(open)) + (ends === 'always' ? '\n' : ''))
  }
  for (let piece = await input.read(); piece !== undefined; piece = await input.read()) {
    const end = piece.lastIndexOf(10) + 1
    if (end === 0) pending.add(piece.slice())
    else {
      pending.add(piece.subarray(0, end))
      await write(pending.take())
      if (end < piece.length) pending.add(piece.slice(end))
    }
  }
  await write(pending.take())
}
