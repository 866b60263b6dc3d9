// The attributes of a path: from `.gitattributes` in its directory and those above, `info/attributes`, `core.attributesFile`.

import { decodeText, encodeText } from '../../shell/byte-text.ts'
import { compileWildcard, matchesWildcard, type Wildcard } from '../../search/wildmatch.ts'
import type { GitFiles } from '../files.ts'

/** `true` if set, `false` if unset (`-text`), a text for a value. Unspecified attributes are missing. */
export type AttributeValues = ReadonlyMap<string, string | boolean>

type Setting = readonly [name: string, value: string | boolean | undefined]

interface AttributeRule {
  /** Directory of the file, '' for the root. */
  readonly directory: string
  readonly isPath: boolean
  readonly wildcard: Wildcard
  readonly settings: readonly Setting[]
}

const builtInMacros: ReadonlyMap<string, readonly Setting[]> = new Map([
  [
    'binary',
    [
      ['binary', true],
      ['diff', false],
      ['merge', false],
      ['text', false],
    ] satisfies Setting[],
  ],
])
const none: AttributeValues = new Map()

export interface AttributeSources {
  readonly files: GitFiles
  readonly workTree: string | undefined
  readonly gitDir: string
  readonly globalFile: string | undefined
  /** The content of a `.gitattributes` that is only in the index. */
  readonly indexed?: (path: string) => Promise<Uint8Array | undefined>
}

export class Attributes {
  readonly #sources: AttributeSources
  readonly #macros = new Map(builtInMacros)
  readonly #names = new Set(['binary', 'diff', 'merge', 'text'])
  readonly #byDirectory = new Map<string, Promise<readonly AttributeRule[]>>()
  #outer: Promise<{ readonly weakest: readonly AttributeRule[]; readonly strongest: readonly AttributeRule[] }> | undefined

  constructor(sources: AttributeSources) {
    this.#sources = sources
  }

  /** Names of the attributes that occur in the files. */
  get names(): readonly string[] {
    return [...this.#names]
  }

  async of(path: string): Promise<AttributeValues> {
    const end = path.lastIndexOf('/')
    const rules = await this.#rules(end === -1 ? '' : path.slice(0, end))
    if (rules.length === 0) return none
    const name = path.slice(end + 1)
    const values = new Map<string, string | boolean | undefined>()
    // The last rule for an attribute wins, so the search starts at the end.
    for (let index = rules.length - 1; index >= 0; index--) {
      const rule = rules[index]
      if (rule === undefined || !applies(rule, path, name)) continue
      for (let at = rule.settings.length - 1; at >= 0; at--) this.#take(rule.settings[at], values)
    }
    const set = new Map<string, string | boolean>()
    for (const [key, value] of values) if (value !== undefined) set.set(key, value)
    return set
  }

  #take(setting: Setting | undefined, values: Map<string, string | boolean | undefined>): void {
    if (setting === undefined) return
    const [key, value] = setting
    if (!values.has(key)) values.set(key, value)
    const macro = value === true ? this.#macros.get(key) : undefined
    for (const inner of macro ?? []) if (!values.has(inner[0])) values.set(inner[0], inner[1])
  }

  /** All rules that may apply in a directory, weakest first. */
  #rules(directory: string): Promise<readonly AttributeRule[]> {
    const known = this.#byDirectory.get(directory)
    if (known !== undefined) return known
    const found = this.#find(directory)
    this.#byDirectory.set(directory, found)
    return found
  }

  async #find(directory: string): Promise<readonly AttributeRule[]> {
    const { weakest, strongest } = await (this.#outer ??= this.#readOuter())
    const inTree: AttributeRule[] = []
    for (const above of directoriesOf(directory)) for (const rule of await this.#fileRules(above)) inTree.push(rule)
    return [...weakest, ...inTree, ...strongest]
  }

  readonly #files = new Map<string, Promise<readonly AttributeRule[]>>()
  #fileRules(directory: string): Promise<readonly AttributeRule[]> {
    const known = this.#files.get(directory)
    if (known !== undefined) return known
    const found = this.#readTreeFile(directory)
    this.#files.set(directory, found)
    return found
  }

  async #readTreeFile(directory: string): Promise<readonly AttributeRule[]> {
    const { files, workTree, indexed } = this.#sources
    const path = directory === '' ? '.gitattributes' : `${directory}/.gitattributes`
    const bytes = (workTree === undefined ? undefined : await files.read(`${workTree}/${path}`)) ?? (await indexed?.(path))
    return bytes === undefined ? [] : this.#parse(bytes, directory)
  }

  async #readOuter(): Promise<{ readonly weakest: readonly AttributeRule[]; readonly strongest: readonly AttributeRule[] }> {
    const { files, gitDir, globalFile } = this.#sources
    const global = globalFile === undefined ? undefined : await files.read(globalFile)
    const own = await files.read(`${gitDir}/info/attributes`)
    return {
      weakest: global === undefined ? [] : this.#parse(global, ''),
      strongest: own === undefined ? [] : this.#parse(own, ''),
    }
  }

  #parse(bytes: Uint8Array, directory: string): readonly AttributeRule[] {
    const rules: AttributeRule[] = []
    for (const line of decodeText(bytes)
      .replace(/^\uFEFF/, '')
      .split(/\r?\n/)) {
      const [, quoted, plain = '', rest = ''] = /^\s*(?:"((?:[^"\\]|\\.)*)"|(\S+))\s*(.*)$/.exec(line) ?? []
      const pattern = quoted?.replaceAll(/\\(.)/g, '$1') ?? plain
      if (pattern === '' || (quoted === undefined && pattern.startsWith('#')) || pattern.startsWith('!')) continue
      const settings = rest.split(/\s+/).filter(Boolean).map(parseSetting)
      if (pattern.startsWith('[attr]')) this.#names.add(pattern.slice('[attr]'.length))
      for (const [name] of settings) this.#names.add(name)
      if (pattern.startsWith('[attr]')) {
        this.#macros.set(pattern.slice('[attr]'.length), settings)
        continue
      }
      // A pattern for directories does not apply to the files in them.
      if (pattern.endsWith('/')) continue
      const isPath = pattern.includes('/')
      const anchored = pattern.startsWith('/') ? pattern.slice(1) : pattern
      rules.push({ directory, isPath, wildcard: compileWildcard(encodeText(anchored), isPath), settings })
    }
    return rules
  }
}

function directoriesOf(directory: string): readonly string[] {
  const found = ['']
  if (directory === '') return found
  for (let end = directory.indexOf('/'); end !== -1; end = directory.indexOf('/', end + 1)) found.push(directory.slice(0, end))
  return [...found, directory]
}

function parseSetting(text: string): Setting {
  if (text.startsWith('-')) return [text.slice(1), false]
  if (text.startsWith('!')) return [text.slice(1), undefined]
  const equals = text.indexOf('=')
  return equals === -1 ? [text, true] : [text.slice(0, equals), text.slice(equals + 1)]
}

function applies({ directory, isPath, wildcard }: AttributeRule, path: string, name: string): boolean {
  if (!isPath) return matchesWildcard(wildcard, encodeText(name))
  return matchesWildcard(wildcard, encodeText(directory === '' ? path : path.slice(directory.length + 1)))
}
