// Messages of commits and tags: built from options, and cleaned as git cleans them.

import { decodeText } from '../../shell/byte-text.ts'
import type { GitCall } from '../call.ts'
import { failure, fatal, GitFailure } from '../errors.ts'
import { cleanMessage } from '../merge/commit-text.ts'
import type { Options } from '../options.ts'
import type { Config } from '../store/config.ts'

/** The text of `-m` (each a paragraph) or of `-F`; `undefined` when neither is given. */
export async function givenMessage(call: GitCall, options: Options): Promise<string | undefined> {
  const parts = options.values('message')
  const file = options.value('file')
  const given = [
    ...(parts.length > 0 ? ['-m'] : []),
    ...(options.has('reuse-message') ? ['-C'] : []),
    ...(options.has('reedit-message') ? ['-c'] : []),
    ...(file === undefined ? [] : ['-F']),
  ]
  if (given.length > 1) throw fatal(`options '${given[0]}' and '${given[1]}' cannot be used together`)
  if (parts.length > 0) return parts.map(part => (part.endsWith('\n') ? part : `${part}\n`)).join('\n')
  if (file === undefined) return undefined
  if (file === '-') return call.input()
  const { files, cwd } = call.environment
  const bytes = await files.read(file.startsWith('/') ? file : `${cwd}/${file}`)
  if (bytes === undefined) throw fatal(`could not read log file '${file}': No such file or directory`)
  return decodeText(bytes)
}

/** `mark`: what comments begin with. */
export function cleanedBy(mode: string | undefined, text: string, isEdited: boolean, mark: string): string {
  switch (mode ?? 'default') {
    case 'default':
      return cleanMessage(text, isEdited ? mark : undefined)
    case 'strip':
      return cleanMessage(text, mark)
    case 'whitespace':
      return cleanMessage(text)
    case 'verbatim':
      return text
    case 'scissors':
      return cleanMessage(isEdited ? scissors(text, mark) : text)
    default:
      throw fatal(`Invalid cleanup mode ${mode ?? ''}`)
  }
}

const scissorsLine = ' ------------------------ >8 ------------------------'

/** What stands above the comments of a message from which scissors cut them. */
export function cutLines(mark: string): string {
  return `\n${mark}${scissorsLine}\n${mark} Do not modify or remove the line above.\n${mark} Everything below it will be ignored.\n${mark}`
}

/** The text before the line of scissors. */
function scissors(text: string, mark: string): string {
  const line = mark + scissorsLine
  return text.startsWith(`${line}\n`) ? '' : (text.split(`\n${line}\n`)[0] ?? '')
}

/** Editors are never run. One that does not change the text (`GIT_EDITOR=true`) is not needed. */
export function acceptsUnedited(call: GitCall, config: Config): boolean {
  const { env } = call.environment
  return changesNothing(env['GIT_EDITOR'] ?? config.get('core.editor') ?? env['VISUAL'] ?? env['EDITOR'])
}

/** The same for the list of steps of `rebase -i`. */
export function acceptsSteps(call: GitCall, config: Config): boolean {
  const editor = call.environment.env['GIT_SEQUENCE_EDITOR'] ?? config.get('sequence.editor')
  return editor === undefined ? acceptsUnedited(call, config) : changesNothing(editor)
}

function changesNothing(editor: string | undefined): boolean {
  return editor === 'true' || editor === ':' || editor === '/bin/true' || editor === '/usr/bin/true' || editor === 'cat'
}

export function needsEditor(what: string): GitFailure {
  return failure(`an editor is never run by this git; ${what}`, 1)
}

/** Adds a trailer line to the block of trailers at the end of the text, or starts one. */
export function withTrailer(text: string, line: string): string {
  const body = text.replace(/\n+$/, '')
  const last = body.split('\n\n').at(-1) ?? ''
  const hasBlock =
    body.includes('\n\n') &&
    /^(?:[A-Za-z0-9-]+: .*|\s+.*|\(cherry picked from .*)(?:\n(?:[A-Za-z0-9-]+: .*|\s+.*|\(cherry picked from .*))*$/.test(last)
  if (hasBlock && last.split('\n').at(-1) === line) return `${body}\n`
  return body === '' ? `\n${line}\n` : `${body}${hasBlock ? '\n' : '\n\n'}${line}\n`
}
