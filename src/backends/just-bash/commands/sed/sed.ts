// sed: POSIX's stream editor with what GNU's adds.

import { encodeText } from '../../../../shell/byte-text.ts'
import { readAll, type ShellCommandContext, type ShellCommandDefinition } from '../../../../shell/commands.ts'
import { decodeText } from '../../../../shell/byte-text.ts'
import { PatternLimitError } from '../../regex/syntax.ts'
import { openInput } from '../filter/input.ts'
import { reasonOf } from '../inputs.ts'
import { has, parseArguments, valueOf, type OptionTable } from '../options.ts'
import { parseScript, type ScriptSource } from './parse.ts'
import { runScript } from './run.ts'
import { ScriptError } from './script.ts'

const table: OptionTable = {
  '-n': 'quiet',
  '--quiet': 'quiet',
  '--silent': 'quiet',
  '-E': 'extended',
  '-r': 'extended',
  '--regexp-extended': 'extended',
  '-e': 'expression=',
  '--expression': 'expression=',
  '-f': 'file=',
  '--file': 'file=',
  '--in-place': 'in-place=',
  '-l': 'line-length=',
  '--line-length': 'line-length=',
  '-s': 'separate',
  '--separate': 'separate',
  '-z': 'zero',
  '--null-data': 'zero',
  '--zero-terminated': 'zero',
  '--posix': 'posix',
  '--sandbox': 'sandbox',
  // Output leaves in whole pieces, links are always followed, and no byte is changed at the ends of lines.
  '-u': 'ignored',
  '--unbuffered': 'ignored',
  '--follow-symlinks': 'ignored',
  '-b': 'ignored',
  '--binary': 'ignored',
  '--help': 'help',
  '--version': 'version',
}

const usage = 'Usage: sed [-nErsuz] [-i[SUFFIX]] [-l N] [-e SCRIPT] [-f FILE] [SCRIPT] [FILE]...\n'

/** 0, what q and Q say, 1 for a wrong script, 2 for an input that cannot be read, 4 for an output that cannot be written. */
export const sed: ShellCommandDefinition = {
  name: 'sed',
  help: 'Edits a stream by a script, as GNU sed.',
  run: async context => {
    try {
      return await edit(context)
    } catch (error) {
      if (error instanceof ScriptError) {
        await context.stderr.write(encodeText(`${error.message}\n`))
        return error.exitCode
      }
      if (error instanceof PatternLimitError) {
        await context.stderr.write(`sed: ${error.message}\n`)
        return 4
      }
      throw error
    }
  },
}

async function edit(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args.flatMap(inPlaceApart), table)
  if (typeof parsed === 'string') throw new ScriptError(`sed: ${parsed}\n${usage.trimEnd()}`)
  if (has(parsed, 'help') || has(parsed, 'version')) {
    await context.stdout.write(has(parsed, 'help') ? usage : 'sed (GNU sed) 4.8\n')
    return 0
  }
  const operands = [...parsed.operands]
  const sources: ScriptSource[] = []
  for (const { name, value } of parsed.options) {
    const expressions = sources.filter(({ isFile }) => !isFile).length
    if (name === 'expression') sources.push({ text: value, name: `-e expression #${expressions + 1}`, isFile: false })
    if (name === 'file') sources.push({ text: await scriptFile(value, context), name: `file ${value}`, isFile: true })
  }
  if (sources.length === 0) {
    const text = operands.shift()
    if (text === undefined) throw new ScriptError(usage.trimEnd())
    sources.push({ text, name: '-e expression #1', isFile: false })
  }
  const inPlaceSuffix = valueOf(parsed, 'in-place')
  const listWidth = Number(valueOf(parsed, 'line-length') ?? 70)
  if (!Number.isInteger(listWidth) || listWidth < 0) throw new ScriptError('sed: invalid line length')
  const isPosix = has(parsed, 'posix')
  const script = parseScript(sources, { isExtended: has(parsed, 'extended'), isSandboxed: has(parsed, 'sandbox') })
  const isSeparate = has(parsed, 'separate') || inPlaceSuffix !== undefined
  const delimiter = has(parsed, 'zero') ? '\0' : '\n'
  if (inPlaceSuffix !== undefined && operands.length === 0) throw new ScriptError('sed: no input files', 4)
  return runScript(
    script,
    operands,
    { isQuiet: has(parsed, 'quiet'), isSeparate, inPlaceSuffix, delimiter, listWidth, isPosix },
    context,
  )
}

async function scriptFile(name: string, context: ShellCommandContext): Promise<string> {
  try {
    const text = decodeText(await readAll(await openInput(name, context)))
    return text.endsWith('\n') ? text.slice(0, -1) : text
  } catch (error) {
    throw new ScriptError(`sed: couldn't open file ${name}: ${reasonOf(error)}`)
  }
}

/** `-i.bak` and `-ni` as options whose value is apart: it is optional, and never the next argument. */
function inPlaceApart(arg: string): string[] {
  if (arg === '--in-place') return ['--in-place=']
  const [, before, suffix = ''] = /^-([nErsuzb]*)i([^]*)$/.exec(arg) ?? []
  if (before === undefined) return [arg]
  return [...(before === '' ? [] : [`-${before}`]), `--in-place=${suffix}`]
}
