// Addresses of files in a command: `cat local://a.txt` opens the file that read opens. What has no file stays as it is.

import { builtInPath, routedPath } from '../resources/internal/paths.ts'
import { resourceContext } from './resources.ts'
import type { Session } from './session.ts'

const address = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*:\/\/[^\s'"`$)]+/gi
/** What ends a word of the shell outside of quotes. */
const endOfWord = /[;&|<>()\\]/
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
  for (const match of [...command.matchAll(address)].slice(0, maxAddresses)) {
    const quotes = quotesAt(command, match.index)
    const [url = ''] = quotes === 'none' ? match[0].split(endOfWord) : match
    const path = await pathOfAddress(session, url, signal)
    if (path === undefined) continue
    expanded += command.slice(at, match.index) + quotedFor(quotes, path)
    at = match.index + url.length
  }
  return expanded + command.slice(at)
}

/** A value that is an address as a whole. */
export async function expandValue(session: Session, value: string, signal: AbortSignal): Promise<string> {
  if (!/^[a-z][a-z0-9+.-]*:\/\/\S+$/i.test(value)) return value
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
