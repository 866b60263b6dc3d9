// Pairs of versions of real files: files that packages ship in two module formats, files of two installed releases, and random rewrites.

import { readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

import type { Random } from './random.ts'

export interface VersionPair {
  readonly before: Buffer
  readonly after: Buffer
}

const packages = fileURLToPath(new URL('../../node_modules', import.meta.url))
const sourceName = /\.([cm]?[jt]s|json|md|css|html|ya?ml)$/
const maxBytes = 400_000

/** Reads real files once and returns any number of pairs of versions. */
export class FileVersions {
  readonly #files: readonly string[]
  readonly #related: readonly (readonly [string, string])[]

  constructor() {
    const all = readdirSync(packages, { recursive: true, encoding: 'utf8' }).filter(name => sourceName.test(name))
    this.#files = all.sort()
    this.#related = relatedFiles(this.#files)
  }

  /** The number of pairs of two real files. */
  get relatedCount(): number {
    return this.#related.length
  }

  next(random: Random): VersionPair {
    for (;;) {
      const pair = random.chance(0.5) ? this.#realPair(random) : this.#rewrittenPair(random)
      if (pair !== undefined && !pair.before.equals(pair.after)) return pair
    }
  }

  #realPair(random: Random): VersionPair | undefined {
    const [one, other] = random.pick(this.#related)
    const [before, after] = [readText(one), readText(other)]
    return before === undefined || after === undefined ? undefined : { before, after }
  }

  #rewrittenPair(random: Random): VersionPair | undefined {
    const before = readText(random.pick(this.#files))
    return before === undefined ? undefined : { before, after: rewrite(random, before) }
  }
}

function readText(name: string): Buffer | undefined {
  const path = join(packages, name)
  let bytes: Buffer
  try {
    bytes = readFileSync(path)
  } catch (error) {
    // A folder may have a name like a source file.
    if (error instanceof Error && 'code' in error && error.code === 'EISDIR') return undefined
    throw error
  }
  return bytes.length === 0 || bytes.length > maxBytes || bytes.includes(0) ? undefined : bytes
}

/** Same base name in one folder, or same path in a package that is installed twice. */
function relatedFiles(files: readonly string[]): readonly (readonly [string, string])[] {
  const groups = new Map<string, string[]>()
  const add = (key: string, file: string): void => void (groups.get(key)?.push(file) ?? groups.set(key, [file]))
  for (const file of files) {
    const inPackage = file.slice(file.lastIndexOf('node_modules/') + 1)
    add(`path ${inPackage.replace(/^ode_modules\//, '')}`, file)
    add(`stem ${join(dirname(file), basename(file).replace(/\.(d\.)?[cm]?[jt]s$/, '.$1'))}`, file)
    if (/\.[cm]?[jt]s$/.test(file))
      add(`form ${file.replace(/(^|\/)(cjs|esm|es|lib|dist|src|commonjs|module)\//g, '$1*/')}`, file)
  }
  return [...groups.values()].flatMap(group => group.slice(1).map((file, index) => [group[index] ?? file, file] as const))
}

/** Some typical changes of a file, at random places. Other bytes stay unchanged. */
export function rewrite(random: Random, bytes: Buffer): Buffer {
  let lines: string[] = bytes.toString('latin1').match(/[^\n]*\n|[^\n]+$/g) ?? []
  const changes = 1 + random.below(8)
  for (let change = 0; change < changes && lines.length > 0; change++) {
    const at = random.below(lines.length)
    const length = 1 + random.below(Math.min(random.pick([2, 8, 30, 200]), lines.length - at))
    const block = lines.slice(at, at + length)
    const place = random.below(lines.length)
    switch (random.below(8)) {
      case 0:
        lines.splice(at, length)
        break
      case 1:
        lines.splice(place, 0, ...block)
        break
      case 2:
        lines.splice(at, length)
        lines.splice(Math.min(place, lines.length), 0, ...block)
        break
      case 3:
        lines.splice(at, length, ...block.map(line => (line.trim() === '' ? line : `  ${line}`)))
        break
      case 4: {
        const word = /[A-Za-z_]{3,}/.exec(block.join(''))?.[0]
        if (word !== undefined) lines = lines.map(line => line.replaceAll(word, `${word}2`))
        break
      }
      case 5:
        lines.splice(at, length, ...block.filter(() => random.chance(0.6)))
        break
      case 6:
        lines.splice(at, 0, '\n', `  added ${change}(${place})\n`, random.pick(['}\n', '\n', '  })\n']))
        break
      default:
        lines.splice(at, length, ...block.map(line => (random.chance(0.4) ? line.replace(/\w+/, 'changed') : line)))
    }
  }
  const text = lines.join('')
  return Buffer.from(random.chance(0.1) ? text.replace(/\n$/, '') : text, 'latin1')
}
