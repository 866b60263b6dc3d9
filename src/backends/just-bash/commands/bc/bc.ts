// bc: arithmetic of arbitrary precision.

import { checkEnded } from '../stop.ts'
import { decodeInParts, paceOf, unitsPerItem, type Pace } from '../pace.ts'
import { encodeText } from '../../../../shell/byte-text.ts'
import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { versionText } from '../about.ts'
import { has, parseArguments, optionTable } from '../options.ts'
import { complain, readNamed } from '../program.ts'
import { BcParser, BcSyntaxError } from './parse.ts'
import { BcEnd, BcMachine, BcRuntimeError, BcUnavailableError } from './run.ts'
import { isStackOverflow, reasonOf } from '../../errno.ts'

const usage = 'usage: bc [-hilqsvw] [FILE]...\n'

const bcOptions = optionTable(`
  -l --mathlib: l, -q --quiet -s --standard -w --warn -i --interactive: ignored, -h --help: help, -v --version: version
`)

/** `bc [-lqsw] [FILE]...`: the files, then standard input. */
export async function bc(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, bcOptions)
  if (typeof parsed === 'string') {
    await context.stdout.write(usage)
    return complain(context, 'bc', parsed)
  }
  if (has(parsed, 'help') || has(parsed, 'version')) {
    await context.stdout.write(has(parsed, 'help') ? usage : versionText('bc'))
    return 0
  }
  let problems = ''
  const pace = paceOf(context.signal)
  const machine = new BcMachine({
    rest: () => (pace.isDue(unitsPerItem) ? pace.rest() : undefined),
    hasLibrary: has(parsed, 'l'),
    lineLength: lineLengthOf(context.env['BC_LINE_LENGTH']),
    isStopped: () => {
      checkEnded(context.signal)
      return false
    },
    warn: problem => {
      problems += `Runtime warning (func=(main), adr=0): ${problem}\n`
    },
  })
  const flush = async (): Promise<void> => {
    const [printed, complaints] = [machine.output, problems]
    machine.output = ''
    problems = ''
    if (printed !== '') await context.stdout.write(encodeText(printed))
    if (complaints !== '') await context.stderr.write(complaints)
  }
  if (parsed.operands.includes('-'))
    return complain(context, 'bc', 'File - is unavailable; standard input is read after the files')
  for (const name of [...parsed.operands, '-']) {
    let text: string
    try {
      text = await decodeInParts(await readNamed(context, name), pace)
    } catch (error) {
      return complain(context, 'bc', `File ${name} is unavailable: ${reasonOf(error)}`)
    }
    let isOver: boolean
    try {
      isOver = await runText(text, name === '-' ? '(standard_in)' : name, machine, pace, flush, problem => {
        problems += problem
      })
    } catch (error) {
      if (!(error instanceof BcUnavailableError)) throw error
      await flush()
      return complain(context, 'bc', error.message)
    }
    await flush()
    if (isOver) return 0
  }
  return 0
}

function lineLengthOf(text: string | undefined): number {
  const length = text === undefined ? 70 : Math.trunc(Number.parseFloat(text) || 0)
  return length === 0 || length > 2 ? length : 70
}

/** Returns true if `quit` ended the program. */
async function runText(
  text: string,
  name: string,
  machine: BcMachine,
  pace: Pace,
  flush: () => Promise<void>,
  report: (problem: string) => void,
): Promise<boolean> {
  const parser = new BcParser(text)
  for (;;) {
    try {
      if (pace.isDue(16 * unitsPerItem)) await pace.rest()
      const line = parser.nextLine()
      if (line === undefined) return false
      for (const statement of line) await machine.execute(statement)
    } catch (error) {
      if (error instanceof BcEnd) return true
      if (error instanceof BcSyntaxError) {
        report(`${name} ${error.line}: ${error.message}\n`)
        parser.skipLine()
      } else if (error instanceof BcRuntimeError || error instanceof RangeError || isStackOverflow(error))
        report(`Runtime error (func=(main), adr=0): ${reasonOf(error)}\n`)
      else throw error
    }
    await flush()
  }
}
