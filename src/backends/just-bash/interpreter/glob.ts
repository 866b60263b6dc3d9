// Pathname expansion.

import type { FileEntry, ShellFiles } from '../../../shell/files.ts'
import { compilePattern, hasPatternCharacters, patternsForHidden, unescapePattern } from './pattern.ts'

export interface GlobOptions {
  readonly files: Pick<ShellFiles, 'readdir' | 'stat' | 'lstat'>
  readonly cwd: string
  /** Divides a name or a pattern into the characters of the locale. */
  readonly inCharacters: (text: string) => string
  readonly isExtended: boolean
  readonly ignoresCase: boolean
  readonly matchesHidden: boolean
  /** `**` matches any number of directories. */
  readonly isDeep: boolean
}

/** Returns sorted paths. The result is empty if nothing matches. */
export async function expandGlob(pattern: string, options: GlobOptions): Promise<string[]> {
  const isAbsolute = pattern.startsWith('/')
  const components = splitComponents(isAbsolute ? pattern.replace(/^\/+/, '') : pattern)
  const found: string[] = []
  await new Walk(components, options, found).from(isAbsolute ? '/' : '', isAbsolute ? '/' : options.cwd, 0)
  return [...new Set(found)].sort(byCodePoint)
}

/** Splits at unquoted slashes. Consecutive slashes count as one. */
function splitComponents(pattern: string): string[] {
  return pattern.replace(/\/{2,}/g, '/').split('/')
}

export function byCodePoint(one: string, other: string): number {
  if (one === other) return 0
  const isPlain = !/[\ud800-\udfff]/.test(one + other)
  if (isPlain) return one < other ? -1 : 1
  const [left, right] = [Array.from(one), Array.from(other)]
  const at = left.findIndex((character, index) => character !== right[index])
  if (at < 0) return -1
  return (left[at]?.codePointAt(0) ?? 0) < (right[at]?.codePointAt(0) ?? -1) ? -1 : 1
}

class Walk {
  readonly #components: readonly string[]
  readonly #options: GlobOptions
  readonly #found: string[]

  constructor(components: readonly string[], options: GlobOptions, found: string[]) {
    this.#components = components
    this.#options = options
    this.#found = found
  }

  /** Matches the components from `index` on. `shown` is the matched text so far, and `path` is the directory. */
  async from(shown: string, path: string, index: number): Promise<void> {
    const component = this.#components[index]
    if (component === undefined) return
    const isLast = index === this.#components.length - 1
    if (component === '') {
      // The pattern ends with a slash, which matches only directories.
      if (isLast) this.#found.push(shown)
      return
    }
    if (!hasPatternCharacters(component, this.#options.isExtended)) {
      const name = unescapePattern(component)
      const next = childOf(path, name)
      if (isLast) {
        if (await this.#exists(next)) this.#found.push(shown + name)
      } else if (await this.#isDirectory(next)) await this.from(`${shown}${name}/`, next, index + 1)
      return
    }
    if (component === '**' && this.#options.isDeep) {
      await this.#deep(shown, path, index, isLast)
      return
    }
    const { inCharacters, isExtended, ignoresCase, matchesHidden } = this.#options
    const compile = (each: string): RegExp => compilePattern(inCharacters(each), { isExtended, ignoresCase, isPath: true })
    const visible = [compile(component)]
    const hidden = matchesHidden ? visible : patternsForHidden(component, isExtended).map(compile)
    for (const entry of await this.#list(path)) {
      const name = inCharacters(entry.name)
      if (!(name.startsWith('.') ? hidden : visible).some(expression => expression.test(name))) continue
      if (isLast) this.#found.push(shown + entry.name)
      else if (await this.#leadsToDirectory(path, entry))
        await this.from(`${shown}${entry.name}/`, childOf(path, entry.name), index + 1)
    }
  }

  /** Matches `**`: this directory and all directories below it, without following symbolic links. */
  async #deep(shown: string, path: string, index: number, isLast: boolean): Promise<void> {
    if (isLast && shown !== '' && shown !== '/') this.#found.push(shown)
    if (!isLast && !(this.#components[index + 1] === '' && shown === '')) await this.from(shown, path, index + 1)
    await this.#deepEntries(shown, path, index, isLast)
  }

  async #deepEntries(shown: string, path: string, index: number, isLast: boolean): Promise<void> {
    for (const entry of await this.#list(path)) {
      if (entry.name.startsWith('.') && !this.#options.matchesHidden) continue
      if (isLast) this.#found.push(shown + entry.name)
      if (entry.kind !== 'directory') continue
      const [deeper, child] = [`${shown}${entry.name}/`, childOf(path, entry.name)]
      if (!isLast) await this.from(deeper, child, index + 1)
      await this.#deepEntries(deeper, child, index, isLast)
    }
  }

  async #list(path: string): Promise<readonly FileEntry[]> {
    try {
      return await this.#options.files.readdir(path)
    } catch {
      // The path is not a directory or was removed, so nothing matches.
      return []
    }
  }

  async #leadsToDirectory(path: string, entry: FileEntry): Promise<boolean> {
    return entry.kind === 'directory' || (entry.kind === 'symlink' && (await this.#isDirectory(childOf(path, entry.name))))
  }

  async #isDirectory(path: string): Promise<boolean> {
    try {
      return (await this.#options.files.stat(path)).kind === 'directory'
    } catch {
      // The path does not exist.
      return false
    }
  }

  async #exists(path: string): Promise<boolean> {
    try {
      await this.#options.files.lstat(path)
      return true
    } catch {
      // The path does not exist.
      return false
    }
  }
}

function childOf(path: string, name: string): string {
  if (name === '.') return path
  return path === '/' ? `/${name}` : `${path}/${name}`
}
