// head and tail as streams: head stops reading as soon as it has printed its part, which also stops the writer.

import type { ShellCommandContext, ShellInput, ShellOutput } from '../../../../shell/commands.ts'
import { runBuffered } from '../buffered.ts'
import { openInput } from '../filter/input.ts'
import { has, type Arguments } from '../options.ts'
import { complain } from '../program.ts'
import { follow, followRequest } from './follow.ts'
import { head as headOfAll, readPart, tail as tailOfAll, type Part } from './head-tail.ts'

export async function head(context: ShellCommandContext): Promise<number> {
  const { part, file } = streamedPart('head', context.args)
  // A device may be endless, so only the required part is read.
  if (part?.sign === '' && file !== undefined && isStream(file))
    return headOfInput(await openInput(file, context), context.stdout, part)
  return runBuffered('head', headOfAll, context)
}

export async function tail(context: ShellCommandContext): Promise<number> {
  const wanted = readPart('tail', context.args)
  if (typeof wanted !== 'string') {
    const request = followRequest(wanted.parsed)
    if (typeof request !== 'string') return complain(context, 'tail', request.problem)
    if (request === 'yes') return printAndFollow(context, wanted.parsed)
  }
  // With a count of 0, no input is opened and no header is printed.
  if (typeof wanted !== 'string' && wanted.part.sign === '' && wanted.part.count === 0) return 0
  const { part, file } = streamedPart('tail', context.args)
  return part?.sign === '+' && file !== undefined && isStream(file)
    ? skipInput(await openInput(file, context), context.stdout, part)
    : runBuffered('tail', tailOfAll, context)
}

async function printAndFollow(context: ShellCommandContext, parsed: Arguments): Promise<number> {
  const printed = new Map<string, number>()
  const remember = (name: string, sizeBytes: number): unknown => printed.set(name, sizeBytes)
  const code = await runBuffered('tail', (args, own) => tailOfAll(args, own, remember), context)
  const isOnlyInput = parsed.operands.every(name => name === '-')
  return isOnlyInput ? code : follow(context, parsed, printed)
}

function isStream(file: string): boolean {
  return file === '-' || file.startsWith('/dev/')
}

/** `part` is set if a single input is read, without a header and with newlines as delimiters. */
function streamedPart(command: 'head' | 'tail', args: readonly string[]): { readonly part?: Part; readonly file?: string } {
  const wanted = readPart(command, args)
  if (typeof wanted === 'string' || has(wanted.parsed, 'verbose') || has(wanted.parsed, 'zero')) return {}
  const [file = '-', ...others] = wanted.parsed.operands
  return others.length > 0 ? {} : { part: wanted.part, file }
}

async function headOfInput(stdin: ShellInput, stdout: ShellOutput, { unit, count }: Part): Promise<number> {
  const counter = new Counter(unit, count)
  while (counter.left > 0) {
    const piece = await stdin.read()
    if (piece === undefined) break
    await stdout.write(piece.subarray(0, counter.take(piece)))
  }
  return 0
}

async function skipInput(stdin: ShellInput, stdout: ShellOutput, { unit, count }: Part): Promise<number> {
  const counter = new Counter(unit, Math.max(0, count - 1))
  for (let piece = await stdin.read(); piece !== undefined; piece = await stdin.read())
    await stdout.write(piece.subarray(counter.take(piece)))
  return 0
}

/** Counts down lines or bytes. */
class Counter {
  left: number
  private readonly unit: Part['unit']

  constructor(unit: Part['unit'], count: number) {
    this.unit = unit
    this.left = count
  }

  /** The number of bytes of `piece` that belong to the counted part. */
  take(piece: Uint8Array): number {
    if (this.unit === 'bytes') {
      const size = Math.min(this.left, piece.length)
      this.left -= size
      return size
    }
    let end = 0
    while (this.left > 0 && end < piece.length) {
      const newline = piece.indexOf(10, end)
      end = newline < 0 ? piece.length : newline + 1
      if (newline >= 0) this.left -= 1
    }
    return end
  }
}
