// split: a file in pieces of bytes, lines, or equal parts.

import type { ShellCommandContext } from '../../../../shell/commands.ts'
import { countOf, has, parseArguments, valueOf } from '../options.ts'
import { complain, pathOf, readNamed, reasonOf } from '../program.ts'

export async function split(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(
    context.args.map(arg => arg.replace(/^-(\d+)$/, '-l$1')),
    {
      '-l': 'lines=',
      '--lines': 'lines=',
      '-b': 'bytes=',
      '--bytes': 'bytes=',
      '-n': 'chunks=',
      '--number': 'chunks=',
      '-d': 'd',
      '--numeric-suffixes': 'd',
      '-a': 'length=',
      '--suffix-length': 'length=',
      '--additional-suffix': 'suffix=',
      '-C': 'line-bytes=',
    },
  )
  if (typeof parsed === 'string') return complain(context, 'split', parsed)
  const [name = '-', prefix = 'x'] = parsed.operands
  let bytes: Uint8Array
  try {
    bytes = await readNamed(context, name)
  } catch (error) {
    return complain(context, 'split', `cannot open '${name}' for reading: ${reasonOf(error)}`)
  }
  const pieces = piecesOf(bytes, valueOf(parsed, 'bytes'), valueOf(parsed, 'chunks'), Number(valueOf(parsed, 'lines') ?? 1000))
  if (typeof pieces === 'string') return complain(context, 'split', pieces)
  const length = Number(valueOf(parsed, 'length') ?? 2)
  for (const [index, piece] of pieces.entries()) {
    const suffix = has(parsed, 'd') ? String(index).padStart(length, '0') : lettersOf(index, length)
    await context.files.writeFile(pathOf(context, prefix + suffix + (valueOf(parsed, 'suffix') ?? '')), piece)
  }
  return 0
}

function piecesOf(bytes: Uint8Array, size: string | undefined, chunks: string | undefined, lines: number): Uint8Array[] | string {
  const pieces: Uint8Array[] = []
  if (size !== undefined) {
    const count = countOf(size)
    if (count === undefined || count < 1) return `invalid number of bytes: '${size}'`
    for (let at = 0; at < bytes.length; at += count) pieces.push(bytes.subarray(at, at + count))
    return pieces
  }
  if (chunks !== undefined) {
    const count = Number(chunks.replace(/^[lr]\//, ''))
    if (!(count >= 1)) return `invalid number of chunks: '${chunks}'`
    const each = Math.floor(bytes.length / count)
    let start = 0
    for (let index = 0; index < count; index++) {
      let end = index === count - 1 ? bytes.length : (index + 1) * each
      if (chunks.startsWith('l/') && index < count - 1)
        end = Math.max(start, bytes.indexOf(10, Math.max(0, end - 1)) + 1 || bytes.length)
      pieces.push(bytes.subarray(start, end))
      start = end
    }
    return pieces
  }
  if (!(lines >= 1)) return `invalid number of lines: '${lines}'`
  let start = 0
  let count = 0
  for (let at = bytes.indexOf(10); at >= 0; at = bytes.indexOf(10, at + 1)) {
    count += 1
    if (count % lines !== 0) continue
    pieces.push(bytes.subarray(start, at + 1))
    start = at + 1
  }
  if (start < bytes.length) pieces.push(bytes.subarray(start))
  return pieces
}

function lettersOf(index: number, length: number): string {
  let text = ''
  for (let rest = index; text.length < length; rest = Math.floor(rest / 26)) text = String.fromCharCode(97 + (rest % 26)) + text
  return text
}
