// cmp: scripts use it to test whether two files are identical.

import type { ShellCommandContext, ShellInput } from '../../../../shell/commands.ts'
import { ByteWindow } from '../filter/byte-stream.ts'
import { openInput } from '../filter/input.ts'
import { latin1Text } from '../../encoding.ts'
import { paceOf } from '../pace.ts'
import { countOf, has, parseArguments, valueOf, optionTable } from '../options.ts'
import { complain, pathOf } from '../program.ts'
import { letOthersRun } from '../stop.ts'
import { reasonOf } from '../../errno.ts'

const cmpOptions = optionTable(`
  -s --silent --quiet: silent, -l --verbose: verbose, -n --bytes: length=, -i --ignore-initial: skip=,
  -b --print-bytes: shows-bytes
`)

/** `cmp [-sbl] [-n N] [-i N[:N]] FILE1 [FILE2 [SKIP1 [SKIP2]]]`. Exit codes: 0 if the files are identical, 1 if they differ, 2 after an error. */
export async function cmp(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, cmpOptions)
  if (typeof parsed === 'string') return complain(context, 'cmp', parsed, 2)
  const [first, second = '-', skipOne, skipOther, ...rest] = parsed.operands
  if (first === undefined) return complain(context, 'cmp', "missing operand after 'cmp'", 2)
  if (rest[0] !== undefined) return complain(context, 'cmp', `extra operand '${rest[0]}'`, 2)
  const length = countOf(valueOf(parsed, 'length') ?? String(Number.MAX_SAFE_INTEGER))
  if (length === undefined) return complain(context, 'cmp', 'the value of -n must be a number', 2)
  const [skip = '0', otherSkip = skip] = (valueOf(parsed, 'skip') ?? '0').split(':')
  const skips = [skipOne ?? skip, skipOther ?? (skipOne === undefined ? otherSkip : '0')].map(countOf)
  if (skips.includes(undefined)) return complain(context, 'cmp', 'the bytes to skip must be numbers', 2)
  const isSilent = has(parsed, 'silent')
  if (isSilent && has(parsed, 'verbose')) return complain(context, 'cmp', 'options -l and -s are incompatible', 2)
  const sides: Side[] = []
  for (const [index, name] of [first, second].entries()) {
    try {
      await letOthersRun(context.signal)
      sides.push(new Side(await openInput(name, context), new ByteWindow(skips[index] ?? 0, length)))
    } catch (error) {
      return isSilent ? 2 : complain(context, 'cmp', `${name}: ${reasonOf(error)}`, 2)
    }
  }
  const [one, other] = sides
  if (one === undefined || other === undefined) throw new Error('unreachable: both were opened')
  let [before, line, isSame, endsLine] = [0, 1, true, false]
  const differing: Differing[] = []
  const pace = paceOf(context.signal)
  for (;;) {
    await one.fill()
    await other.fill()
    const size = Math.min(one.bytes.length, other.bytes.length)
    const [left, right] = [one.take(size), other.take(size)]
    if (pace.isDue(8 * size)) await pace.rest()
    if (size === 0) break
    if (left !== right) {
      isSame = false
      if (isSilent) return 1
      if (!has(parsed, 'verbose')) {
        const at = firstDifference(left, right)
        line += newlinesOf(left.slice(0, at))
        const bytes = has(parsed, 'shows-bytes') ? ` is ${shownByte(left.charCodeAt(at))} ${shownByte(right.charCodeAt(at))}` : ''
        await context.stdout.write(`${first} ${second} differ: byte ${before + at + 1}, line ${line}${bytes}\n`)
        return 1
      }
      differing.push({ before, left, right })
    } else line += newlinesOf(left)
    before += size
    endsLine = left.endsWith('\n')
  }
  const sizes = [first, second].map(name => sizeBefore(context, name, before))
  const limit = length === Number.MAX_SAFE_INTEGER ? Infinity : length
  const smallest = Math.min(limit, ...(await Promise.all(sizes)))
  const width = smallest === Infinity ? widthOfLargestOffset : String(smallest).length
  const show = has(parsed, 'shows-bytes') ? shownByte : octal
  for (const part of differing) {
    for (const lines of differencesOf(part, width, show)) {
      await context.stdout.write(lines)
      if (pace.isDue(2 * lines.length)) await pace.rest()
    }
  }
  const ended = one.bytes.length < other.bytes.length ? first : other.bytes.length < one.bytes.length ? second : undefined
  if (ended === undefined) return isSame ? 0 : 1
  const where =
    before === 0
      ? 'which is empty'
      : `after byte ${before}${has(parsed, 'verbose') ? '' : endsLine ? `, line ${line - 1}` : `, in line ${line}`}`
  return isSilent ? 1 : complain(context, 'cmp', `EOF on ${ended} ${where}`)
}

/** Parts of the two files that are not equal. */
interface Differing {
  readonly before: number
  readonly left: string
  readonly right: string
}

/** What is known of the size of an input before it is read: nothing of a pipe. */
async function sizeBefore(context: ShellCommandContext, name: string, compared: number): Promise<number> {
  const { stdin } = context
  if (name === '-') return stdin.isPipe === true ? Infinity : compared
  const path = pathOf(context, name)
  return path.startsWith('/dev/fd/') ? Infinity : (await context.files.stat(path)).sizeBytes
}

const widthOfLargestOffset = 19

function firstDifference(left: string, right: string): number {
  let at = 0
  while (left.charCodeAt(at) === right.charCodeAt(at)) at += 1
  return at
}

function newlinesOf(text: string): number {
  let count = 0
  for (let at = text.indexOf('\n'); at >= 0; at = text.indexOf('\n', at + 1)) count += 1
  return count
}

/** The lines of `-l`, in parts of bounded size. */
function* differencesOf({ before, left, right }: Differing, width: number, show: (byte: number) => string): Generator<string> {
  let lines = ''
  for (let at = 0; at < left.length; at++) {
    const [one, other] = [left.charCodeAt(at), right.charCodeAt(at)]
    if (one === other) continue
    lines += `${String(before + at + 1).padStart(width)} ${show(one).padEnd(show === shownByte ? 8 : 0)} ${show(other)}\n`
    if (lines.length < longestPart) continue
    yield lines
    lines = ''
  }
  if (lines !== '') yield lines
}

const longestPart = 64 * 1024

function octal(byte: number): string {
  return byte.toString(8).padStart(3)
}

/** The octal number and the character, as `cat -v` shows it. */
function shownByte(byte: number): string {
  const low = byte & 0x7f
  const character = low < 32 ? `^${String.fromCharCode(low + 64)}` : low === 127 ? '^?' : String.fromCharCode(low)
  return `${octal(byte)} ${byte > 127 ? 'M-' : ''}${character}`
}

class Side {
  /** Bytes that were read but not yet compared. */
  bytes = ''
  private readonly input: ShellInput
  private readonly window: ByteWindow

  constructor(input: ShellInput, window: ByteWindow) {
    this.input = input
    this.window = window
  }

  async fill(): Promise<void> {
    while (this.bytes === '' && !this.window.isOver) {
      const piece = await this.input.read()
      if (piece === undefined) return
      this.bytes = this.window.take(latin1Text(piece))
    }
  }

  take(size: number): string {
    const taken = this.bytes.slice(0, size)
    this.bytes = this.bytes.slice(size)
    return taken
  }
}
