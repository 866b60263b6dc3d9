// Where a redirection creates files. A loop that writes one file after the other would ask for each whether it is there and whether its
// directory is. After a few files the worker asks for the names of the directory instead, and creates those that are not among them.
// Only the fact that a name is free is taken from there: whatever is written to it replaces a file that somebody creates meanwhile, as it does
// when the file is created between the question and the write. The names are used for a short time, and not after the script has waited.

import { isPromise } from '../../vfs/is-promise.ts'
import type { Awaitable, FileStat, ShellFiles } from '../../shell/files.ts'

/** The file at a path: `free` if there is none in an existing directory, and `unknown` if the path must be resolved. */
export type Place = FileStat | 'free' | 'unknown'

/** The files of a script. `placeOf` exists where a question about each file would be slow. */
export interface ScriptFiles extends ShellFiles {
  readonly placeOf?: (path: string) => Awaitable<Place>
}

export interface PlaceAnswer {
  readonly place: Place
  /** All names of the directory, if they were wanted and are not too many. */
  readonly names?: readonly string[]
}

export type AskForPlace = (path: string, withNames: boolean) => Awaitable<PlaceAnswer>

const freshMs = 100
/** How many files of a directory are asked for one by one, before its names are wanted. */
const maxAloneCount = 3
const maxDirectories = 1000

interface KnownDirectory {
  askedCount: number
  /** The taken names, also those that the script has created since. */
  names: Set<string> | undefined
  namesAtMs: number
  /** Set if the directory has too many names for an answer. */
  isLarge: boolean
}

export class Places {
  readonly #ask: AskForPlace
  readonly #directories = new Map<string, KnownDirectory>()
  /** Increases with each change of the files. The names of an answer to an earlier question are discarded. */
  #epoch = 0

  constructor(ask: AskForPlace) {
    this.#ask = ask
  }

  readonly at = (path: string): Awaitable<Place> => {
    if (nameOf(path) === '') return 'unknown'
    const directory = this.#directoryOf(path)
    if (directory.names !== undefined && performance.now() - directory.namesAtMs > freshMs) directory.names = undefined
    if (directory.names?.has(nameOf(path)) === false) return 'free'
    directory.askedCount += 1
    const withNames = directory.names === undefined && !directory.isLarge && directory.askedCount > maxAloneCount
    const epoch = this.#epoch
    const keep = ({ place, names }: PlaceAnswer): Place => {
      if (!withNames || place === 'unknown') return place
      directory.isLarge = names === undefined
      if (epoch !== this.#epoch || names === undefined) return place
      directory.names = new Set(names)
      directory.namesAtMs = performance.now()
      return place
    }
    const answer = this.#ask(path, withNames)
    return isPromise(answer) ? answer.then(keep) : keep(answer)
  }

  /** Called before the script writes the file at `path`, and after it if others can act meanwhile. */
  wrote(path: string): void {
    this.#epoch += 1
    this.#directories.get(parentOf(path))?.names?.add(nameOf(path))
  }

  forget(): void {
    this.#epoch += 1
    for (const directory of this.#directories.values()) directory.names = undefined
  }

  #directoryOf(path: string): KnownDirectory {
    const parent = parentOf(path)
    const known = this.#directories.get(parent)
    if (known !== undefined) return known
    if (this.#directories.size >= maxDirectories) this.#directories.clear()
    const directory: KnownDirectory = { askedCount: 0, names: undefined, namesAtMs: 0, isLarge: false }
    this.#directories.set(parent, directory)
    return directory
  }
}

function parentOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/'))
}

function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('/') + 1)
}
