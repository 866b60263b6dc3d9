// Paths from the command line, or from `--pathspec-from-file`.

import { decodeText } from '../../shell/byte-text.ts'
import type { GitCall } from '../call.ts'
import { fatal } from '../errors.ts'
import type { Options } from '../options.ts'
import { unquotePath } from '../quote.ts'

/** The arguments of the call, or the paths from `--pathspec-from-file`. */
/** Choosing hunks and a list of paths exclude each other. */
export function refuseListedPatch(options: Options): void {
  if (options.has('patch') && options.value('pathspec-from-file') !== undefined)
    throw fatal("options '--pathspec-from-file' and '--patch' cannot be used together")
}

export async function pathspecWords(call: GitCall, options: Options): Promise<readonly string[]> {
  const file = options.value('pathspec-from-file')
  const isNull = options.has('pathspec-file-nul')
  if (file === undefined && isNull) throw fatal("the option '--pathspec-file-nul' requires '--pathspec-from-file'")
  if (file === undefined) return options.all
  if (options.all.length > 0) throw fatal("'--pathspec-from-file' and pathspec arguments cannot be used together")
  const { files, cwd } = call.environment
  const bytes = file === '-' ? await call.inputBytes() : await files.read(file.startsWith('/') ? file : `${cwd}/${file}`)
  if (bytes === undefined) throw fatal(`could not open '${file}' for reading: No such file or directory`)
  return decodeText(bytes)
    .split(isNull ? '\0' : /\r?\n/)
    .filter(line => line !== '')
    .map(line => (isNull ? line : unquotedLine(line)))
}

/** A line of a list of paths; one that begins with quotes is a quoted name. */
export function unquotedLine(line: string): string {
  if (!line.startsWith('"')) return line
  const isWhole = /^"(?:[^"\\]|\\[abfnrtv"\\]|\\[0-3][0-7]{2})*"$/.test(line)
  const path = isWhole ? unquotePath(line) : undefined
  if (path === undefined) throw fatal('line is badly quoted')
  return path
}
