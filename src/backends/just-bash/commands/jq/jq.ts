// jq: a JSON processor.

import { encodeText } from '../../../../shell/byte-text.ts'
import { readAll, type ShellCommandContext, type ShellCommandDefinition } from '../../../../shell/commands.ts'
import { openInput, StopCheck } from '../filter/input.ts'
import { TextOutput } from '../filter/output.ts'
import { asUtf8 } from './as-utf8.ts'
import { Halt } from './builtins.ts'
import { mentionsInputs } from './check-names.ts'
import { Evaluator } from './evaluate.ts'
import { isArray, isObject, JsonError, isLong, JsonReader, printInSteps, printJson, type Json } from './json.ts'
import { readOptions, UsageError, type JqOptions } from './options.ts'
import { paceOf, unitsPerItem } from '../pace.ts'
import { parseProgram } from './parse.ts'
import { CompileError } from './tokens.ts'
import type { Steps } from './steps.ts'
import { isTrue, JqError, textOf } from './values.ts'
import { ValuePieces } from './value-pieces.ts'
import { isStackOverflow, reasonOf } from '../../errno.ts'

/** The exit code of jq 1.6 for invalid JSON; later releases use 5. */
const badJsonCode = 4

const usage = 'Usage: jq [OPTIONS] FILTER [FILE]...\n       jq [OPTIONS] -n FILTER\n'

/**
 * Exit codes: with -e, 1 if the last value is false or null and 4 if there is none; 2 for usage errors and unreadable files, 3
 * for a program that does not compile, 4 for invalid JSON, 5 for a runtime error.
 */
export const jq: ShellCommandDefinition = {
  name: 'jq',
  help: 'Filters and changes JSON, as jq.',
  run: async context => {
    const tell = async (message: string, exitCode: number): Promise<number> => {
      await context.stderr.write(encodeText(`${message}\n`))
      return exitCode
    }
    try {
      const options = readOptions(context.args)
      if (options.flags.has('help') || options.flags.has('version')) {
        await context.stdout.write(options.flags.has('help') ? usage : 'jq-1.6 (the same language, in TypeScript)\n')
        return 0
      }
      return await run(options, context)
    } catch (error) {
      if (error instanceof UsageError) return tell(`jq: error: ${error.message}\n${usage.trimEnd()}`, 2)
      if (error instanceof CompileError) return tell(`jq: error: ${error.message}\njq: 1 compile error`, 3)
      throw error
    }
  },
}

async function run(options: JqOptions, context: ShellCommandContext): Promise<number> {
  const { flags } = options
  const readFile = async (name: string): Promise<string> => {
    try {
      return asUtf8(await readAll(await openInput(name, context)))
    } catch (error) {
      throw new UsageError(`Could not open file ${name}: ${reasonOf(error)}`)
    }
  }
  const source = options.programFile === undefined ? (options.program ?? '.') : await readFile(options.programFile)
  const program = parseProgram(source)
  const variables = new Map(options.variables)
  for (const { name, file, isRaw } of options.fromFiles) {
    const text = await readFile(file)
    variables.set(name, isRaw ? text : valuesOf(text, file))
  }
  variables.set(
    'ARGS',
    new Map<string, Json>([
      ['positional', options.positional],
      ['named', new Map(variables)],
    ]),
  )
  const output = new TextOutput(context.stdout)
  const errors = new TextOutput(context.stderr)
  const stop = new StopCheck(context.signal)
  const pace = paceOf(context.signal)
  const isDue = (): boolean => {
    stop.check()
    turns += 1
    // A turn may take long: an object of many keys is copied when one is added.
    if ((turns & 3) === 0 && performance.now() - restedAtMs > longestWorkMs) return true
    return pace.isDue(4 * unitsPerItem)
  }
  const pause = async (): Promise<void> => {
    await pace.rest()
    restedAtMs = performance.now()
  }
  let turns = 0
  let restedAtMs = performance.now()
  const inputs = new Inputs(flags, context, errors, isDue)
  /** Between the steps others run, and output is written. Most values need no pause, and an await would take longer than they do. */
  const finish: Finish = steps => {
    const first = steps.next()
    return first.done === true ? first.value : finishRest(steps)
  }
  const finishRest = async <T>(steps: Iterator<undefined, T>): Promise<T> => {
    for (;;) {
      if (output.isFull) await output.flush()
      await pause()
      const { done, value } = steps.next()
      if (done === true) return value
    }
  }
  const evaluator = new Evaluator({
    input: () => inputs.next(),
    inputName: () => inputs.name,
    inputLine: () => inputs.line,
    env: new Map(Object.entries(context.env)),
    stderr: text => errors.write(text),
    isDue,
    timeZone: context.env['TZ'] ?? '',
  })
  const scope = evaluator.scopeOf(variables)
  evaluator.check(program, scope)
  await inputs.open(options.files, mentionsInputs(program))
  const print = {
    indent: options.indent,
    sortsKeys: flags.has('sort-keys'),
    isAscii: flags.has('ascii'),
  }
  const coloured = flags.has('color')
    ? (await import('./coloured.ts')).colouredPrinter(print, context.env['JQ_COLORS'])
    : undefined
  const begin = flags.has('seq') ? '\x1e' : ''
  const isRaw = flags.has('raw') || flags.has('join') || flags.has('nul')
  const end = flags.has('join') ? '' : flags.has('nul') ? '\0' : '\n'
  let last: Json | undefined
  let exitCode = 0
  const emit = (value: Json): Steps => {
    last = value
    if (isRaw && typeof value === 'string') output.write((print.isAscii ? printJson(value, print).slice(1, -1) : value) + end)
    else if (coloured !== undefined) output.write(begin + coloured(value) + end)
    else if (isLong(value)) return emitLong(value)
    else output.write(begin + printJson(value, print) + end)
    return output.isFull ? onePause() : undefined
  }
  const emitLong = function* (value: Json): Generator<undefined, void> {
    output.write(begin)
    yield* printInSteps(value, print, isDue, part => output.write(part))
    output.write(end)
    if (output.isFull) yield
  }
  const report = (error: unknown): void => {
    if (isStackOverflow(error)) errors.write(`jq: error (at ${inputs.place}): ${reasonOf(error)}\n`)
    else if (error instanceof JqError) errors.write(errorText(error, inputs.place))
    else throw error
    exitCode = 5
  }
  // The last input determines the exit code.
  const process = (input: Json): void | Promise<void> => {
    exitCode = 0
    try {
      const steps = evaluator.each(program, scope, input, emit)
      const rest = steps && finish(steps)
      return rest instanceof Promise ? rest.catch(report) : undefined
    } catch (error) {
      return report(error)
    }
  }
  try {
    if (flags.has('null-input')) await process(null)
    else {
      for (let input = await inputs.arrive(finish); input !== undefined; input = await inputs.arrive(finish)) {
        const rest = process(input)
        if (rest instanceof Promise) await rest
        if (output.isFull) await output.flush()
        if (isDue()) await pause()
      }
    }
  } catch (error) {
    if (error instanceof JsonError) {
      errors.write(`parse error: ${error.message}\n`)
      exitCode = badJsonCode
    } else if (error instanceof Halt) {
      if (error.output !== undefined)
        errors.write(typeof error.output === 'string' ? error.output : `${printJson(error.output)}\n`)
      exitCode = error.exitCode
      await output.flush()
      await errors.flush()
      return exitCode
    } else throw error
  }
  await output.flush()
  await errors.flush()
  if (inputs.hasFailed) return 2
  if (exitCode !== 0) return exitCode
  if (!flags.has('exit-status')) return 0
  return last === undefined ? 4 : isTrue(last) ? 0 : 1
}

function* onePause(): Generator<undefined, void> {
  yield
}

function errorText({ value }: JqError, place: string): string {
  if (typeof value === 'string') return `jq: error (at ${place}): ${value}\n`
  if (value === null) return `jq: error (at ${place}) (not a string): null\n`
  return `jq: error (at ${place}) (not a string): ${textOf(value)}\n`
}

function valuesOf(text: string, file: string): Json {
  const values: Json[] = []
  try {
    const reader = new JsonReader(text)
    for (let value = reader.next(); value !== undefined; value = reader.next()) values.push(value)
    return values
  } catch (error) {
    if (error instanceof JsonError) throw new UsageError(`Bad JSON in --slurpfile ${file}: ${error.message}`)
    throw error
  }
}

/** Runs steps to their end. */
/** Above this time work pauses, however few turns it took. */
const longestWorkMs = 20

type Finish = <T>(steps: Iterator<undefined, T>) => T | Promise<T>

/** Reads the values of all input files in order. */
class Inputs {
  hasFailed = false
  private readonly sources: { readonly name: string | null; readonly pieces: ValuePieces }[] = []
  private at = 0
  private reader: JsonReader | undefined
  private lineAt = 0
  private isOver = false
  private events: Iterator<Json, undefined> | undefined
  private readonly isDue: () => boolean
  private readonly flags: JqOptions['flags']
  private readonly context: ShellCommandContext
  private readonly errors: TextOutput

  constructor(flags: JqOptions['flags'], context: ShellCommandContext, errors: TextOutput, isDue: () => boolean) {
    this.flags = flags
    this.context = context
    this.errors = errors
    this.isDue = isDue
  }

  get name(): Json {
    return this.sources[this.at]?.name ?? this.sources.at(-1)?.name ?? null
  }

  get line(): number {
    return this.reader?.lineCount ?? 0
  }

  get place(): string {
    const name = this.name
    return this.reader === undefined ? '<unknown>' : `${name === null ? '<stdin>' : textOf(name)}:${this.line}`
  }

  /** `needsAll`: the program calls `input` or `inputs`, which are synchronous, so all files must be read first. */
  async open(files: readonly string[], needsAll: boolean): Promise<void> {
    for (const file of files.length === 0 ? ['-'] : files) {
      try {
        const pieces = new ValuePieces(await openInput(file, this.context), this.flags.has('raw-input'))
        if (needsAll || this.flags.has('slurp')) await pieces.fillAll()
        this.sources.push({ name: file === '-' ? null : file, pieces })
      } catch (error) {
        this.errors.write(`jq: error: Could not open file ${file}: ${reasonOf(error)}\n`)
        this.hasFailed = true
      }
    }
  }

  /** The next value; waits for more input if necessary. `finish` runs steps to their end. */
  async arrive(finish: Finish): Promise<Json | undefined> {
    for (;;) {
      const found = finish(this.next())
      const value = found instanceof Promise ? await found : found
      const pieces = this.sources[this.at]?.pieces
      if (value !== undefined || this.isOver || pieces === undefined) return value
      await pieces.fill()
    }
  }

  /** The next value, if the text read so far contains one. */
  next(): Generator<undefined, Json | undefined> {
    if (this.flags.has('slurp')) return this.nextSlurped()
    if (this.flags.has('raw-input')) return this.nextLine()
    return this.flags.has('stream') ? this.nextEvent() : this.nextValue()
  }

  private *nextSlurped(): Generator<undefined, Json | undefined> {
    if (this.isOver) return undefined
    if (this.flags.has('raw-input')) {
      this.isOver = true
      return this.sources.map(({ pieces }) => pieces.text).join('')
    }
    const values: Json[] = []
    const next = (): Generator<undefined, Json | undefined> => (this.flags.has('stream') ? this.nextEvent() : this.nextValue())
    for (let value = yield* next(); value !== undefined; value = yield* next()) values.push(value)
    this.isOver = true
    return values
  }

  private *nextValue(): Generator<undefined, Json | undefined> {
    if (this.isOver) return undefined
    for (; this.at < this.sources.length; this.at++) {
      const pieces = this.sources[this.at]?.pieces
      this.reader ??= new JsonReader('', this.isDue)
      if (pieces !== undefined) this.reader.add(pieces.takeWhole())
      const value = yield* this.reader.read()
      if (value !== undefined || pieces?.isDone === false) return value
      if (this.at === this.sources.length - 1) break
      this.reader = undefined
    }
    this.isOver = true
    return undefined
  }

  private *nextLine(): Generator<undefined, Json | undefined> {
    if (this.isDue()) yield
    if (this.isOver) return undefined
    for (; this.at < this.sources.length; this.at++) {
      const pieces = this.sources[this.at]?.pieces
      const text = pieces?.text ?? ''
      const end = text.indexOf('\n', this.lineAt)
      if (end >= 0 || (pieces?.isDone !== false && this.lineAt < text.length)) {
        const line = text.slice(this.lineAt, end < 0 ? undefined : end)
        this.lineAt = end < 0 ? text.length : end + 1
        return line
      }
      if (pieces?.isDone === false) {
        pieces.drop(this.lineAt)
        this.lineAt = 0
        return undefined
      }
      this.lineAt = 0
    }
    this.isOver = true
    return undefined
  }

  /** `--stream`: emits each leaf with its path, and a closing event for each array and object. */
  private *nextEvent(): Generator<undefined, Json | undefined> {
    for (;;) {
      const event = this.events?.next()
      if (event !== undefined && event.done !== true) return event.value
      const value = yield* this.nextValue()
      if (value === undefined) return undefined
      this.events = eventsOf(value, [])
    }
  }
}

/** The events of a large value are made one by one, so that others can run between them. */
function* eventsOf(value: Json, path: readonly Json[]): Generator<Json, undefined> {
  let last: Json | undefined
  if (isObject(value)) {
    for (const [key, item] of value) {
      yield* eventsOf(item, [...path, key])
      last = key
    }
  } else if (isArray(value)) {
    for (const [index, item] of value.entries()) {
      yield* eventsOf(item, [...path, index])
      last = index
    }
  }
  if (last === undefined) yield [path, value]
  else yield [[...path, last]]
}
