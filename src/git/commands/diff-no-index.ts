// `git diff --no-index a b`: files or directories that need not be in a repository.

import type { GitCall } from '../call.ts'
import { type FilePair, statusOf } from '../diff/file-pair.ts'
import { DiffRenderer } from '../diff/render.ts'
import { readDiffSettings } from '../diff/settings.ts'
import type { FileSide } from '../diff/tree-diff.ts'
import { failure, GitFailure } from '../errors.ts'
import type { Options } from '../options.ts'
import { Repository } from '../repository.ts'
import { compareText, modes } from '../store/object-format.ts'
import { encodeText } from '../../shell/byte-text.ts'
import { hashObject } from '../store/objects.ts'

export async function diffWithoutIndex(call: GitCall, options: Options): Promise<number> {
  const [left, right, ...rest] = options.all
  if (left === undefined || right === undefined || rest.length > 0) {
    const note = options.has('no-index')
      ? ''
      : 'warning: Not a git repository. Use --no-index to compare two paths outside a working tree\n'
    throw new GitFailure(`${note}usage: git diff --no-index [<options>] <path> <path>`, 129)
  }
  const repository = (await call.findRepository()) ?? (await nowhere(call))
  const isQuiet = options.has('quiet')
  const read = await readDiffSettings(options, { format: 'patch', config: repository.config(), prefix: '' })
  const renderer = new DiffRenderer(repository, isQuiet ? { ...read, formats: new Set() } : read)
  const pairs = await renderer.sifted(
    await (read.isReversed ? new LooseFiles(call).pairs(right, left) : new LooseFiles(call).pairs(left, right)),
  )
  const hasProblem = await renderer.write(call.out, pairs)
  if (read.formats.has('check')) return hasProblem ? 3 : pairs.length > 0 ? 1 : 0
  return pairs.length > 0 ? 1 : 0
}

/** The user's settings apply outside of repositories too. */
function nowhere({ environment }: GitCall): Promise<Repository> {
  const gitDir = `${environment.cwd}/.git`
  return Repository.openAt(environment, { gitDir, commonDir: gitDir, workTree: environment.cwd })
}

class LooseFiles {
  readonly #call: GitCall

  constructor(call: GitCall) {
    this.#call = call
  }

  #pathOf(name: string): string {
    return name.startsWith('/') ? name : `${this.#call.environment.cwd}/${name}`
  }

  async pairs(left: string, right: string): Promise<readonly FilePair[]> {
    const [leftIsDirectory, rightIsDirectory] = [await this.#isDirectory(left), await this.#isDirectory(right)]
    if (leftIsDirectory && rightIsDirectory) {
      const found: FilePair[] = []
      await this.#directories(trimmed(left), trimmed(right), found)
      return found
    }
    // A file and a directory: compares with the file of the same name in the directory.
    const pair = await this.#pair(
      leftIsDirectory ? `${trimmed(left)}/${baseName(right)}` : left,
      rightIsDirectory ? `${trimmed(right)}/${baseName(left)}` : right,
    )
    return pair === undefined ? [] : [pair]
  }

  async #isDirectory(name: string): Promise<boolean> {
    if (name === '-' || name === '/dev/null') return false
    const stat = await this.#call.environment.files.stat(this.#pathOf(name))
    if (stat === undefined) throw failure(`Could not access '${name}'`, 1)
    return stat.kind === 'directory'
  }

  /** `undefined`: that side has no such directory. */
  async #directories(left: string | undefined, right: string | undefined, found: FilePair[]): Promise<void> {
    this.#call.check()
    const list = async (name: string | undefined): Promise<ReadonlyMap<string, boolean>> =>
      name === undefined
        ? new Map()
        : new Map(
            (await this.#call.environment.files.list(this.#pathOf(name))).map(({ name: own, kind }) => [
              own,
              kind === 'directory',
            ]),
          )
    const [before, after] = [await list(left), await list(right)]
    for (const name of [...new Set([...before.keys(), ...after.keys()])].sort(compareText)) {
      const [from, to] = [`${left ?? right ?? ''}/${name}`, `${right ?? left ?? ''}/${name}`]
      const isDirectory = (side: ReadonlyMap<string, boolean>): boolean => side.get(name) === true
      const [hasLeft, hasRight] = [before.has(name), after.has(name)]
      if (isDirectory(before) || isDirectory(after))
        await this.#directories(isDirectory(before) ? from : undefined, isDirectory(after) ? to : undefined, found)
      const pair = await this.#pair(
        hasLeft && !isDirectory(before) ? from : undefined,
        hasRight && !isDirectory(after) ? to : undefined,
      )
      if (pair !== undefined) found.push(pair)
    }
  }

  async #pair(left: string | undefined, right: string | undefined): Promise<FilePair | undefined> {
    const [before, after] = [await this.#side(left), await this.#side(right)]
    if (before === undefined && after === undefined) return undefined
    if (before?.oid === after?.oid && before?.mode === after?.mode) return undefined
    return {
      status: statusOf(before, after),
      similarity: 0,
      beforePath: (before === undefined ? right : left) ?? '',
      path: (after === undefined ? left : right) ?? '',
      before,
      after,
    }
  }

  async #side(name: string | undefined): Promise<FileSide | undefined> {
    if (name === undefined || name === '/dev/null') return undefined
    const { files } = this.#call.environment
    const side = (mode: number, bytes: Uint8Array): FileSide => ({
      mode,
      oid: hashObject('blob', bytes),
      isWorkTree: true,
      bytes,
    })
    if (name === '-') return side(modes.file, await this.#call.inputBytes())
    const path = this.#pathOf(name)
    const stat = await files.lstat(path)
    if (stat === undefined) throw failure(`Could not access '${name}'`, 1)
    if (stat.kind === 'symlink') return side(modes.symlink, encodeText((await files.readlink(path)) ?? ''))
    return side((stat.mode & 0o100) === 0 ? modes.file : modes.executable, (await files.read(path)) ?? new Uint8Array())
  }
}

function trimmed(name: string): string {
  return name.replace(/(?!^)\/+$/, '')
}

function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}
