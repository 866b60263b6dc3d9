// The names that a call of tar is about: those it was given, and those in the file that -T names.

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
