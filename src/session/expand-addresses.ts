// Addresses of files in a command: `cat local://a.txt` opens the file that read opens. What has no file stays as it is.

import { builtInPath, routedPath } from '../resources/internal/paths.ts'
import { resourceContext } from './resources.ts'
import type { Session } from './session.ts'

const addressStart = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*:\/\//gi
const maxAddresses = 100

/** The path of the file, absolute; `undefined` if the address names no file. Throws `ToolError` for what leads outside. */
export async function pathOfAddress(session: Session, url: string, signal: AbortSignal): Promise<string | undefined> {
  if (/^(?:https?|ftp|file|wss?|git|ssh|data):/i.test(url)) return undefined
  const context = resourceContext(session, signal)
  const path = (await routedPath(url, context)) ?? (await builtInPath(url, context))
  return path === undefined ? undefined : (await session.paths.resolve(path)).path
}

/** With every address in place of its path, quoted as its place needs. */
export async function expandInCommand(session: Session, command: string, signal: AbortSignal): Promise<string> {
  let expanded = ''
  let at = 0
  for (const { index } of [...command.matchAll(addressStart)].slice(0, maxAddresses)) {
    if (index < at) continue
    const quotes = quotesAt(command, index)
    for (const { url, length } of candidatesAt(command, index, quotes)) {
      const path = await pathOfAddress(session, url, signal)
      if (path === undefined) continue
      expanded += command.slice(at, index) + quotedFor(quotes, path)
      at = index + length
      break
    }
  }
  return expanded + command.slice(at)
}

interface Candidate {
  readonly url: string
  /** In the command, with its escapes. */
  readonly length: number
}

/** What may be the address that begins at `index`, the likeliest first. */
function candidatesAt(command: string, index: number, quotes: Quotes): readonly Candidate[] {
  const rest = command.slice(index)
  if (quotes === 'none') {
    const [word = ''] = /^(?:\\.|[^\s'"`$;&|<>()\\])+/.exec(rest) ?? []
    return [{ url: word.replaceAll(/\\(.)/g, '$1'), length: word.length }]
  }
  const [word = ''] = /^[^\s'"`$)]+/.exec(rest) ?? []
  const [whole = ''] = (quotes === 'single' ? /^[^']+/ : /^[^"`$\\]+/).exec(rest) ?? []
  // Blanks belong to an address that has its quotes for itself.
  const isAlone = /['"]/.test(command.charAt(index - 1)) && isOneAddress(whole)
  return (isAlone ? [whole, word] : [word]).map(url => ({ url, length: url.length }))
}

function isOneAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/(?:(?!:\/\/)[^\n])+$/i.test(text)
}

/** A value that is an address as a whole. */
export async function expandValue(session: Session, value: string, signal: AbortSignal): Promise<string> {
  if (!isOneAddress(value)) return value
  return (await pathOfAddress(session, value, signal)) ?? value
}

type Quotes = 'none' | 'single' | 'double'

/** In which quotes a place of a command stands. */
function quotesAt(command: string, end: number): Quotes {
  let quotes: Quotes = 'none'
  for (let at = 0; at < end; at++) {
    const character = command[at]
    if (character === '\\' && quotes !== 'single') at++
    else if (character === "'" && quotes !== 'double') quotes = quotes === 'single' ? 'none' : 'single'
    else if (character === '"' && quotes !== 'single') quotes = quotes === 'double' ? 'none' : 'double'
  }
  return quotes
}

function quotedFor(quotes: Quotes, path: string): string {
  switch (quotes) {
    case 'none':
      return `'${path.replaceAll("'", `'\\''`)}'`
    case 'single':
      return path.replaceAll("'", `'\\''`)
    case 'double':
      return path.replaceAll(/["$`\\]/g, '\\$&')
  }
}
