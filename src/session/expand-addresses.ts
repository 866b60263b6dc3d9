// Replaces addresses in a command with paths: `cat local://a.txt` opens the file that the read tool opens. A text that is not a
// file is written to a temporary file while the command runs. Other addresses are not changed.

import { displayPath, isInside, type VfsPath } from '../core/path.ts'
import { isConflictAddress } from '../resources/conflict/address.ts'
import { asHostFailure, builtInPath, routedPath } from '../resources/internal/paths.ts'
import type { ShellCapabilities } from '../shell/shell.ts'
import { parseOutputAddress } from './output-page.ts'
import { resourceContext } from './resources.ts'
import type { Session } from './session.ts'
import { notAFile, TemporaryTexts } from './temporary-texts.ts'

const addressStart = /(?<![a-z0-9+.-])[a-z][a-z0-9+.-]*:\/\//gi
const ofPrograms = /^(?:https?|ftp|file|wss?|git|ssh|data):/i
const maxAddresses = 100

/** Replaces addresses by paths, for one shell. */
export class AddressExpander {
  readonly #session: Session
  readonly #signal: AbortSignal
  readonly #shell: ShellCapabilities
  readonly #texts: TemporaryTexts

  constructor(session: Session, shell: ShellCapabilities, signal: AbortSignal) {
    this.#session = session
    this.#signal = signal
    this.#shell = shell
    this.#texts = new TemporaryTexts(session.vfs, shell.temporaryDirectory)
  }

  /**
   * Replaces addresses of files with paths, quoted as their position requires, and addresses of texts if they are separate words.
   * Throws `ToolError` for paths outside the root, and `address-not-a-file`.
   */
  async command(command: string): Promise<string> {
    let expanded = ''
    let at = 0
    for (const { index } of [...command.matchAll(addressStart)].slice(0, maxAddresses)) {
      if (index < at) continue
      const quotes = quotesAt(command, index)
      for (const { url, length, isWord } of candidatesAt(command, index, quotes)) {
        const path = (await this.#fileOf(url)) ?? (isWord ? await this.#textOf(url) : undefined)
        if (path === undefined) continue
        expanded += command.slice(at, index) + quotedFor(quotes, this.#asShell(path))
        at = index + length
        break
      }
    }
    return expanded + command.slice(at)
  }

  /** If the whole value is an address, returns a path for the shell. */
  async value(value: string): Promise<string> {
    if (!isOneAddress(value)) return value
    const path = (await this.#fileOf(value)) ?? (await this.#textOf(value))
    return path === undefined ? value : this.#asShell(path)
  }

  /** The same for a directory, in the form in which tools name it. */
  async directory(value: string): Promise<string> {
    return isOneAddress(value) ? ((await this.#fileOf(value)) ?? value) : value
  }

  /** Removes the temporary files. Call it after the command. */
  dispose(): Promise<void> {
    return this.#texts.remove()
  }

  async #fileOf(url: string): Promise<VfsPath | undefined> {
    if (ofPrograms.test(url)) return undefined
    const context = resourceContext(this.#session, this.#signal)
    const path = (await routedPath(url, context)) ?? (await builtInPath(url, context))
    return path === undefined ? undefined : (await this.#session.paths.resolve(path)).path
  }

  async #textOf(url: string): Promise<VfsPath | undefined> {
    if (ofPrograms.test(url)) return undefined
    if (isConflictAddress(url)) throw notAFile(url, 'is a part of a file')
    const address = parseOutputAddress(url)
    if (address !== undefined) {
      const found = await this.#session.outputs.find(address.id)
      if (found.kind !== 'kept') return undefined
      const { output } = found
      const { startByte, endByte } = address.bytes ?? { startByte: 0, endByte: output.sizeBytes }
      return this.#texts.pathOf(url, { sizeBytes: endByte - startByte, read: () => output.read(startByte, endByte) })
    }
    const content = await asHostFailure(url, async () => this.#session.host.router?.read?.(url))
    if (content === undefined) return undefined
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content
    return this.#texts.pathOf(url, { sizeBytes: bytes.length, read: () => Promise.resolve(bytes) })
  }

  #asShell(path: VfsPath): string {
    const { directory } = this.#shell
    if (directory === undefined || !isInside(path, directory.workspace)) return path
    const below = displayPath(path, directory.workspace)
    return below === '.' ? directory.shell : `${directory.shell.replace(/\/$/, '')}/${below}`
  }
}

interface Candidate {
  readonly url: string
  /** Its length in the command, including escapes. */
  readonly length: number
  /** Whether it is the whole word, so that a command would use it as a file name. */
  readonly isWord: boolean
}

/** Possible addresses at `index`, the most likely one first. */
function candidatesAt(command: string, index: number, quotes: Quotes): readonly Candidate[] {
  const rest = command.slice(index)
  const before = command.charAt(index - 1)
  if (quotes === 'none') {
    const [word = ''] = /^(?:\\.|[^\s'"`$;&|<>()\\])+/.exec(rest) ?? []
    const isWord = /^[\s;&|<>(`]?$/.test(before) && /^(?:[\s;&|<>)`]|$)/.test(rest.slice(word.length))
    return [{ url: word.replaceAll(/\\(.)/g, '$1'), length: word.length, isWord }]
  }
  const [word = ''] = /^[^\s'"`$)]+/.exec(rest) ?? []
  const [whole = ''] = (quotes === 'single' ? /^[^']+/ : /^[^"`$\\]+/).exec(rest) ?? []
  // An address that fills its quotes may contain blanks.
  const isAlone = /['"]/.test(before) && isOneAddress(whole) && rest.charAt(whole.length) === before
  const asWord = { url: word, length: word.length, isWord: isAlone && word === whole }
  return isAlone && word !== whole ? [{ url: whole, length: whole.length, isWord: true }, asWord] : [asWord]
}

function isOneAddress(text: string): boolean {
  return /^[a-z][a-z0-9+.-]*:\/\/(?:(?!:\/\/)[^\n])+$/i.test(text)
}

type Quotes = 'none' | 'single' | 'double'

/** The quotes around a position of a command. */
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
