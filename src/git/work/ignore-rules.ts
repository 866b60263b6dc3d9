// Which untracked paths are ignored: by `.gitignore` in each directory, `info/exclude`, `core.excludesFile`, and patterns of the command.

import { decodeText } from '../../shell/byte-text.ts'
import { type IgnoreRules, parseRules, ruleFor } from '../../search/ignore.ts'
import type { GitFiles } from '../files.ts'

export interface IgnoreSources {
  readonly files: GitFiles
  readonly workTree: string
  readonly gitDir: string
  /** `core.excludesFile`, or its default; below the root of the work tree unless it begins with '/'. */
  readonly globalFile: string | undefined
  /** Patterns that override all files. */
  readonly extra?: readonly string[]
  /** The content of a `.gitignore` that is outside of a sparse work tree. */
  readonly skipped?: ((path: string) => Promise<Uint8Array | undefined>) | undefined
  /** False: use only `extra`, as `clean -x` does. */
  readonly readsFiles?: boolean
  /** The name of the file with the rules of a directory, if it is not '.gitignore' or if `readsFiles` is false. */
  readonly perDirectory?: string | undefined
  /** `core.ignoreCase` */
  readonly ignoresCase?: boolean
}

export interface IgnoreMatch {
  /** The name of the file in the output. */
  readonly source: string
  /** 1-based. */
  readonly line: number
  readonly pattern: string
  readonly isIgnored: boolean
}

interface Layer {
  readonly directory: string
  readonly source: string
  readonly rules: IgnoreRules
  readonly text: string
}

/** Rules by directory, strongest last. */
export class WorkTreeIgnore {
  readonly #sources: IgnoreSources
  readonly #layers = new Map<string, Promise<readonly Layer[]>>()
  readonly #verdicts = new Map<string, Promise<boolean>>()

  constructor(sources: IgnoreSources) {
    this.#sources = sources
  }

  /** Whether an entry is ignored, provided that its directory is not. */
  async isIgnoredHere(path: string, isDirectory: boolean): Promise<boolean> {
    const layers = await this.#layersOf(parent(path))
    if (layers.length === 0) return false
    const name = path.slice(path.lastIndexOf('/') + 1)
    for (let index = layers.length - 1; index >= 0; index--) {
      const layer = layers[index]
      if (layer === undefined) continue
      const decided = ruleFor(layer.rules, this.#cased(relativeTo(layer.directory, path)), isDirectory, this.#cased(name))
      if (decided !== undefined) return decided === 'ignore'
    }
    return false
  }

  /** Whether an entry, or a directory above it, is ignored. */
  async isIgnored(path: string, isDirectory: boolean): Promise<boolean> {
    const above = parent(path)
    if (above !== '' && (await this.#isDirectoryIgnored(above))) return true
    return this.isIgnoredHere(path, isDirectory)
  }

  #isDirectoryIgnored(path: string): Promise<boolean> {
    const known = this.#verdicts.get(path)
    if (known !== undefined) return known
    const found = this.isIgnored(path, true)
    this.#verdicts.set(path, found)
    return found
  }

  /** The rule that applies, for `check-ignore -v`. */
  async match(path: string, isDirectory: boolean): Promise<IgnoreMatch | undefined> {
    const above = parent(path)
    if (above !== '') {
      const outer = await this.match(above, true)
      if (outer?.isIgnored) return outer
    }
    const layers = await this.#layersOf(above)
    for (const layer of layers.toReversed()) {
      const lines = layer.text.split('\n')
      for (let line = lines.length - 1; line >= 0; line--) {
        const text = lines[line] ?? ''
        const rules = parseRules(this.#cased(text))
        const decided = ruleFor(rules, this.#cased(relativeTo(layer.directory, path)), isDirectory)
        if (decided === undefined) continue
        return {
          source: layer.source,
          line: line + 1,
          pattern: text.replace(/\r$/, '').replace(/(?<!\\) +$/, ''),
          isIgnored: decided === 'ignore',
        }
      }
    }
    return undefined
  }

  #cased(text: string): string {
    return this.#sources.ignoresCase === true ? text.toLowerCase() : text
  }

  #layerOf(bytes: Uint8Array | undefined, directory: string, source: string): readonly Layer[] {
    if (bytes === undefined) return []
    const text = decodeText(bytes).replace(/^\uFEFF/, '')
    const rules = parseRules(this.#cased(text))
    return rules.length === 0 ? [] : [{ directory, source, rules, text }]
  }

  #layersOf(directory: string): Promise<readonly Layer[]> {
    const known = this.#layers.get(directory)
    if (known !== undefined) return known
    const found = this.#find(directory)
    this.#layers.set(directory, found)
    return found
  }

  async #find(directory: string): Promise<readonly Layer[]> {
    const {
      files,
      workTree,
      gitDir,
      globalFile,
      extra = [],
      readsFiles = true,
      perDirectory = readsFiles ? '.gitignore' : '',
    } = this.#sources
    const own = `${directory === '' ? '' : `${directory}/`}${perDirectory}`
    const mine = perDirectory !== '' ? this.#layerOf(await this.#readRegular(`${workTree}/${own}`, own), directory, own) : []
    if (directory !== '') {
      const outer = await this.#layersOf(parent(directory))
      // Patterns of the command remain the strongest.
      const commandLayers = outer.filter(({ source }) => source === '')
      return [...outer.filter(({ source }) => source !== ''), ...mine, ...commandLayers]
    }
    const weak: Layer[] = []
    if (readsFiles) {
      if (globalFile !== undefined) {
        const place = globalFile.startsWith('/') ? globalFile : `${workTree}/${globalFile}`
        for (const rule of this.#layerOf(await files.read(place), '', globalFile)) weak.push(rule)
      }
      for (const rule of this.#layerOf(await files.read(`${gitDir}/info/exclude`), '', '.git/info/exclude')) weak.push(rule)
    }
    const strong =
      extra.length === 0
        ? []
        : [{ directory: '', source: '', rules: parseRules(this.#cased(extra.join('\n'))), text: extra.join('\n') }]
    return [...weak, ...mine, ...strong]
  }

  /** A symlink of this name in the work tree is not followed. */
  async #readRegular(path: string, own: string): Promise<Uint8Array | undefined> {
    const { files, skipped } = this.#sources
    const kind = (await files.lstat(path))?.kind
    return kind === 'file' ? files.read(path) : kind === undefined ? skipped?.(own) : undefined
  }
}

function parent(path: string): string {
  const end = path.lastIndexOf('/')
  return end === -1 ? '' : path.slice(0, end)
}

function relativeTo(directory: string, path: string): string {
  return directory === '' ? path : path.slice(directory.length + 1)
}

/** Whether a path stays out of a sparse work tree, where files are in the index only, by the text of `info/sparse-checkout`. */
export function outsideOf(sparse: Uint8Array): (path: string) => boolean {
  const rules = parseRules(decodeText(sparse))
  return path => {
    for (let end = path.length; end > 0; end = path.lastIndexOf('/', end - 1)) {
      const decided = ruleFor(rules, path.slice(0, end), end < path.length)
      if (decided !== undefined) return decided === 'include'
    }
    return true
  }
}
