// cmp: scripts use it to test whether two files are identical.

import type { ShellCommandContext, ShellInput } from '../../../../shell/commands.ts'
import { ByteWindow } from '../filter/byte-stream.ts'
import { openInput } from '../filter/input.ts'
import { latin1Text } from '../../encoding.ts'
import { countOf, has, parseArguments, valueOf } from '../options.ts'
import { complain, reasonOf } from '../program.ts'

/** `cmp [-s] [-l] [-n N] FILE1 [FILE2]`. Exit codes: 0 if the files are identical, 1 if they differ, 2 after an error. */
export async function cmp(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {
    '-s': 'silent',
    '--silent': 'silent',
    '--quiet': 'silent',
    '-l': 'verbose',
    '--verbose': 'verbose',
    '-n': 'length=',
    '--bytes': 'length=',
  })
  if (typeof parsed === 'string') return complain(context, 'cmp', parsed, 2)
  const [first, second = '-', ...rest] = parsed.operands
  if (first === undefined || rest.length > 0) return complain(context, 'cmp', 'give two files', 2)
  const length = countOf(valueOf(parsed, 'length') ?? String(Number.MAX_SAFE_INTEGER))
  if (length === undefined) return complain(context, 'cmp', 'the value of -n is a number', 2)
  const isSilent = has(parsed, 'silent')
  const sides: Side[] = []
  for (const name of [first, second]) {
    try {
      sides.push(new Side(await openInput(name, context), new ByteWindow(0, length)))
    } catch (error) {
      return isSilent ? 2 : complain(context, 'cmp', `${name}: ${reasonOf(error)}`, 2)
    }
  }
  const [one, other] = sides
  if (one === undefined || other === undefined) throw new Error('unreachable: both were opened')
  let [before, line, isSame] = [0, 1, true]
  const differences: string[][] = []
  for (;;) {
    await one.fill()
    await other.fill()
    const size = Math.min(one.bytes.length, other.bytes.length)
    const [left, right] = [one.take(size), other.take(size)]
    if (size === 0) break
    for (let at = 0; at < size; at++) {
      if (left.charAt(at) === right.charAt(at)) {
        if (left.charAt(at) === '\n') line += 1
        continue
      }
      isSame = false
      if (isSilent) return 1
      if (!has(parsed, 'verbose')) {
        await context.stdout.write(`${first} ${second} differ: byte ${before + at + 1}, line ${line}\n`)
        return 1
      }
      differences.push([before + at + 1, octal(left.charCodeAt(at)), octal(right.charCodeAt(at))].map(String))
    }
    before += size
  }
  const width = String(before).length
  await context.stdout.write(
    differences.map(([at = '', left = '', right = '']) => `${at.padStart(width)} ${left} ${right}\n`).join(''),
  )
  const ended = one.bytes.length < other.bytes.length ? first : other.bytes.length < one.bytes.length ? second : undefined
  if (ended === undefined) return isSame ? 0 : 1
  const where = before === 0 ? 'which is empty' : `after byte ${before}`
  return isSilent ? 1 : complain(context, 'cmp', `EOF on ${ended} ${where}`)
}

function octal(byte: number): string {
  return byte.toString(8).padStart(3)
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
