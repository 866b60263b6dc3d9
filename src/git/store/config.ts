// Git's configuration files: read with includes, and edited without changing anything else.

import { decodeText } from '../../shell/byte-text.ts'
import { compileWildcard, matchesWildcard } from '../../search/wildmatch.ts'
import { encodeText } from '../../shell/byte-text.ts'
import { fatal, GitFailure } from '../errors.ts'
import type { GitFiles } from '../files.ts'

export type ConfigScope = 'system' | 'global' | 'local' | 'worktree' | 'command'

/** One variable in a file. */
export interface ConfigEntry {
  /** `section.key` or `section.subsection.key`; section and key in lower case. */
  readonly name: string
  /** `undefined`: a key without `=`, which means true. */
  readonly value: string | undefined
  readonly scope: ConfigScope
  /** The file it was read from; '' for the command line. */
  readonly file: string
  /** 0-based lines, the last one excluded. */
  readonly firstLine: number
  readonly endLine: number
  /** Whether a section header is on the same line. */
  readonly sharesLine: boolean
}

interface ParsedSection {
  /** The text in the file: `section` or `section.subsection`. */
  readonly name: string
  readonly line: number
}

export interface ParsedConfig {
  readonly entries: readonly ConfigEntry[]
  readonly sections: readonly ParsedSection[]
  readonly lines: readonly string[]
}

const maxIncludeDepth = 10

export function parseConfig(bytes: Uint8Array, file: string, scope: ConfigScope): ParsedConfig {
  return new ConfigParser(decodeText(bytes).replace(/^\uFEFF/, ''), file, scope).parse()
}

class ConfigParser {
  readonly #text: string
  readonly #file: string
  readonly #scope: ConfigScope
  readonly #entries: ConfigEntry[] = []
  readonly #sections: ParsedSection[] = []
  #at = 0
  #line = 0

  constructor(text: string, file: string, scope: ConfigScope) {
    this.#text = text.replaceAll('\r\n', '\n')
    this.#file = file
    this.#scope = scope
  }

  parse(): ParsedConfig {
    let section = ''
    let sectionLine = -1
    while (this.#at < this.#text.length) {
      const character = this.#text[this.#at] ?? ''
      if (character === '\n') this.#newLine()
      else if (/\s/.test(character)) this.#at++
      else if (character === '#' || character === ';') this.#skipLine()
      else if (character === '[') {
        section = this.#header()
        sectionLine = this.#line
        this.#sections.push({ name: section, line: this.#line })
      } else if (/[A-Za-z]/.test(character) && section !== '') this.#variable(section, sectionLine)
      else throw this.#bad()
    }
    return { entries: this.#entries, sections: this.#sections, lines: splitLines(this.#text) }
  }

  #bad(): GitFailure {
    return fatal(`bad config line ${this.#line + 1} in file ${this.#file}`)
  }

  #newLine(): void {
    this.#at++
    this.#line++
  }

  #skipLine(): void {
    const end = this.#text.indexOf('\n', this.#at)
    this.#at = end === -1 ? this.#text.length : end
  }

  #header(): string {
    const plain = /\[([A-Za-z0-9.-]+)\]/y
    plain.lastIndex = this.#at
    const found = plain.exec(this.#text)
    if (found !== null) {
      this.#at = plain.lastIndex
      return (found[1] ?? '').toLowerCase()
    }
    const quoted = /\[([A-Za-z0-9.-]+)[ \t]+"((?:[^"\\\n]|\\[^\n])*)"\]/y
    quoted.lastIndex = this.#at
    const named = quoted.exec(this.#text)
    if (named === null) throw this.#bad()
    this.#at = quoted.lastIndex
    return `${(named[1] ?? '').toLowerCase()}.${(named[2] ?? '').replaceAll(/\\(.)/g, '$1')}`
  }

  #variable(section: string, sectionLine: number): void {
    const firstLine = this.#line
    const word = /([A-Za-z][A-Za-z0-9-]*)[ \t]*/y
    word.lastIndex = this.#at
    const key = (word.exec(this.#text)?.[1] ?? '').toLowerCase()
    this.#at = word.lastIndex
    const next = this.#text[this.#at]
    let value: string | undefined
    if (next === '=') {
      this.#at++
      value = this.#value()
    } else if (next === '#' || next === ';') this.#skipLine()
    else if (next !== '\n' && next !== undefined) throw this.#bad()
    this.#entries.push({
      name: `${section}.${key}`,
      value,
      scope: this.#scope,
      file: this.#file,
      firstLine,
      endLine: this.#line + 1,
      sharesLine: firstLine === sectionLine,
    })
  }

  #value(): string {
    let value = ''
    let kept = 0
    let isQuoted = false
    for (;;) {
      const character = this.#text[this.#at]
      if (character === undefined || character === '\n') {
        if (isQuoted) throw this.#bad()
        return value.slice(0, kept)
      }
      if (character === '\\') {
        const next = this.#text[this.#at + 1]
        if (next === '\n') {
          this.#at += 2
          this.#line++
          continue
        }
        const meant = ({ n: '\n', t: '\t', b: '\b', '\\': '\\', '"': '"' } as Readonly<Record<string, string>>)[next ?? '']
        if (meant === undefined) throw this.#bad()
        value += meant
        kept = value.length
        this.#at += 2
      } else if (character === '"') {
        isQuoted = !isQuoted
        kept = value.length
        this.#at++
      } else if (!isQuoted && (character === '#' || character === ';')) this.#skipLine()
      else if (!isQuoted && /[ \t\r\v\f]/.test(character)) {
        if (kept > 0 || value !== '') value += character
        this.#at++
      } else {
        value += character
        kept = value.length
        this.#at++
      }
    }
  }
}

function splitLines(text: string): readonly string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

/** What includes depend on. */
export interface ConfigPlace {
  readonly home: string | undefined
  readonly gitDir: string | undefined
  readonly branch: string | undefined
}

/** All variables; later ones override earlier ones. */
export class Config {
  readonly entries: readonly ConfigEntry[]
  readonly #last: ReadonlyMap<string, ConfigEntry>

  constructor(entries: readonly ConfigEntry[]) {
    this.entries = entries
    this.#last = new Map(entries.map(entry => [entry.name, entry]))
  }

  /** The last value of `name` (`section.key`, in lower case except the subsection). A key without a value is 'true'. */
  get(name: string): string | undefined {
    const entry = this.#last.get(name)
    return entry === undefined ? undefined : (entry.value ?? 'true')
  }

  has(name: string): boolean {
    return this.#last.has(name)
  }

  all(name: string): readonly string[] {
    return this.entries.filter(entry => entry.name === name).map(({ value }) => value ?? 'true')
  }

  bool(name: string, otherwise: boolean): boolean {
    const entry = this.#last.get(name)
    if (entry === undefined) return otherwise
    const meant = boolOf(entry.value)
    if (meant === undefined) throw fatal(`bad boolean config value '${entry.value ?? ''}' for '${name}'`)
    return meant
  }

  /** The failure for a value that the variable cannot have. `reason` are lines before it. */
  bad(name: string, reason?: string): GitFailure {
    const entry = this.#last.get(name)
    const failure =
      entry === undefined || entry.scope === 'command'
        ? fatal(`unable to parse '${name}' from command-line config`)
        : fatal(`bad config variable '${name}' in file '${entry.file}' at line ${entry.firstLine + 1}`)
    return reason === undefined ? failure : new GitFailure(`${reason}\n${failure.message}`, failure.exitCode)
  }

  number(name: string): number | undefined {
    const entry = this.#last.get(name)
    if (entry === undefined) return undefined
    const meant = numberOf(entry.value ?? '')
    if (meant === undefined) throw fatal(`bad numeric config value '${entry.value ?? ''}' for '${name}': invalid unit`)
    return meant
  }

  /** The subsections of `section` in order: the names of remotes and branches. */
  subsections(section: string): readonly string[] {
    const names = new Set<string>()
    for (const { name } of this.entries) {
      if (!name.startsWith(`${section}.`)) continue
      const rest = name.slice(section.length + 1)
      const end = rest.lastIndexOf('.')
      if (end !== -1) names.add(rest.slice(0, end))
    }
    return [...names]
  }
}

export function boolOf(value: string | undefined): boolean | undefined {
  if (value === undefined || /^(true|yes|on)$/i.test(value)) return true
  if (value === '' || /^(false|no|off)$/i.test(value)) return false
  const number = numberOf(value)
  return number === undefined ? undefined : number !== 0
}

export function numberOf(value: string): number | undefined {
  const found = /^\s*([+-]?(?:0x[0-9a-f]+|\d+))([kmg]?)$/i.exec(value)
  if (found === null) return undefined
  const scale = { '': 1, k: 1024, m: 1024 ** 2, g: 1024 ** 3 }[(found[2] ?? '').toLowerCase()] ?? 1
  return Number(found[1]) * scale
}

/** Reads `file` and its includes, in order; without `place`, only the file. Returns nothing for a missing file. */
export async function readConfigFile(
  files: GitFiles,
  file: string,
  scope: ConfigScope,
  place: ConfigPlace | undefined,
  depth: number = 0,
): Promise<readonly ConfigEntry[]> {
  const bytes = await files.read(file)
  if (bytes === undefined) return []
  const found: ConfigEntry[] = []
  for (const entry of parseConfig(bytes, file, scope).entries) {
    found.push(entry)
    if (place === undefined || entry.value === undefined || !isIncluded(entry.name, file, place)) continue
    if (depth >= maxIncludeDepth) {
      throw fatal(
        `exceeded maximum include depth (${maxIncludeDepth}) while including\n\t${entry.value}\nfrom\n\t${file}\nThis might be due to circular includes.`,
      )
    }
    const path = expandHome(entry.value, place.home)
    const target = path.startsWith('/') ? path : `${file.slice(0, file.lastIndexOf('/'))}/${path}`
    for (const entry of await readConfigFile(files, target, scope, place, depth + 1)) found.push(entry)
  }
  return found
}

export function expandHome(path: string, home: string | undefined): string {
  return path.startsWith('~/') && home !== undefined ? `${home}${path.slice(1)}` : path
}

function isIncluded(name: string, file: string, { home, gitDir, branch }: ConfigPlace): boolean {
  if (name === 'include.path') return true
  const [, condition = ''] = /^includeif\.(.*)\.path$/s.exec(name) ?? []
  const [, kind, pattern = ''] = /^(gitdir|gitdir\/i|onbranch):(.*)$/s.exec(condition) ?? []
  if (kind === undefined) return false
  if (kind === 'onbranch') return branch !== undefined && matchesPath(pattern.endsWith('/') ? `${pattern}**` : pattern, branch)
  if (gitDir === undefined) return false
  let wanted = expandHome(pattern, home)
  if (wanted.startsWith('./')) wanted = `${file.slice(0, file.lastIndexOf('/'))}${wanted.slice(1)}`
  else if (!wanted.startsWith('/')) wanted = `**/${wanted}`
  if (wanted.endsWith('/')) wanted += '**'
  return kind === 'gitdir' ? matchesPath(wanted, gitDir) : matchesPath(wanted.toLowerCase(), gitDir.toLowerCase())
}

function matchesPath(pattern: string, path: string): boolean {
  return matchesWildcard(compileWildcard(encodeText(pattern), true), encodeText(path))
}
