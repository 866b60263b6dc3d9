// dos2unix and unix2dos.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { latin1Bytes, latin1Text } from '../../encoding.ts'
import { has, optionTable, parseArguments } from '../options.ts'
import { complain, pathOf, pathToWrite, readNamed, statIfThere } from '../program.ts'
import { reasonOf } from '../../errno.ts'

const table = optionTable(`
  -q --quiet: quiet, -k --keepdate: keep-date, -n --newfile: new, -o --oldfile: old, -f --force: force, -s --safe: safe,
  -b --keep-bom: keep-mark, -r --remove-bom: remove-mark, -m --add-bom: add-mark, -O --to-stdout: stdout, -v --verbose: verbose
`)

type Direction = 'dos2unix' | 'unix2dos'

const mark = '\xef\xbb\xbf'

export async function convertLineEndings(name: Direction, context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, table)
  if (typeof parsed === 'string') return complain(context, name, parsed)
  const convert = (bytes: string): string => {
    const hasMark = bytes.startsWith(mark)
    const text = hasMark ? bytes.slice(mark.length) : bytes
    const keepsMark = name === 'unix2dos' ? !has(parsed, 'remove-mark') : has(parsed, 'keep-mark')
    const lines = name === 'dos2unix' ? text.replaceAll('\r\n', '\n') : text.replace(/\r?\n/g, '\r\n')
    return (has(parsed, 'add-mark') || (hasMark && keepsMark) ? mark : '') + lines
  }
  if (parsed.operands.length === 0 || parsed.operands.every(operand => operand === '-')) {
    const bytes = latin1Text(await readNamed(context, '-'))
    await context.stdout.write(latin1Bytes(convert(bytes)))
    return 0
  }
  const tell = async (problem: string): Promise<void> => {
    if (!has(parsed, 'quiet')) await complain(context, name, problem)
  }
  const isNew = has(parsed, 'new')
  if (isNew && parsed.operands.length % 2 === 1)
    return complain(context, name, 'target of file is missing: -n takes names in pairs')
  let code = 0
  for (let at = 0; at < parsed.operands.length; at += isNew ? 2 : 1) {
    const from = parsed.operands[at] ?? ''
    const to = isNew ? (parsed.operands[at + 1] ?? '') : from
    try {
      const path = pathOf(context, from)
      const stat = await context.files.stat(path)
      if (stat.kind !== 'file') {
        await tell(`Skipping ${from}, not a regular file.`)
        continue
      }
      if ((await statIfThere(context, path, false))?.kind === 'symlink' && !isNew && !has(parsed, 'stdout')) {
        await tell(`Skipping symbolic link ${from}.`)
        continue
      }
      const bytes = latin1Text(await readNamed(context, from))
      const binary = has(parsed, 'force') ? -1 : bytes.search(/[^\t\n\f\r -\xff]/)
      if (binary >= 0) {
        const line = bytes.slice(0, binary).split('\n').length
        const shown = bytes.charCodeAt(binary).toString(16).toUpperCase().padStart(2, '0')
        await tell(`Binary symbol 0x${shown} found at line ${line}`)
        await tell(`Skipping binary file ${from}`)
        continue
      }
      const format = name === 'dos2unix' ? 'Unix' : 'DOS'
      const converted = latin1Bytes(convert(bytes))
      if (has(parsed, 'stdout')) {
        await context.stdout.write(converted)
        continue
      }
      await tell(
        isNew ? `converting file ${from} to file ${to} in ${format} format...` : `converting file ${from} to ${format} format...`,
      )
      const target = pathToWrite(context, to)
      await context.files.writeFile(target, converted, isNew ? { mode: stat.mode } : {})
      if (has(parsed, 'keep-date')) await context.files.utimes(target, stat.mtimeMs)
    } catch (error) {
      await tell(`${from}: ${reasonOf(error)}`)
      await tell(`Skipping ${from}, not a regular file.`)
      code = 2
    }
  }
  return code
}
