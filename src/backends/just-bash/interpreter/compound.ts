// Compound commands: loops, conditionals, groups and subshells.

import type { CompoundCommand, Script, Word } from '../syntax/tree.ts'
import { decodeText } from '../../../shell/byte-text.ts'
import { inCharacters } from './byte-locale.ts'
import { displayWidth } from '../commands/display-width.ts'
import { startCoprocess } from './background.ts'
import { testCondition } from './conditions.ts'
import { evaluateIn, expandPattern, expandQuoted, expandText, expandWords } from './expand.ts'
import { ignoringErrexit, runProcess, runScript } from './calls.ts'
import { ExitFlow, LoopFlow, ReadonlyError, ShellError } from './flow.ts'
import { compilePattern } from './pattern.ts'
import { readLine } from './read-line.ts'
import { endIfStrict } from './report.ts'
import type { Shell } from './shell.ts'
import { headOf, traceArithmetic, traceCompound } from './trace.ts'
import { announce } from './traps.ts'
import { isReferenceTarget } from './variables.ts'
import { largest } from '../../../core/many.ts'

type Of<T extends CompoundCommand['type']> = Extract<CompoundCommand, { type: T }>

export async function runCompound(shell: Shell, command: CompoundCommand): Promise<number> {
  switch (command.type) {
    case 'group':
      return runScript(shell, command.body)
    case 'subshell': {
      const child = shell.fork()
      child.takePlaceOf(shell)
      const status = await runProcess(child, () => runScript(child, command.body))
      shell.checkAlive()
      if (!shell.isInteractive) shell.jobs.notice()
      return status
    }
    case 'if':
      return runIf(shell, command)
    case 'while':
    case 'until':
      return runWhile(shell, command)
    case 'for':
      return runFor(shell, command)
    case 'arithmetic-for':
      return runArithmeticFor(shell, command)
    case 'select':
      return runSelect(shell, command)
    case 'case':
      return runCase(shell, command)
    case 'arithmetic':
      shell.line = command.line
      if (!(await announce(shell, command))) return 0
      return truthOf(shell, command.expression, '((')
    case 'conditional':
      return runConditional(shell, command)
    case 'coproc':
      return startCoprocess(shell, command)
    default:
      throw new Error(`unreachable: ${JSON.stringify(command satisfies never)}`)
  }
}

/** `((…))`: an error in the expression is printed, and the shell continues. */
async function truthOf(shell: Shell, expression: Word, name: string): Promise<number> {
  try {
    const text = await expandQuoted(shell, expression)
    if (shell.has('xtrace')) await traceArithmetic(shell, text)
    const status = evaluateIn(shell, text) === 0n ? 1 : 0
    if (shell.warnings.length > 0) await shell.warn(`${name}: `)
    return status
  } catch (error) {
    if (!(error instanceof ShellError) || error.isBeyondLine) throw error
    await shell.complain(`${name}: ${error.message}`)
    endIfStrict(shell, error)
    return 1
  }
}

async function runConditional(shell: Shell, command: Of<'conditional'>): Promise<number> {
  shell.line = command.line
  if (!(await announce(shell, command))) return 0
  try {
    const status = (await testCondition(shell, command.expression)) ? 0 : 1
    if (shell.warnings.length > 0) await shell.warn()
    return status
  } catch (error) {
    if (!(error instanceof ShellError) || error.reach !== 'command') throw error
    if (error.message !== '') await shell.complain(`[[: ${error.message}`)
    return error.status === 2 ? 2 : 1
  }
}

async function isTrue(shell: Shell, condition: Script): Promise<boolean> {
  return (await ignoringErrexit(shell, () => runScript(shell, condition))) === 0
}

async function runIf(shell: Shell, command: Of<'if'>): Promise<number> {
  for (const { condition, body } of command.branches) if (await isTrue(shell, condition)) return runScript(shell, body)
  if (command.otherwise !== undefined) return runScript(shell, command.otherwise)
  shell.status = 0
  return 0
}

/** Runs one iteration of a loop. Returns true if the loop must end. */
async function turn(shell: Shell, body: Script): Promise<boolean> {
  shell.checkAlive()
  try {
    await runScript(shell, body)
    return false
  } catch (error) {
    if (!(error instanceof LoopFlow)) throw error
    return isBroken(shell, error)
  }
}

/** Whether `break` ends this loop. Throws again for an outer loop. */
function isBroken(shell: Shell, { kind, levels, status }: LoopFlow): boolean {
  shell.status = status
  if (levels > 1 && shell.loopDepth > 1) throw new LoopFlow(kind, levels - 1, status)
  return kind === 'break'
}

async function inLoop(shell: Shell, work: () => Promise<number>): Promise<number> {
  shell.loopDepth += 1
  try {
    return await work()
  } finally {
    shell.loopDepth -= 1
  }
}

/** Evaluates the condition of a loop. Returns `undefined` if a `break` in the condition ends the loop. */
async function conditionHolds(shell: Shell, condition: Script): Promise<boolean | undefined> {
  try {
    return await isTrue(shell, condition)
  } catch (error) {
    if (!(error instanceof LoopFlow)) throw error
    return isBroken(shell, error) ? undefined : true
  }
}

async function runWhile(shell: Shell, command: Of<'while' | 'until'>): Promise<number> {
  return inLoop(shell, async () => {
    let status = 0
    for (;;) {
      const holds = await conditionHolds(shell, command.condition)
      if (holds === undefined || holds !== (command.type === 'while')) break
      const isOver = await turn(shell, command.body)
      status = shell.status
      if (isOver) break
    }
    shell.status = status
    return status
  })
}

async function hasName(shell: Shell, { name }: Of<'for' | 'select'>): Promise<boolean> {
  if (/^[A-Za-z_]\w*$/.test(name)) return true
  await shell.complain(`\`${name}': not a valid identifier`)
  return false
}

/** Assigns the variable of `for`. Returns false after an error message if the variable is readonly, which ends only the loop. */
async function takesValue(shell: Shell, name: string, value: string): Promise<boolean> {
  const variable = shell.variables.findOwn(name)
  if (variable?.isReference === true && !variable.isReadonly) {
    // The loop gives a reference one target after the other.
    if (shell.variables.target(name) === undefined) {
      await shell.warn()
      return false
    }
    if (!isReferenceTarget(value)) {
      await shell.complain(`\`${value}': not a valid identifier`)
      return false
    }
    shell.variables.obtain(name).scalar = value
    return true
  }
  return assigns(shell, name, value)
}

async function assigns(shell: Shell, name: string, value: string): Promise<boolean> {
  try {
    shell.assign(name, value)
    return true
  } catch (error) {
    if (!(error instanceof ReadonlyError)) throw error
    await shell.complain(error.message)
    endIfStrict(shell)
    if (shell.has('posix')) throw new ExitFlow(1)
    return false
  }
}

async function runFor(shell: Shell, command: Of<'for' | 'select'>): Promise<number> {
  shell.line = command.line
  if (!(await hasName(shell, command))) return 1
  const words = command.words === undefined ? [...shell.parameters] : await expandWords(shell, command.words)
  return inLoop(shell, async () => {
    let status = 0
    for (const word of words) {
      shell.line = command.line
      if (shell.has('xtrace')) await traceCompound(shell, command)
      if (!(await announce(shell, () => headOf(command)))) continue
      if (!(await takesValue(shell, command.name, word))) return 1
      const isOver = await turn(shell, command.body)
      status = shell.status
      if (isOver) break
    }
    shell.status = status
    return status
  })
}

async function runArithmeticFor(shell: Shell, command: Of<'arithmetic-for'>): Promise<number> {
  const evaluated = async (word: Word): Promise<bigint> => {
    shell.line = command.line
    const text = await expandQuoted(shell, word)
    if (shell.has('xtrace')) await traceArithmetic(shell, text)
    return (await announce(shell, () => `((${text}))`)) ? evaluateIn(shell, text) : 0n
  }
  const hasCondition = command.condition.source.trim() !== ''
  try {
    await evaluated(command.start)
    return await inLoop(shell, async () => {
      let status = 0
      while (!hasCondition || (await evaluated(command.condition)) !== 0n) {
        const isOver = await turn(shell, command.body)
        status = shell.status
        if (isOver) break
        await evaluated(command.step)
      }
      shell.status = status
      return status
    })
  } catch (error) {
    if (!(error instanceof ShellError) || error.reach !== 'line') throw error
    await shell.complain(`((: ${error.message}`)
    return 1
  }
}

async function runSelect(shell: Shell, command: Of<'for' | 'select'>): Promise<number> {
  shell.line = command.line
  if (!(await hasName(shell, command))) return 1
  const words = command.words === undefined ? [...shell.parameters] : await expandWords(shell, command.words)
  if (words.length === 0) return 0
  if (shell.has('xtrace')) await traceCompound(shell, command)
  if (!(await announce(shell, () => headOf(command)))) return 0
  const showMenu = (): Promise<void> => shell.writeError(menuOf(words, Number(shell.variables.get('COLUMNS')) || 80))
  return inLoop(shell, async () => {
    await showMenu()
    for (;;) {
      await shell.writeError(shell.variables.get('PS3') ?? '#? ')
      const line = await readLine(shell.descriptors.get(0)?.file, 10)
      if (line === undefined || !line.isComplete) {
        await shell.run.writeTo(shell.descriptors.get(1), '\n')
        return 1
      }
      const reply = decodeText(line.bytes)
      shell.assign('REPLY', reply)
      if (reply.trim() === '') {
        await showMenu()
        continue
      }
      if (!(await assigns(shell, command.name, words[Number(reply) - 1] ?? ''))) return 1
      if (await turn(shell, command.body)) return shell.status
    }
  })
}

/** The menu in columns separated by tabs. A few words, or a narrow terminal, give one column. */
function menuOf(words: readonly string[], columns: number): string {
  const indent = String(words.length).length
  const cells = words.map((text, index) => ({ text, width: displayWidth(text), number: index + 1 }))
  const widest = largest(cells.map(({ width }) => width)) + indent + 2 + 2
  const perRow = Math.max(1, Math.floor(columns / widest))
  const wanted = Math.ceil(words.length / perRow)
  // If all entries fit into one row, bash prints them in one column.
  const isOneColumn = wanted === 1
  const rows = isOneColumn ? words.length : wanted
  const firstIndent = isOneColumn ? indent : String(rows).length
  const lines = Array.from({ length: rows }, (_, row) => {
    let line = ''
    let from = 0
    for (let index = row; index < cells.length; index += rows) {
      const cell = cells[index]
      if (cell === undefined) break
      const numbered = index === row ? firstIndent : indent
      line += `${String(cell.number).padStart(numbered)}) ${cell.text}`
      const end = from + numbered + 2 + cell.width
      from += widest
      if (index + rows < cells.length) line += indentation(end, from)
    }
    return `${line}\n`
  })
  return lines.join('')
}

/** Moves from one column to another as bash does: with tabs as far as possible, then with spaces. */
function indentation(from: number, to: number): string {
  let text = ''
  for (let at = from; at < to;) {
    const isTab = Math.floor(to / 8) > Math.floor(at / 8)
    text += isTab ? '\t' : ' '
    at += isTab ? 8 - (at % 8) : 1
  }
  return text
}

async function runCase(shell: Shell, command: Of<'case'>): Promise<number> {
  shell.line = command.line
  if (shell.has('xtrace')) await traceCompound(shell, command)
  if (!(await announce(shell, () => `${headOf(command)} `))) return 0
  const text = await expandText(shell, command.word, 'word')
  const options = { isExtended: shell.hasShopt('extglob'), ignoresCase: shell.hasShopt('nocasematch') }
  let falls = false
  let hasRun = false
  for (const { patterns, body, end } of command.branches) {
    let matches = falls
    for (const pattern of patterns) {
      if (matches) break
      matches =
        pattern.literal === undefined || options.ignoresCase
          ? compilePattern(await expandPattern(shell, pattern), options).test(inCharacters(shell, text))
          : pattern.literal === text
    }
    if (!matches) continue
    // `$?` in the first command of the branch is the previous exit code, so it is not reset here.
    hasRun = body.items.length > 0
    if (hasRun) await runScript(shell, body)
    if (end === ';;') break
    falls = end === ';&'
  }
  if (!hasRun) shell.status = 0
  return shell.status
}
