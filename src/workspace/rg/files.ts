// Which files a call of rg searches, in which order, and under which names.

import { createPauser } from '../../core/pause.ts'
import { childPath, dirname, parsePath, rootPath, type VfsPath } from '../../core/path.ts'
import { compareText } from '../../git/store/object-format.ts'
import type { FileSource } from '../../session/file-source.ts'
import { lstatIfThere, readDirectoryIfThere, readFileIfThere } from '../../session/if-there.ts'
import type { Dirent, EntryKind, Stat } from '../../vfs/backend.ts'
import { isVfsError, type VfsErrorCode } from '../../vfs/error.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import type { PathFilters } from './filters.ts'
import { type ExplicitRules, type IgnoreLevel, levelOf, readRules, userRulesPath, verdictOf } from './ignore-levels.ts'
import type { RgOptions } from './options.ts'
import { osError } from './os-error.ts'

export interface RgFile {
  readonly path: VfsPath
  /** The path in the output. */
  readonly shown: string
  /** It was named in the call, as opposed to found in a directory. */
  readonly isNamed: boolean
}

export interface ListContext {
  readonly vfs: Vfs
  readonly source: FileSource
  readonly cwd: VfsPath
  readonly env: Readonly<Record<string, string>>
  readonly maxEntries: number
  readonly signal: AbortSignal
  /** Receives a sentence about each path that could not be searched. */
  readonly onProblem: (problem: string) => void
  /** Receives problems of ignore files, which are not errors of the search. */
  readonly onIgnoreProblem: (problem: string) => void
  /** Receives why a path is left out. */
  readonly onLeftOut: (path: string, why: string) => void
}

export async function listRgFiles(
  options: RgOptions,
  filters: PathFilters,
  paths: readonly string[],
  context: ListContext,
): Promise<readonly RgFile[]> {
  const explicit = await readExplicit(options, context)
  const walk = new Walk(options, filters, explicit, context)
  for (const asked of paths.length === 0 ? [undefined] : paths) await walk.add(asked)
  return sorted(walk.files, options, context.source)
}

async function readExplicit(options: RgOptions, { vfs, source, cwd, env, onIgnoreProblem }: ListContext): Promise<ExplicitRules> {
  const read = async (name: string, problemIfGone: string | undefined): Promise<ReturnType<typeof readRules>> => {
    const onProblem = (problem: string): void => onIgnoreProblem(`${name}: ${problem}`)
    try {
      const bytes = await readFileIfThere(source, await resolvedPath(vfs, name, cwd))
      if (bytes !== undefined) return readRules(bytes, options, onProblem)
      if (problemIfGone !== undefined) onProblem(problemIfGone)
    } catch (error) {
      if (!isVfsError(error)) throw error
      onProblem(osError(error.code))
    }
    return []
  }
  const files: ReturnType<typeof readRules>[] = []
  for (const name of options.noIgnoreFiles ? [] : options.ignoreFiles) files.push(await read(name, osError('ENOENT')))
  const ofUser = options.noIgnoreVcs || options.noIgnoreGlobal ? undefined : await userRulesPath(source, env)
  return { directory: cwd, files, ofUser: ofUser === undefined ? [] : await read(ofUser, undefined) }
}

/** Later times last; `--sortr` reverses the order. A time that a file does not have is that of its last change. */
async function sorted(files: readonly RgFile[], { sort }: RgOptions, source: FileSource): Promise<readonly RgFile[]> {
  if (sort.key === 'path' && sort.isReverse) return files.toSorted((a, b) => comparePaths(b.shown, a.shown))
  if (sort.key === 'none' || sort.key === 'path') return files
  const dated: { readonly file: RgFile; readonly timeMs: number }[] = []
  for (const file of files) {
    const stat = await lstatIfThere(source, file.path)
    const accessedMs = sort.key === 'accessed' ? stat?.atimeMs : undefined
    dated.push({ file, timeMs: accessedMs ?? stat?.mtimeMs ?? 0 })
  }
  const inOrder = dated.sort((a, b) => (sort.isReverse ? b.timeMs - a.timeMs : a.timeMs - b.timeMs))
  return inOrder.map(({ file }) => file)
}

/** By the bytes of the names of directories and files, as paths of Rust are compared. */
function comparePaths(a: string, b: string): number {
  const [namesOfA, namesOfB] = [namesIn(a), namesIn(b)]
  const at = namesOfA.findIndex((name, index) => name !== namesOfB[index])
  if (at === -1) return namesOfA.length - namesOfB.length
  const [left, right] = [namesOfA[at], namesOfB[at]]
  return left === undefined || right === undefined ? namesOfA.length - namesOfB.length : compareText(left, right)
}

/** `.` is a name only at the start of a path. */
function namesIn(path: string): readonly string[] {
  return path.split('/').filter((name, index) => index === 0 || (name !== '' && name !== '.'))
}

/** A directory in the walk; `real` differs from `path` below a symbolic link. */
interface Place {
  readonly path: VfsPath
  readonly real: VfsPath
  readonly shown: string
  /** The path in messages, which has a `./` where none was asked for. */
  readonly named: string
  readonly depth: number
  readonly level: IgnoreLevel | undefined
  /** The real paths from the start, to detect a loop of symbolic links. */
  readonly above: readonly { readonly path: VfsPath; readonly named: string }[]
}

class Walk {
  readonly files: RgFile[] = []
  readonly #options: RgOptions
  readonly #filters: PathFilters
  readonly #explicit: ExplicitRules
  readonly #context: ListContext
  readonly #pause = createPauser()
  #visited = 0

  constructor(options: RgOptions, filters: PathFilters, explicit: ExplicitRules, context: ListContext) {
    this.#options = options
    this.#filters = filters
    this.#explicit = explicit
    this.#context = context
  }

  /** A path as it was given; `undefined` is the working directory. */
  async add(asked: string | undefined): Promise<void> {
    const { vfs, cwd, onProblem } = this.#context
    if (asked === '-') {
      this.files.push({ path: cwd, shown: '-', isNamed: true })
      return
    }
    const path = asked === undefined ? cwd : await resolvedPath(vfs, asked, cwd)
    const stat = asked === '' ? 'ENOENT' : await this.#followed(path)
    if (typeof stat === 'string') {
      onProblem(unreachable(asked ?? '.', stat))
      return
    }
    if (stat.kind !== 'directory') {
      if (asked?.endsWith('/') === true) return onProblem(unreachable(asked, 'ENOTDIR'))
      this.files.push({ path, shown: asked ?? path, isNamed: true })
      return
    }
    const shown = asked === undefined ? '' : asked.endsWith('/') ? asked : `${asked}/`
    const level = await this.#levelsAbove(path)
    const named = asked === undefined ? './' : shown
    await this.#walk({
      path,
      real: path,
      shown,
      named,
      depth: 0,
      level,
      above: [{ path, named: asked ?? named }],
    })
  }

  /** The rules of the parent directories, from the root down. */
  async #levelsAbove(path: VfsPath): Promise<IgnoreLevel | undefined> {
    if (path === rootPath) return undefined
    const above: VfsPath[] = []
    for (let directory = dirname(path); ; directory = dirname(directory)) {
      above.unshift(directory)
      if (directory === rootPath) break
    }
    let level: IgnoreLevel | undefined
    // Even without their rules, the parents show whether this is a repository.
    const { noIgnoreParent } = this.#options
    const settings = noIgnoreParent ? { ...this.#options, noIgnoreDot: true, noIgnoreVcs: true } : this.#options
    const { source, onProblem } = this.#context
    for (const directory of above)
      level = await levelOf(source, directory, level, settings, undefined, (file, problem) => onProblem(`${file}: ${problem}`))
    return level
  }

  async #walk(place: Place): Promise<void> {
    const { source, signal, maxEntries, onProblem, onIgnoreProblem } = this.#context
    if (place.depth >= this.#options.maxDepth) return
    await this.#pause()
    signal.throwIfAborted()
    let entries: readonly Dirent[]
    try {
      entries = await readDirectoryIfThere(source, place.real)
    } catch (error) {
      if (!isVfsError(error)) throw error
      return onProblem(unreachable(place.above.at(-1)?.named ?? place.named, error.code))
    }
    const names = new Set(entries.map(entry => entry.name))
    const level = await levelOf(source, place.path, place.level, this.#options, names, (file, problem) =>
      onIgnoreProblem(`${place.named}${file.slice(place.path.length).replace(/^\//, '')}: ${problem}`),
    )
    for (const entry of entries) {
      if (this.#visited++ === maxEntries)
        onProblem(`${place.shown}: stopped after ${maxEntries} entries; name a directory below it`)
      if (this.#visited > maxEntries) return
      await this.#visit(entry, { ...place, level })
    }
  }

  async #visit(entry: Dirent, place: Place): Promise<void> {
    const path = childPath(place.path, entry.name)
    const real = childPath(place.real, entry.name)
    const shown = `${place.shown}${entry.name}`
    const named = `${place.named}${entry.name}`
    let kind: EntryKind | undefined = entry.kind
    let target = real
    if (kind === 'symlink') {
      if (!this.#options.follow) return
      const followed = await this.#target(real, named)
      if (followed === undefined) return
      kind = followed.kind
      target = followed.path
      const ancestor = place.above.find(({ path: above }) => above === target)
      if (kind === 'directory' && ancestor !== undefined) {
        this.#context.onProblem(`File system loop found: ${named} points to an ancestor ${ancestor.named}`)
        return
      }
    }
    const isDirectory = kind === 'directory'
    const why = this.#leftOutBy({ path, shown, name: entry.name }, isDirectory, place.level)
    if (why !== undefined) return this.#context.onLeftOut(shown, why)
    if (isDirectory) {
      await this.#walk({
        path,
        real: target,
        shown: `${shown}/`,
        named: `${named}/`,
        depth: place.depth + 1,
        level: place.level,
        above: [...place.above, { path: target, named }],
      })
    } else if (kind === 'file') {
      if (await this.#isTooLarge(target)) this.#context.onLeftOut(shown, 'larger than --max-filesize')
      else this.files.push({ path: target, shown, isNamed: false })
    }
  }

  #leftOutBy(
    { path, shown, name }: { readonly path: VfsPath; readonly shown: string; readonly name: string },
    isDirectory: boolean,
    level: IgnoreLevel | undefined,
  ): string | undefined {
    const byGlob = this.#filters.byGlob(this.#asGlobsSee(shown), isDirectory)
    if (byGlob !== undefined) return byGlob === 'ignore' ? 'no glob of -g asks for it' : undefined
    const byRule = verdictOf(level, this.#explicit, path, isDirectory, this.#options)
    if (byRule === 'ignore') return 'an ignore file names it'
    const byType = isDirectory ? undefined : this.#filters.byType(name)
    if (byType === 'ignore') return 'it is not of a type that was asked for'
    const isHidden = byRule === undefined && byType === undefined && name.startsWith('.') && !this.#options.hidden
    return isHidden ? 'it is hidden' : undefined
  }

  /** Globs are about the path as it was asked for, so `d/*` is not in `../here`. */
  #asGlobsSee(shown: string): string {
    const { cwd } = this.#context
    const relative = shown.startsWith(`${cwd}/`) ? shown.slice(cwd.length + 1) : shown.replace(/^\.\//, '')
    // `**` passes over any name here, but the matcher of globs stops at `.` and `..`.
    return relative.replaceAll(/(?<=^|\/)\.\.?(?=\/)/g, 'parent')
  }

  async #isTooLarge(path: VfsPath): Promise<boolean> {
    const { maxFileBytes } = this.#options
    if (maxFileBytes === Number.POSITIVE_INFINITY) return false
    return ((await lstatIfThere(this.#context.source, path))?.sizeBytes ?? 0) > maxFileBytes
  }

  async #target(path: VfsPath, named: string): Promise<{ readonly path: VfsPath; readonly kind: EntryKind } | undefined> {
    let problem: VfsErrorCode = 'ENOENT'
    try {
      const target = parsePath(await this.#context.vfs.realpath(path))
      const stat = await lstatIfThere(this.#context.source, target)
      if (stat !== undefined) return { path: target, kind: stat.kind }
    } catch (error) {
      if (!isVfsError(error)) throw error
      problem = error.code
    }
    this.#context.onProblem(unreachable(named, problem))
    return undefined
  }

  async #followed(path: VfsPath): Promise<Stat | VfsErrorCode> {
    try {
      return await this.#context.vfs.stat(path)
    } catch (error) {
      if (isVfsError(error)) return error.code
      throw error
    }
  }
}

function unreachable(path: string, code: VfsErrorCode): string {
  return `${path}: IO error for operation on ${path}: ${osError(code)}`
}

/** `..` after a symbolic link refers to the link's target, so the part before it is resolved first. */
export async function resolvedPath(vfs: Vfs, asked: string, cwd: VfsPath): Promise<VfsPath> {
  const path = asked.startsWith('/') ? asked : `${cwd}/${asked}`
  try {
    return parsePath(await vfs.realpath(path))
  } catch (error) {
    if (!isVfsError(error)) throw error
    return parsePath(path)
  }
}
