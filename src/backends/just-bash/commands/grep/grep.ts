// grep: GNU grep over streams. Text is decoded so that an invalid byte is a lone surrogate (see byte-text.ts).

import { versionText } from '../about.ts'
import { letOthersRun } from '../stop.ts'
import { decodeText } from '../../../../shell/byte-text.ts'
import { PendingInput, type ShellCommandContext } from '../../../../shell/commands.ts'
import { PatternError, PatternLimitError } from '../../regex/syntax.ts'
import { TextOutput } from '../filter/output.ts'
import { complain, pathOf, readNamed, statIfThere } from '../program.ts'
import { colors, LineSearch, painted, type Printed } from './line-search.ts'
import { createMatcher, type LineMatcher } from './matcher.ts'
import { readOptions, usage, type GrepOptions } from './options.ts'
import { targetsOf, type Target } from './targets.ts'
import { codeOf, reasonOf } from '../../errno.ts'
import { pushAll } from '../../../../core/many.ts'

/** Exit codes: 0 if a line was selected, 1 if none was, 2 after an error. */
export async function grep(context: ShellCommandContext, before: readonly string[] = []): Promise<number> {
  const options = readOptions([...before, ...context.args])
  if (options === 'help' || options === 'version') {
    await context.stdout.write(options === 'help' ? usage : versionText('grep'))
    return 0
  }
  if ('problem' in options) return complain(context, 'grep', options.problem, 2)
  const operands = [...options.operands]
  let patterns: readonly string[]
  let exclusions: GrepOptions['nameRules']
  try {
    exclusions = await exclusionsOf(options, context)
    patterns = await patternsOf(options, operands, context)
  } catch (error) {
    return complain(context, 'grep', reasonOf(error), 2)
  }
  if (patterns.length === 0 && options.sources.length === 0) {
    await context.stderr.write(usage)
    return 2
  }
  const finds = patterns.length > 0 || options.output.isInverted
  if ((!finds || options.output.maxCount === 0) && options.list !== 'without') return 1
  try {
    const warnings: string[] = []
    const matcher = createMatcher(patterns, options.pattern, warnings)
    for (const warning of warnings) await context.stderr.write(`grep: warning: ${warning}\n`)
    const nameRules = [...options.nameRules, ...exclusions]
    return await new GrepRun({ ...options, nameRules }, matcher, context).run(operands)
  } catch (error) {
    if (error instanceof PatternError) return complain(context, 'grep', error.message, 2)
    throw error
  }
}

async function exclusionsOf({ excludeFrom }: GrepOptions, context: ShellCommandContext): Promise<GrepOptions['nameRules']> {
  const globs: string[] = []
  for (const name of excludeFrom) pushAll(globs, (await textOf(name, context)).split('\n'))
  return globs.filter(glob => glob !== '').map(glob => ({ glob, isIncluded: false }))
}

async function textOf(name: string, context: ShellCommandContext): Promise<string> {
  try {
    return decodeText(await readNamed(context, name))
  } catch (error) {
    throw new Error(`${name}: ${reasonOf(error)}`, { cause: error })
  }
}

async function patternsOf(options: GrepOptions, operands: string[], context: ShellCommandContext): Promise<readonly string[]> {
  if (options.sources.length === 0) return operands.splice(0, 1).flatMap(pattern => pattern.split('\n'))
  const patterns: string[] = []
  for (const { kind, value } of options.sources) {
    if (kind === 'pattern') {
      pushAll(patterns, value.split('\n'))
      continue
    }
    const text = await textOf(value, context)
    if (text !== '') pushAll(patterns, text.replace(/\n$/, '').split('\n'))
  }
  return patterns
}

class GrepRun {
  private readonly options: GrepOptions
  private readonly matcher: LineMatcher
  private readonly context: ShellCommandContext
  private readonly output: TextOutput
  private readonly printed: Printed = { hasGroup: false }
  private hasMatch = false
  private hasProblem = false
  private showsNames = false

  constructor(options: GrepOptions, matcher: LineMatcher, context: ShellCommandContext) {
    this.options = options
    this.matcher = matcher
    this.context = context
    this.output = new TextOutput(context.stdout)
  }

  async run(operands: readonly string[]): Promise<number> {
    const { options, context } = this
    const isRecursive = options.recursion !== 'none'
    const isOneFile = operands.length === 1 && (await isNoDirectory(operands[0] ?? '', context))
    this.showsNames = options.showsNames ?? (isRecursive ? !isOneFile : operands.length > 1)
    const isImplied = operands.length === 0 && isRecursive
    const targets = isImplied
      ? belowHere(options, context)
      : targetsOf(operands.length === 0 ? ['-'] : operands, options, context)
    for await (const target of targets) {
      await this.look(target)
      if (options.isQuiet && this.hasMatch) return 0
    }
    await this.output.flush()
    return this.hasProblem ? 2 : this.hasMatch ? 0 : 1
  }

  private async look(target: Target): Promise<void> {
    const { context, options } = this
    if (target.kind === 'problem') {
      if (target.isWarning !== true) this.hasProblem = true
      await this.say(target.message)
      // A directory counts as a file without lines.
      if (target.directory !== undefined) await this.finish(this.searchOf(target.directory, 0), target.directory)
      return
    }
    if (target.kind === 'stdin') return this.lookAtStdin()
    const { stdout } = context
    const printsAll = !options.isQuiet && options.list === 'none' && options.output.maxCount !== 1 && !options.output.isCount
    if (printsAll && stdout.path !== undefined && stdout.path === target.path) {
      this.hasProblem = true
      return this.say(`${target.name}: input file is also the output`)
    }
    let bytes: Uint8Array
    try {
      bytes = await context.files.readFile(target.path)
    } catch (error) {
      // With -r, pipes, sockets and devices are skipped.
      if (target.isFound === true && codeOf(error) === 'ENOTSUP') return
      this.hasProblem = true
      return this.say(`${target.name}: ${reasonOf(error)}`)
    }
    const text = decodeText(bytes)
    const { required } = this.matcher
    const search = this.searchOf(target.name, bytes.length)
    // Fast path: most files of a tree contain no match.
    if (required === undefined || options.output.isInverted || text.includes(required)) {
      search.isBinary = options.output.end === '\n' && text.includes('\0')
      await this.searchIn(search, text, target.name)
    }
    await this.finish(search, target.name)
  }

  private async lookAtStdin(): Promise<void> {
    const { context, options } = this
    const { end } = options.output
    const search = this.searchOf(options.label, context.stdin.isPipe === true ? Number.MAX_SAFE_INTEGER * 1000 : 0)
    const pending = new PendingInput()
    while (!search.isDone) {
      const piece = await context.stdin.read()
      if (piece === undefined) break
      const whole = piece.lastIndexOf(end === '\n' ? 10 : 0) + 1
      pending.add(piece.subarray(0, whole === 0 ? undefined : whole))
      if (whole === 0) continue
      const text = decodeText(pending.take())
      if (whole < piece.length) pending.add(piece.slice(whole))
      if (end === '\n' && text.includes('\0')) search.isBinary = true
      await this.searchIn(search, text, options.label)
      if (options.isQuiet && search.selectedCount > 0) break
    }
    const rest = pending.take()
    if (!search.isDone && rest.length > 0) {
      if (end === '\n' && rest.includes(0)) search.isBinary = true
      await this.searchIn(search, decodeText(rest), options.label)
    }
    await this.finish(search, options.label)
  }

  private searchOf(name: string, sizeBytes: number): LineSearch {
    const { options, matcher, output, printed } = this
    return new LineSearch(
      matcher,
      options.output,
      {
        name: this.showsNames ? name : undefined,
        numberWidth: String(sizeBytes).length,
        printsNothing: options.isQuiet || options.list !== 'none' || options.output.isCount,
        stopsAtFirst: options.isQuiet || options.list !== 'none',
      },
      output,
      printed,
    )
  }

  private async searchIn(search: LineSearch, text: string, name: string): Promise<void> {
    // -I (`--binary-files=without-match`): a binary file is treated as one without matches.
    if (search.isBinary && this.options.output.binary === 'skip') {
      search.isDone = true
      return
    }
    // As in GNU grep, a NUL byte in a binary file ends a line.
    const lines = search.isBinary && this.options.output.binary === 'report' ? text.replaceAll('\0', '\n') : text
    try {
      for (const _ of search.search(lines)) {
        await this.output.flush()
        await letOthersRun(this.context.signal)
      }
      if (this.context.stdin.isGiven) await this.output.flush()
    } catch (error) {
      if (!(error instanceof PatternLimitError)) throw error
      this.hasProblem = true
      search.isDone = true
      await this.say(`${name}: ${error.message}; give a pattern with fewer nested repetitions`)
    }
  }

  private async finish(search: LineSearch, name: string): Promise<void> {
    const { options } = this
    const isSelected = search.selectedCount > 0
    if (isSelected) this.hasMatch = true
    if (search.hidesMatch && options.output.binary === 'report') {
      await this.output.flush()
      await this.context.stderr.write(`grep: ${name}: binary file matches\n`)
    }
    if (options.isQuiet) return
    const { isColored, endsNamesWithNull, isCount } = options.output
    const shownName = isColored ? painted(colors.name, name) : name
    if (options.list !== 'none') {
      if (isSelected === (options.list === 'with')) this.output.write(shownName + (endsNamesWithNull ? '\0' : '\n'))
    } else if (isCount) {
      const mark = isColored ? painted(colors.separator, ':') : ':'
      const head = this.showsNames ? shownName + (endsNamesWithNull ? '\0' : mark) : ''
      this.output.write(`${head}${search.selectedCount}\n`)
    }
    if (this.output.isFull) await this.output.flush()
  }

  private async say(message: string): Promise<void> {
    await this.output.flush()
    if (!this.options.hidesMessages) await this.context.stderr.write(`grep: ${message}\n`)
  }
}

async function isNoDirectory(name: string, context: ShellCommandContext): Promise<boolean> {
  if (name === '-') return true
  return (await statIfThere(context, pathOf(context, name)))?.kind !== 'directory'
}

/** Searches the working directory; names are shown without the leading `./`. */
async function* belowHere(options: GrepOptions, context: ShellCommandContext): AsyncGenerator<Target> {
  for await (const target of targetsOf([], options, context)) {
    if (target.kind === 'file') yield { ...target, name: target.name.replace(/^\.\//, '') }
    else if (target.kind === 'problem') yield { ...target, message: target.message.replace(/^\.\//, '') }
    else yield target
  }
}
