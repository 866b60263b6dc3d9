// sed: the POSIX stream editor with GNU extensions.

import { versionText } from '../about.ts'
import { encodeText } from '../../../../shell/byte-text.ts'
import { readAll, type ShellCommandContext, type ShellCommandDefinition } from '../../../../shell/commands.ts'
import { decodeText } from '../../../../shell/byte-text.ts'
import { PatternLimitError } from '../../regex/syntax.ts'
import { openInput } from '../filter/input.ts'
import { has, type OptionTable, optionTable, parseArguments, valueOf } from '../options.ts'
import { SedOutputs } from './outputs.ts'
import { parseScript } from './parse.ts'
import type { ParseOptions, ScriptSource } from './parse-address.ts'
import { runScript } from './run.ts'
import { ScriptError, type Script } from './script.ts'
import { reasonOf } from '../../errno.ts'

const table: OptionTable = {
  ...optionTable(`
    -n --quiet --silent: quiet, -E -r --regexp-extended: extended, -e --expression: expression=, -f --file: file=,
    --in-place: in-place=, -l --line-length: line-length=, -s --separate: separate, -z --null-data --zero-terminated: zero,
    --posix: posix, --sandbox: sandbox
  `),
  // No effect here: output is written in larger pieces, and line ends are never converted.
  ...optionTable(`
    -u --unbuffered: ignored, --follow-symlinks: follow-links, -b --binary: ignored, --help: help, --version: version
  `),
}

const usage = 'Usage: sed [-nErsuz] [-i[SUFFIX]] [-l N] [-e SCRIPT] [-f FILE] [SCRIPT] [FILE]...\n'

/**
 * Exit codes: 0, the code given to q or Q, 1 for an invalid script, 2 for an input that cannot be read, 4 for an output that
 * cannot be written.
 */
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
    await context.stdout.write(has(parsed, 'help') ? usage : versionText('sed'))
    return 0
  }
  const operands = [...parsed.operands]
  const sources: ScriptSource[] = []
  for (const { name, value } of parsed.options) {
    const expressions = sources.filter(({ isFile }) => !isFile).length
    if (name === 'expression') sources.push({ text: value, name: `-e expression #${expressions + 1}`, isFile: false })
    if (name === 'file') sources.push(await scriptFile(value, context))
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
  const script = await parseOrMakeFiles(
    sources,
    { isExtended: has(parsed, 'extended'), isPosix, isSandboxed: has(parsed, 'sandbox'), isZero: has(parsed, 'zero') },
    context,
  )
  const isSeparate = has(parsed, 'separate') || inPlaceSuffix !== undefined
  const delimiter = has(parsed, 'zero') ? '\0' : '\n'
  if (inPlaceSuffix !== undefined && operands.length === 0) throw new ScriptError('sed: no input files', 4)
  return runScript(
    script,
    operands,
    {
      isQuiet: has(parsed, 'quiet'),
      isSeparate,
      inPlaceSuffix,
      followsLinks: has(parsed, 'follow-links'),
      delimiter,
      listWidth,
      isPosix,
    },
    context,
  )
}

/** Parses the script. If it is invalid, creates the files of `w` before the error, as GNU sed does. */
async function parseOrMakeFiles(
  sources: readonly ScriptSource[],
  options: ParseOptions,
  context: ShellCommandContext,
): Promise<Script> {
  try {
    return parseScript(sources, options)
  } catch (error) {
    if (error instanceof ScriptError) {
      const outputs = new SedOutputs(context, '\n')
      for (const file of error.files) await outputs.openFile(file)
      await outputs.close()
    }
    throw error
  }
}

async function scriptFile(name: string, context: ShellCommandContext): Promise<ScriptSource> {
  try {
    const input = await openInput(name, context)
    const text = decodeText(await readAll(input))
    const isPipe = input.isPipe === true || name.startsWith('/dev/fd/')
    return { text: text.endsWith('\n') ? text.slice(0, -1) : text, name: `file ${name}`, isFile: true, isPipe }
  } catch (error) {
    throw new ScriptError(`sed: couldn't open file ${name}: ${reasonOf(error)}`, 4)
  }
}

/** Rewrites `-i.bak` and `-ni`: the suffix is optional and never the next argument. */
function inPlaceApart(arg: string): string[] {
  if (arg === '--in-place') return ['--in-place=']
  const [, before, suffix = ''] = /^-([nErsuzb]*)i([^]*)$/.exec(arg) ?? []
  if (before === undefined) return [arg]
  return [...(before === '' ? [] : [`-${before}`]), `--in-place=${suffix}`]
}
