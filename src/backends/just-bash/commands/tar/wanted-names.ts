// What a call of tar applies to: the operands, the names in the file of -T, and what --exclude and the files of -X leave out.

import type { CommandContext } from '../command.ts'
import { latin1Bytes } from '../../encoding.ts'
import { reasonOf } from '../../errno.ts'
import { excluder, type WantedName } from './names.ts'
import type { TarOptions } from './options.ts'
import { pushAll } from '../../../../core/many.ts'

export async function namesOf(
  { names, namesFrom, hasPatterns, directory }: TarOptions,
  context: CommandContext,
): Promise<readonly WantedName[]> {
  if (namesFrom === undefined) return names
  const more = await linesOf(namesFrom, context)
  return [...names, ...more.map(name => ({ name, isPattern: hasPatterns, directory }))]
}

export async function excluderOf(
  { exclude, excludeFrom }: TarOptions,
  context: CommandContext,
): Promise<(name: string) => boolean> {
  const patterns = [...exclude]
  for (const file of excludeFrom) pushAll(patterns, await linesOf(file, context))
  return excluder(patterns)
}

async function linesOf(file: string, { fs, cwd, readStdin }: CommandContext): Promise<readonly string[]> {
  const text =
    file === '-'
      ? new TextDecoder().decode(latin1Bytes(await readStdin()))
      : await fs.readFile(fs.resolvePath(cwd, file)).catch((error: unknown) => {
          throw new Error(`${file}: ${reasonOf(error)}`)
        })
  return text.split('\n').filter(line => line !== '')
}
