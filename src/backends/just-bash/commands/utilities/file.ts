// file: detects the type of a file's content.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { has, optionTable, parseArguments, valueOf } from '../options.ts'
import { complain, pathOf, readNamed, statIfThere } from '../program.ts'
import { typeOf, type FileType } from './file-types.ts'
import { latin1Text } from '../../encoding.ts'
import { reasonOf } from '../../errno.ts'
import { largest } from '../../../../core/many.ts'

/** `file [-bEhiL0] [--mime-type] [--mime-encoding] [-F SEPARATOR] [-f NAMES] FILE...`. */
export async function file(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    ...optionTable(`
      -b --brief: brief, -i --mime: mime, --mime-type: mime-type, --mime-encoding: mime-encoding, -h --no-dereference: links,
      -L --dereference: follow, -F --separator: separator=, -N --no-pad: unpadded, -f --files-from: names=, -0 --print0: zero,
      -E: fails
    `),
    // What these are about does not exist here: special files, access times, buffered output, escapes of names.
    ...optionTable('-s --special-files -p --preserve-date -n --no-buffer -r --raw: none'),
  })
  if (typeof parsed === 'string') return complain(context, 'file', parsed)
  const list = valueOf(parsed, 'names')
  const listed = list === undefined ? [] : latin1Text(await readNamed(context, list)).split('\n')
  if (listed.at(-1) === '') listed.pop()
  if (parsed.operands.length === 0 && list === undefined)
    return complain(context, 'file', 'missing operand; usage: file [-bi] [--mime-type] FILE...')
  const separator = valueOf(parsed, 'separator') ?? ':'
  let status = 0
  for (const names of [listed, parsed.operands]) {
    const width = has(parsed, 'unpadded') ? 0 : largest(names.map(name => shownName(name).length)) + separator.length
    for (const name of names) {
      const { description, mime, charset, isMissing } = await typeOfNamed(context, name, has(parsed, 'follow'))
      const problem =
        isMissing === true && has(parsed, 'fails') ? description.replace('cannot open', 'ERROR: cannot stat') : description
      if (problem !== description) status = 1
      const shown = has(parsed, 'mime')
        ? `${mime}${charset === '' ? '' : `; charset=${charset}`}`
        : has(parsed, 'mime-type')
          ? mime
          : has(parsed, 'mime-encoding')
            ? charset || description
            : problem
      const label = shownName(name) + (has(parsed, 'zero') ? '\0' : '') + separator
      await context.stdout.write(
        `${has(parsed, 'brief') ? '' : `${label.padEnd(width + (has(parsed, 'zero') ? 1 : 0))} `}${shown}\n`,
      )
    }
  }
  return status
}

function shownName(name: string): string {
  return name === '-' ? '/dev/stdin' : name
}

async function typeOfNamed(
  context: ShellCommandContext,
  name: string,
  follows: boolean,
): Promise<FileType & { readonly isMissing?: true }> {
  if (name !== '-') {
    const path = pathOf(context, name)
    const found = await statIfThere(context, path, follows)
    if (found?.kind === 'directory') {
      const bits = ['setuid', 'setgid', 'sticky'].filter((_, index) => found.mode & (0o4000 >> index))
      return { description: [...bits, 'directory'].join(', '), mime: 'inode/directory', charset: 'binary' }
    }
    if (found?.device !== undefined)
      return { description: `character special (${found.device.join('/')})`, mime: 'inode/chardevice', charset: 'binary' }
    if (found?.kind === 'symlink') {
      const isBroken = (await statIfThere(context, path)) === undefined
      const description = `${isBroken ? 'broken ' : ''}symbolic link to ${await context.files.readlink(path)}`
      return { description, mime: 'inode/symlink', charset: isBroken ? '' : 'binary' }
    }
  }
  try {
    return typeOf(await readNamed(context, name))
  } catch (error) {
    const problem = `cannot open \`${name}' (${reasonOf(error)})`
    return { description: problem, mime: problem, charset: '', isMissing: true }
  }
}
