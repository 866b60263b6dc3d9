// The tests of `[ … ]`, `test` and `[[ … ]]`.

import { namesDirectory } from '../errno.ts'
import { pathFrom } from '../physical-files.ts'
import type { FileStat } from '../../../shell/files.ts'
import type { Condition, Word } from '../syntax/tree.ts'
import { bytesAsSymbols, inCharacters, symbolsAsBytes } from './byte-locale.ts'
import { filesOf } from './command-files.ts'
import { elementOf, evaluateIn, expandPattern, expandText, expandParts } from './expand.ts'
import { Fields } from './fields.ts'
import { ShellError } from './flow.ts'
import { compilePattern } from './pattern.ts'
import { isLong } from './pace.ts'
import { endsInBracket, matchExtended } from './posix-regex.ts'
import type { Shell } from './shell.ts'
import { namedElement } from './named-element.ts'
import { optionNames } from './shell-options.ts'
import { traceCondition } from './trace.ts'

export const unaryTests: ReadonlySet<string> = new Set([...'abcdefghknoprstuvwxzGLNORS'].map(letter => `-${letter}`))
const numberTests: Readonly<Record<string, (left: bigint, right: bigint) => boolean>> = {
  '-eq': (left, right) => left === right,
  '-ne': (left, right) => left !== right,
  '-lt': (left, right) => left < right,
  '-le': (left, right) => left <= right,
  '-gt': (left, right) => left > right,
  '-ge': (left, right) => left >= right,
}

export function isBinaryTest(operator: string): boolean {
  return operator in numberTests || ['=', '==', '!=', '<', '>', '-nt', '-ot', '-ef'].includes(operator)
}

export async function unaryTest(shell: Shell, operator: string, operand: string): Promise<boolean> {
  switch (operator) {
    case '-z':
      return operand === ''
    case '-n':
      return operand !== ''
    case '-v':
      return isSet(shell, operand)
    case '-R':
      return shell.variables.findDeclared(operand)?.isReference === true
    case '-o':
      return optionNames.includes(operand) && shell.has(operand)
    case '-t':
      return false
    default:
      return fileTest(shell, operator, operand)
  }
}

async function isSet(shell: Shell, text: string): Promise<boolean> {
  const { name = '', key } = (await namedElement(shell, text)) ?? {}
  return isElementSet(shell, text, name, key)
}

/** `[[ -v m[$k] ]]` expands the key once. In `[[ -v 'm[$k]' ]]` and `[[ -v $text ]]` it is expanded from the text. */
async function isSetInCondition(shell: Shell, word: Word): Promise<boolean> {
  const text = await expandText(shell, word, 'word')
  const isExpanded = word.parts.some(part => part.type === 'double' || (part.type === 'text' && part.text.includes('[')))
  const [, name, key] = isExpanded ? (/^([A-Za-z_]\w*)\[([^]*)\]$/.exec(text) ?? []) : []
  return name === undefined ? isSet(shell, text) : isElementSet(shell, text, name, key)
}

function isElementSet(shell: Shell, text: string, name: string, key: string | undefined): boolean {
  // A reference to an element is not followed.
  if (key === undefined) return shell.get(text) !== undefined && shell.variables.target(text)?.subscript === undefined
  const variable = shell.variables.find(name)
  if (variable?.map !== undefined) return variable.map.has(key)
  if (key === '@' || key === '*') return (variable?.values() ?? []).length > 0
  return elementOf(shell, name, key) !== undefined
}

async function statOf(shell: Shell, operand: string, follows: boolean): Promise<FileStat | undefined> {
  if (operand === '') return undefined
  const files = filesOf(shell)
  const path = pathFrom(shell.directory, operand)
  try {
    const found = await (follows || namesDirectory(operand) ? files.stat(path) : files.lstat(path))
    return namesDirectory(operand) && found.kind !== 'directory' ? undefined : found
  } catch {
    // A file that does not exist gives `undefined`.
    return undefined
  }
}

async function fileTest(shell: Shell, operator: string, operand: string): Promise<boolean> {
  const found = await statOf(shell, operand, operator !== '-L' && operator !== '-h')
  if (found === undefined) return false
  const isDevice = found.device !== undefined
  switch (operator) {
    case '-e':
    case '-a':
    case '-r':
    case '-w':
    case '-O':
    case '-G':
      return true
    case '-f':
      return found.kind === 'file' && !isDevice && found.isPipe !== true
    case '-d':
      return found.kind === 'directory'
    case '-L':
    case '-h':
      return found.kind === 'symlink'
    case '-s':
      return found.kind === 'directory' || found.sizeBytes > 0
    case '-x':
      return found.kind === 'directory' || (found.mode & 0o111) !== 0
    case '-c':
      return isDevice
    case '-p':
      return found.isPipe === true
    case '-k':
      return (found.mode & 0o1000) !== 0
    case '-u':
      return (found.mode & 0o4000) !== 0
    case '-g':
      return (found.mode & 0o2000) !== 0
    default:
      return false
  }
}

/** Evaluates `left operator right` for `[`; `[[` expands the right side differently. Throws a `ShellError` for an invalid number. */
export async function binaryTest(
  shell: Shell,
  left: string,
  operator: string,
  right: string,
  number: (text: string) => bigint,
): Promise<boolean> {
  const compare = numberTests[operator]
  if (compare !== undefined) return compare(number(left), number(right))
  switch (operator) {
    case '=':
    case '==':
      return left === right
    case '!=':
      return left !== right
    case '<':
      return left < right
    case '>':
      return left > right
    default: {
      const [one, other] = [await statOf(shell, left, true), await statOf(shell, right, true)]
      if (operator === '-ef') return one !== undefined && other !== undefined && one.ino === other.ino
      if (operator === '-nt') return one !== undefined && (other === undefined || one.mtimeMs > other.mtimeMs)
      return other !== undefined && (one === undefined || one.mtimeMs < other.mtimeMs)
    }
  }
}

/** Evaluates a condition of `[[ … ]]`. */
export async function testCondition(shell: Shell, condition: Condition, isNegated = false): Promise<boolean> {
  if (shell.has('xtrace') && (condition.type === 'unary' || condition.type === 'binary' || condition.type === 'word'))
    await traceCondition(shell, condition, isNegated)
  switch (condition.type) {
    case 'and':
    case 'or': {
      // The left operands of a long list are nested as deep as the list is long.
      const chain: (typeof condition)[] = []
      let first: Condition = condition
      for (; first.type === 'and' || first.type === 'or'; first = first.left) chain.push(first)
      let isTrue = await testCondition(shell, first)
      for (const { type, right } of chain.toReversed())
        if (isTrue === (type === 'and')) isTrue = await testCondition(shell, right)
      return isTrue
    }
    case 'parentheses':
      return testCondition(shell, condition.operand)
    case 'not':
      return !(await testCondition(shell, condition.operand, !isNegated))
    case 'word':
      return (await expandText(shell, condition.word, 'word')) !== ''
    case 'unary':
      if (condition.operator === '-v') return isSetInCondition(shell, condition.word)
      return unaryTest(shell, condition.operator, await expandText(shell, condition.word, 'word'))
    case 'binary': {
      const left = await expandText(shell, condition.left, 'word')
      if (condition.operator === '=~') return matchRegex(shell, left, condition.right)
      if (condition.operator === '=' || condition.operator === '==' || condition.operator === '!=') {
        const pattern = await expandPattern(shell, condition.right)
        const expression = compilePattern(pattern, { isExtended: true, ignoresCase: shell.hasShopt('nocasematch') })
        return expression.test(inCharacters(shell, left)) === (condition.operator !== '!=')
      }
      const right = await expandText(shell, condition.right, 'word')
      return binaryTest(shell, left, condition.operator, right, text => numberIn(shell, text))
    }
    default:
      throw new Error(`unreachable: ${JSON.stringify(condition satisfies never)}`)
  }
}

/** A wrong number of a comparison fails only the condition, unlike one in an expansion. */
function numberIn(shell: Shell, text: string): bigint {
  try {
    return evaluateIn(shell, text)
  } catch (error) {
    throw error instanceof ShellError && error.reach === 'line' ? new ShellError(error.message, 1, 'command') : error
  }
}

async function matchRegex(shell: Shell, text: string, word: Extract<Condition, { type: 'binary' }>['right']): Promise<boolean> {
  // Quoted characters match literally.
  let source = ''
  for (const part of word.parts) {
    const fields = new Fields({ ifs: undefined, isExtendedGlob: false })
    await expandParts(shell, [part], fields, 'operand')
    const { text: piece } = fields.single()
    const isQuoted = part.type === 'quoted' || part.type === 'double'
    source += isQuoted && !endsInBracket(source) ? piece.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&') : piece
  }
  if (isLong(text)) await shell.letOthersRun()
  const ignoresCase = shell.hasShopt('nocasematch')
  const [expression, searched] = [bytesAsSymbols(shell, source), bytesAsSymbols(shell, text)]
  const match = await matchExtended(expression, searched, ignoresCase, () => shell.letOthersRun())
  shell.variables.setList(
    'BASH_REMATCH',
    match.map(piece => symbolsAsBytes(shell, piece)),
  )
  return match.length > 0
}
