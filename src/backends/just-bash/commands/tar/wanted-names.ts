// The names that a call of tar applies to: the operands, and the names in the file of -T.

import type { CommandContext } from '../command.ts'
import { latin1Bytes } from '../../encoding.ts'
import type { TarOptions } from './options.ts'

export async function namesOf(
  { names, namesFrom }: TarOptions,
  { fs, cwd, readStdin }: CommandContext,
): Promise<readonly string[]> {
  if (namesFrom === undefined) return names
  const text =
    namesFrom === '-'
      ? new TextDecoder().decode(latin1Bytes(await readStdin()))
      : await fs.readFile(fs.resolvePath(cwd, namesFrom))
  return [...names, ...text.split('\n').filter(line => line !== '')]
}
