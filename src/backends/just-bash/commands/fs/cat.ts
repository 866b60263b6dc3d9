import { decodeText, encodeText } from '../../../../shell/byte-text.ts'
import type { ShellCommandContext, ShellInput } from '../../../../shell/commands.ts'
import { openInput } from '../filter/input.ts'
import { has, parseArguments, optionTable } from '../options.ts'
import { complain, pathOf } from '../program.ts'
import { reasonOf } from '../../errno.ts'

const catOptions = optionTable(`
  -n --number: n, -b --number-nonblank: b, -s --squeeze-blank: s, -E --show-ends: E, -T --show-tabs: T,
  -v --show-nonprinting: v, -A --show-all: A, -e: e, -t: t, -u: u
`)

export async function cat(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, catOptions)
  if (typeof parsed === 'string') return complain(context, 'cat', parsed)
  const isPlain = parsed.options.every(({ name }) => name === 'u')
  let code = 0
  const show = isPlain ? undefined : createShower(parsed)
  for (const name of parsed.operands.length === 0 ? ['-'] : parsed.operands) {
    try {
      if (name === '-') {
        for (let part = await context.stdin.read(); part !== undefined; part = await context.stdin.read())
          await context.stdout.write(show === undefined ? part : show(part))
        continue
      }
    } catch (error) {
      if (!isReadFailure(error)) throw error
      code = await complain(context, 'cat', `${name}: ${reasonOf(error)}`)
      continue
    }
    let input: ShellInput
    try {
      if (pathOf(context, name) === context.stdout.path && !(await isEmptyFile(context, name))) {
        code = await complain(context, 'cat', `${name}: input file is output file`)
        continue
      }
      input = await openInput(name, context)
    } catch (error) {
      code = await complain(context, 'cat', `${name}: ${reasonOf(error)}`)
      continue
    }
    for (let part = await input.read(); part !== undefined; part = await input.read())
      await context.stdout.write(show === undefined ? part : show(part))
  }
  return code
}

/** An empty file may also be the output, because nothing is read from it that could be read again. */
async function isEmptyFile(context: ShellCommandContext, name: string): Promise<boolean> {
  return (await context.files.stat(pathOf(context, name))).sizeBytes === 0
}

function isReadFailure(error: unknown): boolean {
  return error instanceof Error && 'code' in error && (error.code === 'EISDIR' || error.code === 'EBADF')
}

/** Line numbers and line state continue from one file to the next. */
function createShower(parsed: Parameters<typeof has>[0]): (bytes: Uint8Array) => Uint8Array {
  const all = has(parsed, 'A')
  const showsEnds = all || has(parsed, 'E') || has(parsed, 'e')
  const showsTabs = all || has(parsed, 'T') || has(parsed, 't')
  const showsHidden = all || has(parsed, 'v') || has(parsed, 'e') || has(parsed, 't')
  let number = 0
  let isLineStart = true
  let blankLines = 0
  return bytes => {
    let result = ''
    for (const line of decodeText(bytes).match(/[^\n]*\n|[^\n]+$/g) ?? []) {
      const isBlank = isLineStart && line === '\n'
      blankLines = isBlank ? blankLines + 1 : 0
      if (has(parsed, 's') && blankLines > 1) continue
      const isNumbered = isLineStart && (has(parsed, 'b') ? !isBlank : has(parsed, 'n'))
      if (isNumbered) {
        number += 1
        result += `${String(number).padStart(6)}\t`
      }
      const hasEnd = line.endsWith('\n')
      let body = hasEnd ? line.slice(0, -1) : line
      if (showsHidden) body = shown(body)
      else if (showsEnds && hasEnd) body = body.replace(/\r$/, '^M')
      if (showsTabs) body = body.replaceAll('\t', '^I')
      result += body + (hasEnd ? (showsEnds ? '$\n' : '\n') : '')
      isLineStart = hasEnd
    }
    return encodeText(result)
  }
}

function shown(text: string): string {
  return Array.from(encodeText(text), byte => {
    const low = byte & 0x7f
    const prefix = byte >= 0x80 ? 'M-' : ''
    if (byte === 9) return '\t'
    if (low < 0x20) return `${prefix}^${String.fromCharCode(low + 64)}`
    return low === 0x7f ? `${prefix}^?` : prefix + String.fromCharCode(low)
  }).join('')
}
