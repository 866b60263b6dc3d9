// paste: joins the lines of several inputs side by side, or the lines of each input to one line.

import { inputOf, type ShellCommandContext } from '../../../../shell/commands.ts'
import { decodeText } from '../../../../shell/byte-text.ts'
import { latin1Bytes } from '../../encoding.ts'
import { bytesOfArgument } from '../inputs.ts'
import { openInput } from '../filter/input.ts'
import { TextOutput } from '../filter/output.ts'
import { RecordReader } from '../filter/record-reader.ts'
import { has, parseArguments, valueOf, optionTable } from '../options.ts'
import { complain } from '../program.ts'
import { codeOf, reasonOf } from '../../errno.ts'

const delimiterEscapes: Readonly<Record<string, string>> = { n: '\n', t: '\t', r: '\r', '0': '', '\\': '\\' }

/** `paste [-s] [-d LIST] [-z] [FILE]...`; if `-` occurs several times, its operands take lines of standard input in turn. */
export async function paste(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(
    context.args,
    optionTable('-s --serial: serial, -d --delimiters: delimiters=, -z --zero-terminated: zero'),
  )
  if (typeof parsed === 'string') return complain(context, 'paste', parsed)
  const listText = valueOf(parsed, 'delimiters') ?? '\t'
  if (/(?<!\\)(?:\\\\)*\\$/.test(listText))
    return complain(
      context,
      'paste',
      `the list of delimiters ends with a single backslash: ${listText}; write \\\\ for a backslash`,
    )
  // A delimiter is a byte, also in UTF-8.
  const list = [...bytesOfArgument(listText).matchAll(/\\([^])|([^])/g)]
  const delimiters = list.map(([, escaped, plain = '']) =>
    decodeText(latin1Bytes(escaped === undefined ? plain : (delimiterEscapes[escaped] ?? escaped))),
  )
  const delimiterBefore = (index: number): string => (index === 0 ? '' : (delimiters[(index - 1) % delimiters.length] ?? ''))
  const end = has(parsed, 'zero') ? '\0' : '\n'
  const output = new TextOutput(context.stdout)
  const standard = new RecordReader(context.stdin, end)
  const readers: RecordReader[] = []
  let code = 0
  for (const name of parsed.operands.length === 0 ? ['-'] : parsed.operands) {
    try {
      readers.push(name === '-' ? standard : new RecordReader(await openInput(name, context), end))
    } catch (error) {
      code = await complain(context, 'paste', `${name}: ${reasonOf(error)}`)
      // A directory can be opened and then has no lines.
      if (codeOf(error) === 'EISDIR') readers.push(new RecordReader(inputOf(new Uint8Array()), end))
      else if (!has(parsed, 'serial')) return code
    }
  }
  if (has(parsed, 'serial')) {
    for (const reader of readers) {
      let index = 0
      for (let record = await reader.next(); record !== undefined; record = await reader.next()) {
        output.write(delimiterBefore(index) + record.text)
        index += 1
        if (output.isFull) await output.flush()
      }
      output.write(end)
    }
  } else {
    for (;;) {
      const cells: (string | undefined)[] = []
      for (const reader of readers) cells.push((await reader.next())?.text)
      if (cells.every(cell => cell === undefined)) break
      output.write(cells.map((cell, index) => delimiterBefore(index) + (cell ?? '')).join('') + end)
      if (output.isFull) await output.flush()
    }
  }
  await output.flush()
  return code
}
