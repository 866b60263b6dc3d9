// zgrep and its relatives: grep over files of which some are packed.

import { inputOf, type ShellCommandContext } from '../../../../shell/commands.ts'
import { gunzipInParts } from '../../gzip.ts'
import { grep } from '../grep/grep.ts'
import { readOptions } from '../grep/options.ts'
import { paceOf } from '../pace.ts'
import { complain, readNamed } from '../program.ts'
import { reasonOf } from '../../errno.ts'

/** `before` is the option of the relative: `-E` for zegrep. */
export async function zgrep(name: string, context: ShellCommandContext, before: readonly string[] = []): Promise<number> {
  const options = readOptions([...before, ...context.args])
  if (typeof options === 'string' || 'problem' in options) return grep(context, before)
  const hasPattern = options.sources.length > 0
  const names = hasPattern ? options.operands : options.operands.slice(1)
  // The operands stand last in this order, so what is left before them are the options.
  const operands = [...options.operands]
  const flags: string[] = []
  for (const arg of context.args.toReversed()) {
    if (operands.length > 0 && arg === operands.at(-1)) operands.pop()
    else if (arg !== '--') flags.unshift(arg)
  }
  const pattern = hasPattern ? [] : options.operands.slice(0, 1).flatMap(text => ['-e', text])
  if (names.length === 0) return grepOne(context, [...before, ...flags, ...pattern], await readNamed(context, '-'))
  let code = 1
  for (const file of names) {
    let bytes: Uint8Array
    try {
      bytes = await readNamed(context, file)
    } catch (error) {
      await complain(context, file === '-' ? name : 'gzip', `${file}: ${reasonOf(error)}`)
      code = 2
      continue
    }
    const named = names.length > 1 ? ['-H'] : []
    const found = await grepOne(context, [...before, ...named, ...flags, `--label=${file}`, ...pattern], bytes)
    if (found > 1 || (found === 0 && code === 1)) code = found
  }
  return code
}

async function grepOne(context: ShellCommandContext, args: readonly string[], bytes: Uint8Array): Promise<number> {
  const isPacked = bytes[0] === 0x1f && bytes[1] === 0x8b
  return grep({ ...context, args, stdin: inputOf(isPacked ? await gunzipInParts(bytes, paceOf(context.signal)) : bytes) })
}
