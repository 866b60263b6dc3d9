// awk: the POSIX language with the gawk extensions in common use.

import { words } from '../../../../core/words.ts'
import { versionText } from '../about.ts'
import { encodeText, decodeText } from '../../../../shell/byte-text.ts'
import { readAll, type ShellCommandContext, type ShellCommandDefinition } from '../../../../shell/commands.ts'
import { PatternLimitError } from '../../regex/syntax.ts'
import { openInput, StopCheck } from '../filter/input.ts'
import { pathOf, statIfThere } from '../program.ts'
import { Compiler, type CompiledRule } from './compile.ts'
import { Completion, EscapeFunction } from './completion.ts'
import type { Code, Waiting } from './code.ts'
import { wholeLanguage, type Dialect } from './dialect.ts'
import { AwkError } from './error.ts'
import { InPlace } from './in-place.ts'
import { MainInput } from './main-input.ts'
import { parseProgram } from './parse.ts'
import { Runtime, special } from './runtime.ts'
import { unescape } from './tokens.ts'
import { InputText, type Value } from './values.ts'
import { isStackOverflow, reasonOf } from '../../errno.ts'

interface Options {
  readonly sources: readonly string[]
  /** In the order of the command line. */
  readonly assignments: readonly (readonly [name: string, value: string])[]
  readonly operands: readonly string[]
  readonly answer: string | undefined
  readonly dialect: Dialect
  readonly isInPlace: boolean
}

const usage = "Usage: awk [-F FS] [-v NAME=VALUE] [-f FILE | 'PROGRAM'] [FILE | NAME=VALUE]...\n"

/** Exit codes: 0, the value given to `exit`, 1 for wrong options, or 2 for a program or an input that cannot be read. */
export const awk: ShellCommandDefinition = {
  name: 'awk',
  help: 'Runs an awk program over its input, as gawk.',
  run: async context => {
    try {
      return await run(context)
    } catch (error) {
      const isTold = error instanceof AwkError || error instanceof PatternLimitError || isStackOverflow(error)
      if (!isTold) throw error
      await context.stderr.write(encodeText(`awk: ${reasonOf(error)}\n`))
      return error instanceof AwkError ? error.exitCode : 2
    }
  },
}

async function run(given: ShellCommandContext): Promise<number> {
  const options = await readOptions(given)
  const inPlace = options.isInPlace ? new InPlace(given) : undefined
  const context = inPlace === undefined ? given : { ...given, stdout: inPlace.stdout }
  if (options.answer !== undefined) {
    await context.stdout.write(options.answer)
    return 0
  }
  const program = parseProgram(options.sources.join('\n'), options.dialect)
  const runtime = new Runtime(context, options.dialect)
  const input = new MainInput(runtime)
  const compiler = new Compiler(program, runtime, input)
  const compiled = {
    begin: program.begin.map(body => compiler.statement(body)),
    beginFile: program.beginFile.map(body => compiler.statement(body)),
    rules: program.rules.map(rule => compiler.rule(rule)),
    endFile: program.endFile.map(body => compiler.statement(body)),
    end: program.end.map(body => compiler.statement(body)),
  }
  const argv = ['awk', ...options.operands]
  runtime.slots[special.ARGV] = new Map(argv.map((arg, index) => [String(index), new InputText(arg)]))
  runtime.slots[special.ARGC] = argv.length
  const settings = new Map<string, string>()
  for (const [name, value] of options.assignments) {
    settings.set(name, unescape(value))
    if (!name.includes('::')) compiler.variables.assign(name, new InputText(unescape(value)))
  }
  const endInPlace = async (): Promise<void> => {
    if (inPlace === undefined) return
    await runtime.streams.stdout.flush()
    await inPlace.end(settings.get('inplace::suffix') ?? settings.get('INPLACE_SUFFIX') ?? '')
  }
  const inOrder = async (codes: readonly Code<Completion>[]): Promise<Completion> => {
    for (const code of codes) {
      const completion = await completionOf(code)
      if (completion === Completion.exit || completion === Completion.nextFile) return completion
    }
    return Completion.normal
  }
  input.listen({
    assign: (name: string, value: Value) => compiler.variables.assign(name, value),
    begin:
      compiled.beginFile.length === 0 && inPlace === undefined
        ? undefined
        : async name => {
            await endInPlace()
            await inPlace?.begin(name)
            return inOrder(compiled.beginFile)
          },
    end: async () => {
      await inOrder(compiled.endFile)
    },
  })
  try {
    let completion = await inOrder(compiled.begin)
    const readsInput = compiled.rules.length + compiled.end.length + compiled.beginFile.length + compiled.endFile.length > 0
    if (completion !== Completion.exit && readsInput) completion = await readRecords(compiled.rules, runtime, input)
    await endInPlace()
    if (completion !== Completion.exit || compiled.end.length > 0) await inOrder(compiled.end)
  } finally {
    await runtime.streams.closeAll()
  }
  return compiler.exitCode
}

async function completionOf(code: Code<Completion>): Promise<Completion> {
  try {
    return code.waits ? await code.run() : code.run()
  } catch (error) {
    return completionOfEscape(error)
  }
}

async function readRecords(rules: readonly CompiledRule[], runtime: Runtime, input: MainInput): Promise<Completion> {
  const stop = new StopCheck(runtime.context.signal)
  const active = rules.map(() => false)
  const { stdout } = runtime.streams
  // Even without rules, the input is read to its end.
  const steps = rules.map(stepOf)
  for (;;) {
    const record = input.takeReady() ?? (await input.next())
    if (record === undefined) return Completion.normal
    runtime.setRecord(record)
    stop.check()
    let completion: Completion = Completion.normal
    for (let index = 0; index < steps.length && completion === Completion.normal; index++) {
      const step: Waiting<Completion> = steps[index]?.(index, active) ?? Completion.normal
      completion = step instanceof Promise ? await step : step
    }
    if (completion === Completion.exit) return completion
    if (completion === Completion.nextFile) await input.skipFile()
    if (stdout.isFull) await stdout.flush()
  }
}

function stepOf({ test, end, body }: CompiledRule): (index: number, active: boolean[]) => Waiting<Completion> {
  return (index, active) => {
    if (test.waits || end?.waits === true) return waitingStep({ test, end, body }, index, active)
    try {
      if (active[index] !== true && !test.run()) return Completion.normal
      if (end !== undefined) active[index] = !end.run()
      const completion = body.run()
      return completion instanceof Promise ? completion.catch(completionOfEscape) : completion
    } catch (error) {
      return completionOfEscape(error)
    }
  }
}

async function waitingStep({ test, end, body }: CompiledRule, index: number, active: boolean[]): Promise<Completion> {
  if (active[index] !== true && !(await test.run())) return Completion.normal
  if (end !== undefined) active[index] = !(await end.run())
  return completionOf(body)
}

function completionOfEscape(error: unknown): Completion {
  if (error instanceof EscapeFunction) return error.completion
  throw error
}

function usageError(problem = ''): AwkError {
  return new AwkError(problem + usage.trimEnd(), 1)
}

async function readOptions(context: ShellCommandContext): Promise<Options> {
  const { args } = context
  const sources: string[] = []
  const includes: string[] = []
  let isInPlace = false
  const assignments: [string, string][] = []
  let dialect: Dialect = 'POSIXLY_CORRECT' in context.env ? { ...wholeLanguage, language: 'posix' } : wholeLanguage
  let at = 0
  const valueOf = (attached: string, option: string): string => {
    if (attached !== '') return attached
    at += 1
    const value = args[at]
    if (value === undefined) throw usageError(`option ${option} requires an argument\n`)
    return value
  }
  for (; at < args.length; at++) {
    const arg = args[at] ?? ''
    if (arg === '--') {
      at += 1
      break
    }
    if (!arg.startsWith('-') || arg === '-') break
    const [, long, value = ''] = /^(--[a-z-]+)(?:=([^]*))?$/.exec(arg) ?? []
    const option = long === undefined ? arg.slice(0, 2) : (longOptions[long] ?? long)
    const attached = long === undefined ? arg.slice(2) : value
    if (option === '-F') assignments.push(['FS', valueOf(attached, option)])
    else if (option === '-v') {
      const [, name, text = ''] = /^((?:inplace::)?[A-Za-z_][A-Za-z0-9_]*)=([^]*)$/.exec(valueOf(attached, option)) ?? []
      if (name === undefined) {
        const given = args[at] ?? ''
        throw given.includes('=')
          ? new AwkError(`\`${given.replace(/=[^]*/, '')}' is not a legal variable name`)
          : usageError(`\`${given}' argument to \`-v' not in \`var=value' form\n`)
      }
      assignments.push([name, text])
    } else if (option === '-f') sources.push(await sourceOf(valueOf(attached, option), context))
    else if (option === '-i') {
      const name = valueOf(attached, option)
      if (/^inplace(?:\.awk)?$/.test(name)) isInPlace = true
      else includes.push(await includedSource(name, context))
    } else if (option === '-e') sources.push(valueOf(attached, option))
    else if (option === '--version' || option === '-V')
      return { sources, assignments, operands: [], answer: versionText('awk'), dialect, isInPlace }
    else if (option === '--help' || option === '-h')
      return { sources, assignments, operands: [], answer: usage, dialect, isInPlace }
    else if (option === '-P') dialect = { ...dialect, language: 'posix' }
    else if (option === '-c') dialect = dialect.language === 'posix' ? dialect : { ...dialect, language: 'traditional' }
    else if (option === '-S') dialect = { ...dialect, isSandbox: true }
    else if (!ignored.has(option)) throw usageError(`unknown option \`${arg}'\n`)
  }
  const operands = args.slice(at)
  if (sources.length === 0) {
    const [source, ...rest] = operands
    if (source === undefined) throw usageError()
    return { sources: [...includes, source], assignments, operands: rest, answer: undefined, dialect, isInPlace }
  }
  return { sources: [...includes, ...sources], assignments, operands, answer: undefined, dialect, isInPlace }
}

const longOptions: Readonly<Record<string, string>> = {
  '--field-separator': '-F',
  '--assign': '-v',
  '--file': '-f',
  '--source': '-e',
  '--include': '-i',
  '--posix': '-P',
  '--traditional': '-c',
  '--sandbox': '-S',
}

/** Options that have no visible effect here. */
const ignored: ReadonlySet<string> = new Set(
  words(`
  -b -N -O -s -r -t --re-interval --characters-as-bytes --optimize --no-optimize --lint-old --use-lc-numeric
`),
)

/** The library of gawk is not here; a file is found with and without its suffix. */
async function includedSource(name: string, context: ShellCommandContext): Promise<string> {
  const found = await statIfThere(context, pathOf(context, name))
  return sourceOf(found === undefined && !name.endsWith('.awk') ? `${name}.awk` : name, context)
}

async function sourceOf(name: string, context: ShellCommandContext): Promise<string> {
  try {
    return decodeText(await readAll(await openInput(name, context)))
  } catch (error) {
    throw new AwkError(`cannot open source file \`${name}' for reading: ${reasonOf(error)}`)
  }
}
