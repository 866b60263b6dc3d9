// just-bash's sed is silently wrong in a few places, and lacks what models write: the script is written so that it is read rightly
// (sed-script.ts), and what it cannot do is done around it. What cannot be mended from outside is refused by name.

import { latin1Bytes } from '../../encoding.ts'
import { failed, type CommandContext, type CommandResult } from '../command.ts'
import { bytesOfArgument, isText, readInput, reasonOf, shownText } from '../inputs.ts'
import { has, parseArguments, valueOf, type Arguments, type OptionTable } from '../options.ts'
import { withoutMarks } from './sed-marks.ts'
import { readScript, type ReadScript } from './sed-script.ts'

const table: OptionTable = {
  '-n': 'n',
  '--quiet': 'n',
  '--silent': 'n',
  '-E': 'E',
  '-r': 'E',
  '--regexp-extended': 'E',
  '-e': 'expression=',
  '--expression': 'expression=',
  '-f': 'file=',
  '--file': 'file=',
  // What may be attached is put where it can be found.
  '--in-place': 'in-place=',
  '-s': 'separate',
  '--separate': 'separate',
  '-z': 'zero',
  '--null-data': 'zero',
  '-u': 'ignored',
  '--unbuffered': 'ignored',
  '--posix': 'ignored',
}

interface Run {
  readonly parsed: Arguments
  readonly context: CommandContext
  readonly source: string
  readonly script: ReadScript
  /** For the interpreter's own. */
  readonly flags: readonly string[]
}

/** `sed [-nErsuz] [-i[SUFFIX]] [-e SCRIPT] [-f FILE] [SCRIPT] [FILE]...`: 0, what q says, 1 for a wrong script, 2 for a file that is not there. */
export async function sed(args: readonly string[], context: CommandContext): Promise<CommandResult> {
  const parsed = parseArguments(args.flatMap(inPlaceApart), table)
  if (typeof parsed === 'string') return failed('sed', parsed)
  const operands = [...parsed.operands]
  const sources: string[] = []
  try {
    for (const { name, value } of parsed.options) {
      if (name === 'expression') sources.push(value)
      if (name === 'file') sources.push(shownText(await readInput(value, context)).replace(/\n$/, ''))
    }
  } catch (error) {
    return failed('sed', `couldn't open the script: ${reasonOf(error)}`)
  }
  if (sources.length === 0) {
    const script = operands.shift()
    if (script === undefined) return failed('sed', 'give a script, and the files that it is for')
    sources.push(script)
  }
  const source = sources.join('\n')
  const script = readScript(source)
  if ('problem' in script) return failed('sed', script.problem)
  const isInPlace = valueOf(parsed, 'in-place') !== undefined
  if (isInPlace && operands.length === 0) return failed('sed', 'no input files')
  const { files, problems } = await readable(operands, isInPlace, context)
  const broken = await firstThatIsNotText(files, context)
  if (broken !== undefined) return failed('sed', `${broken}: not UTF-8, and this sed would change its bytes; see them with xxd`)
  const flags = ['n', 'E'].filter(name => has(parsed, name)).map(name => `-${name}`)
  const run: Run = { parsed, context, source, script, flags }
  if (files.length === 0 && operands.length > 0) return { stdout: '', stderr: problems, exitCode: 2 }
  const result = isInPlace ? await inPlace(files, run) : await printed(files, run)
  return { ...result, stderr: problems + result.stderr, exitCode: result.exitCode || (problems === '' ? 0 : 2) }
}

/** `-i.bak` and `-ni` as options whose value is apart: it is optional, and never the next argument. */
function inPlaceApart(arg: string): string[] {
  const [, before = '', suffix = ''] = /^-([nErsuz]*)i([^]*)$/.exec(arg) ?? []
  const [, long = ''] = /^--in-place(?:=([^]*))?$/.exec(arg) ?? []
  if (arg.startsWith('--in-place')) return [`--in-place=${long}`]
  if (!/^-[nErsuz]*i/.test(arg)) return [arg]
  return [...(before === '' ? [] : [`-${before}`]), `--in-place=${suffix}`]
}

async function readable(
  names: readonly string[],
  isInPlace: boolean,
  { fs, cwd }: CommandContext,
): Promise<{ readonly files: readonly string[]; readonly problems: string }> {
  const files: string[] = []
  let problems = ''
  for (const name of names) {
    const path = fs.resolvePath(cwd, name)
    if (name === '-' || name.startsWith('/dev/')) files.push(name)
    else if (!(await fs.exists(path))) problems += `sed: can't read ${name}: No such file or directory\n`
    else if (!(await fs.stat(path)).isDirectory) files.push(name)
    else
      problems += isInPlace ? `sed: couldn't edit ${name}: not a regular file\n` : `sed: read error on ${name}: Is a directory\n`
  }
  return { files, problems }
}

async function firstThatIsNotText(files: readonly string[], context: CommandContext): Promise<string | undefined> {
  for (const file of files.length === 0 ? ['-'] : files) {
    if (!isText(await readInput(file, context))) return file === '-' ? 'standard input' : file
  }
  return undefined
}

async function inPlace(files: readonly string[], run: Run): Promise<CommandResult> {
  const { fs, cwd } = run.context
  const suffix = valueOf(run.parsed, 'in-place') ?? ''
  let result: CommandResult = { stdout: '', stderr: '', exitCode: 0 }
  for (const file of files) {
    const path = fs.resolvePath(cwd, file)
    const cut = path.lastIndexOf('/') + 1
    const name = path.slice(cut)
    const copy = suffix.includes('*') ? suffix.replaceAll('*', name) : name + suffix
    if (suffix !== '') await fs.cp(path, fs.resolvePath(path.slice(0, cut), copy))
    if (!needsMore(run))
      result = merged(result, await run.context.original([...run.flags, '-i', '-e', run.script.text, safeName(file)]))
    else {
      const edited = await transformed([file], run)
      if (edited.stderr === '') await fs.writeFile(path, latin1Bytes(asBytes(edited)))
      result = merged(result, { ...edited, stdout: '' })
    }
    // What quits, quits all.
    if (result.exitCode !== 0) break
  }
  return result
}

async function printed(files: readonly string[], run: Run): Promise<CommandResult> {
  const { parsed, context, flags, script } = run
  if (has(parsed, 'separate') && files.length > 1) {
    let result: CommandResult = { stdout: '', stderr: '', exitCode: 0 }
    for (const file of files) {
      result = merged(result, await transformed([file], run))
      if (result.exitCode !== 0) break
    }
    return result
  }
  if (!needsMore(run)) return context.original([...flags, '-e', script.text, ...files.map(safeName)])
  return transformed(files, run)
}

function needsMore({ parsed, script }: Run): boolean {
  return script.hasMarks || has(parsed, 'zero')
}

/** The script over `files` as one input, with all that its own sed cannot do. */
async function transformed(files: readonly string[], run: Run): Promise<CommandResult> {
  const { parsed, context, source, script, flags } = run
  if (has(parsed, 'zero')) {
    let input = ''
    for (const file of files.length === 0 ? ['-'] : files) input += await readInput(file, context)
    // The ends of lines and of records change places, in the script too, and back again.
    const turned = source.replace(/\\(\\|n)/g, (all, letter: string) => (letter === 'n' ? '\0' : all))
    const result = await context.exec('sed', [...flags, '-e', turned], undefined, swapped(input))
    return { ...result, stdout: swapped(result.stdout) }
  }
  if (script.cuts.length > 0) return inStages(files, run)
  const result = await context.original([...flags, '-e', script.text, ...files.map(safeName)])
  const { text, exitCode } = withoutMarks(shownText(asBytes(result)))
  return { stdout: text, stderr: result.stderr, exitCode: result.exitCode || (exitCode ?? 0) }
}

/** A command that changes case ends its stage; the next reads what came out. Each line passes through alone, so that is the same. */
async function inStages(files: readonly string[], { context, source, script, flags }: Run): Promise<CommandResult> {
  const ends = [...script.cuts, source.length]
  let result: CommandResult = { stdout: '', stderr: '', exitCode: 0 }
  for (const [index, end] of ends.entries()) {
    const stage = source.slice(ends[index - 1] ?? 0, end)
    if (stage.replace(/[\s;]/g, '') === '') continue
    const next =
      index === 0
        ? await context.exec('sed', [...flags, '-e', stage, '--', ...files])
        : await context.exec('sed', [...flags, '-e', stage], undefined, asBytes(result))
    result = { ...next, stderr: result.stderr + next.stderr }
  }
  return result
}

function asBytes({ stdout, stdoutKind }: CommandResult): string {
  return stdoutKind === 'bytes' ? stdout : bytesOfArgument(stdout)
}

function swapped(text: string): string {
  return text.replace(/[\0\n]/g, character => (character === '\n' ? '\0' : '\n'))
}

function merged(one: CommandResult, other: CommandResult): CommandResult {
  const stdout = asBytes(one) + asBytes(other)
  return { stdout, stdoutKind: 'bytes', stderr: one.stderr + other.stderr, exitCode: one.exitCode || other.exitCode }
}

function safeName(file: string): string {
  return /^-./.test(file) ? `./${file}` : file
}
