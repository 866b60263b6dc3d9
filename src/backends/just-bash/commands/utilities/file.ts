// file: detects the type of a file's content.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { has, parseArguments, valueOf } from '../options.ts'
import { complain, pathOf, readNamed, statIfThere } from '../program.ts'
import { typeOf, type FileType } from './file-types.ts'
import { reasonOf } from '../../errno.ts'

/** `file [-bhiL0] [--mime-type] [--mime-encoding] [-F SEPARATOR] [-f NAMES] FILE...`. */
export async function file(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    '-b': 'brief',
    '--brief': 'brief',
    '-i': 'mime',
    '--mime': 'mime',
    '--mime-type': 'mime-type',
    '--mime-encoding': 'mime-encoding',
    '-h': 'links',
    '--no-dereference': 'links',
    '-L': 'follow',
    '--dereference': 'follow',
    '-F': 'separator=',
    '--separator': 'separator=',
    '-N': 'unpadded',
    '--no-pad': 'unpadded',
  })
  if (typeof parsed === 'string') return complain(context, 'file', parsed)
  const names = parsed.operands
  if (names.length === 0) return complain(context, 'file', 'missing operand; usage: file [-bi] [--mime-type] FILE...')
  const separator = valueOf(parsed, 'separator') ?? ':'
  const width = has(parsed, 'unpadded') ? 0 : Math.max(...names.map(name => shownName(name).length)) + separator.length
  for (const name of names) {
    const { description, mime, charset } = await typeOfNamed(context, name, has(parsed, 'follow'))
    const shown = has(parsed, 'mime')
      ? `${mime}; charset=${charset}`
      : has(parsed, 'mime-type')
        ? mime
        : has(parsed, 'mime-encoding')
          ? charset
          : description
    const label = has(parsed, 'brief') ? '' : `${(shownName(name) + separator).padEnd(width)} `
    await context.stdout.write(`${label}${shown}\n`)
  }
  return 0
}

function shownName(name: string): string {
  return name === '-' ? '/dev/stdin' : name
}

async function typeOfNamed(context: ShellCommandContext, name: string, follows: boolean): Promise<FileType> {
  if (name !== '-') {
    const path = pathOf(context, name)
    const found = await statIfThere(context, path, follows)
    if (found?.kind === 'directory') return { description: 'directory', mime: 'inode/directory', charset: 'binary' }
    if (found?.kind === 'symlink') {
      const isBroken = (await statIfThere(context, path)) === undefined
      const description = `${isBroken ? 'broken ' : ''}symbolic link to ${await context.files.readlink(path)}`
      return { description, mime: 'inode/symlink', charset: 'binary' }
    }
  }
  try {
    return typeOf(await readNamed(context, name))
  } catch (error) {
    const problem = `cannot open \`${name}' (${reasonOf(error)})`
    return { description: problem, mime: problem, charset: 'binary' }
  }
}
