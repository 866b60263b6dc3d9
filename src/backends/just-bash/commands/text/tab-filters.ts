// expand and unexpand. Columns are bytes, as in GNU's, so that the input is processed in pieces of any size. A line may begin in
// one file and go on in the next.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { eachStream } from '../filter/each-input.ts'
import { type Arguments, has, parseArguments, optionTable } from '../options.ts'
import { paceOf } from '../pace.ts'
import { complain } from '../program.ts'
import { readTabStops, type TabStops } from './tab-stops.ts'

export async function expand(context: ShellCommandContext): Promise<number> {
  const args = context.args.map(arg => arg.replace(/^-(\d[\d,]*)$/, '-t$1'))
  const parsed = parseArguments(args, optionTable('-t --tabs: tabs=, -i --initial: i'))
  if (typeof parsed === 'string') return complain(context, 'expand', parsed)
  const nextStop = readTabStops(tabsOf(parsed))
  if (typeof nextStop === 'string') return complain(context, 'expand', nextStop)
  return filter(context, 'expand', parsed.operands, new Expander(nextStop, has(parsed, 'i')))
}

export async function unexpand(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, optionTable('-a --all: a, -t --tabs: tabs=, --first-only: first'))
  if (typeof parsed === 'string') return complain(context, 'unexpand', parsed)
  const nextStop = readTabStops(tabsOf(parsed))
  if (typeof nextStop === 'string') return complain(context, 'unexpand', nextStop)
  const isAll = (has(parsed, 'a') || has(parsed, 'tabs')) && !has(parsed, 'first')
  return filter(context, 'unexpand', parsed.operands, new Unexpander(nextStop, isAll))
}

interface ByteFilter {
  /** Puts what `bytes` become into `output`. */
  readonly take: (bytes: Uint8Array, output: ByteBuffer) => void
  /** Puts what was held back into `output`. */
  readonly end: (output: ByteBuffer) => void
}

async function filter(
  context: ShellCommandContext,
  command: string,
  names: readonly string[],
  lines: ByteFilter,
): Promise<number> {
  const pace = paceOf(context.signal)
  const output = new ByteBuffer()
  const code = await eachStream(context, command, names, async input => {
    for (let piece = await input.read(); piece !== undefined; piece = await input.read()) {
      for (let from = 0; from < piece.length; from += partBytes) {
        lines.take(piece.subarray(from, from + partBytes), output)
        const written = output.take()
        if (written.length > 0) await context.stdout.write(written)
        if (pace.isDue(partBytes + written.length)) await pace.rest()
      }
    }
  })
  lines.end(output)
  const rest = output.take()
  if (rest.length > 0) await context.stdout.write(rest)
  return code
}

const partBytes = 16 * 1024

const [backspace, tab, newline, blank] = [8, 9, 10, 32]

class ByteBuffer {
  #bytes = new Uint8Array(2 * partBytes)
  #length = 0

  add(byte: number): void {
    if (this.#length === this.#bytes.length) this.#makeRoom(1)
    this.#bytes[this.#length++] = byte
  }

  /** Adds `byte` `count` times. */
  fill(byte: number, count: number): void {
    this.#makeRoom(count)
    this.#bytes.fill(byte, this.#length, this.#length + count)
    this.#length += count
  }

  /** Returns a copy of all bytes, once. */
  take(): Uint8Array {
    const taken = this.#bytes.slice(0, this.#length)
    this.#length = 0
    return taken
  }

  #makeRoom(count: number): void {
    if (this.#length + count <= this.#bytes.length) return
    const larger = new Uint8Array(2 * (this.#length + count))
    larger.set(this.#bytes.subarray(0, this.#length))
    this.#bytes = larger
  }
}

class Expander implements ByteFilter {
  readonly #nextStop: TabStops
  readonly #onlyInitial: boolean
  #column = 0
  #isInitial = true

  constructor(nextStop: TabStops, onlyInitial: boolean) {
    this.#nextStop = nextStop
    this.#onlyInitial = onlyInitial
  }

  take(bytes: Uint8Array, output: ByteBuffer): void {
    for (const byte of bytes) {
      if (byte === tab && (this.#isInitial || !this.#onlyInitial)) {
        const stop = this.#nextStop(this.#column) ?? this.#column + 1
        output.fill(blank, stop - this.#column)
        this.#column = stop
        continue
      }
      output.add(byte)
      if (byte === newline) {
        this.#column = 0
        this.#isInitial = true
        continue
      }
      if (byte !== blank && byte !== tab) this.#isInitial = false
      this.#column = columnAfter(this.#column, byte)
    }
  }

  end(): void {
    // Nothing is held back.
  }
}

class Unexpander implements ByteFilter {
  readonly #nextStop: TabStops
  readonly #isAll: boolean
  #column = 0
  #isInitial = true
  /** After the last tab stop, the line remains unchanged. */
  #isOver = false
  /** Blanks that are not written yet begin at column `#start`. There are `#count`, and `#column` is behind them. */
  #start = 0
  #count = 0
  #endsWithBlank = false

  constructor(nextStop: TabStops, isAll: boolean) {
    this.#nextStop = nextStop
    this.#isAll = isAll
  }

  take(bytes: Uint8Array, output: ByteBuffer): void {
    for (const byte of bytes) {
      if ((byte === blank || byte === tab) && (this.#isAll || this.#isInitial) && !this.#isOver) {
        const stop = this.#nextStop(this.#column)
        if (stop !== undefined) {
          this.#count += 1
          this.#endsWithBlank = byte === blank
          this.#column = byte === tab ? stop : this.#column + 1
          continue
        }
        this.#isOver = true
      }
      this.end(output)
      output.add(byte)
      if (byte === newline) {
        this.#column = this.#start = 0
        this.#isInitial = true
        this.#isOver = false
        continue
      }
      this.#isInitial = false
      this.#column = this.#start = columnAfter(this.#column, byte)
    }
  }

  end(output: ByteBuffer): void {
    if (this.#count === 0) return
    let column = this.#start
    // A single blank before a tab stop remains a blank, except at the beginning of a line.
    const isKept = this.#count === 1 && this.#endsWithBlank && !this.#isInitial
    for (
      let stop = this.#nextStop(column);
      !isKept && stop !== undefined && stop <= this.#column;
      stop = this.#nextStop(column)
    ) {
      output.add(tab)
      column = stop
    }
    output.fill(blank, this.#column - column)
    this.#count = 0
    this.#start = this.#column
  }
}

/** A backspace moves back. */
function columnAfter(column: number, byte: number): number {
  return byte === backspace ? Math.max(0, column - 1) : column + 1
}

/** Repeated -t options are concatenated to one list. */
function tabsOf({ options }: Arguments): string {
  return options.flatMap(({ name, value }) => (name === 'tabs' ? value : [])).join(',') || '8'
}
