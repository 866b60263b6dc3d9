// Which files to mirror, and where: part of a store's options, and checked with them.

import { AnchorageError } from '../../../core/errors.ts'
import { isStoreName } from '../store-name.ts'

/** Keeps real files of a store's files in the origin private file system. */
export interface MirrorSettings {
  /** Globs over paths from the filesystem's root, such as `workspace/dist/**`. As in `find`, `*` does not match '/'. */
  readonly globs: readonly string[]
  /** The target directory, below the origin's private directory. Names consist of letters, digits, '.', '_' and '-'. */
  readonly directory: string
}

/** `name` is the name of the store. Throws `AnchorageError` `opfs-options`. */
export function parseMirror(mirror: unknown, name: string): MirrorSettings {
  const { globs, directory = `anchorage-files/${name}` } = (
    typeof mirror === 'object' ? (mirror ?? {}) : {}
  ) as Partial<MirrorSettings>
  if (!Array.isArray(globs) || globs.length === 0 || !globs.every(glob => typeof glob === 'string')) {
    throw new AnchorageError(
      'opfs-options',
      'mirror.globs must be a list with at least one text. Next: give globs, or leave mirror out.',
    )
  }
  const names = typeof directory === 'string' ? directory.split('/') : []
  const isSafe = names.length > 0 && names.every(isStoreName)
  // That directory holds the stores.
  if (!isSafe || names[0] === 'anchorage') {
    throw new AnchorageError(
      'opfs-options',
      `The directory of a mirror must consist of names of letters, digits, '.', '_' or '-' between single '/', and the first must not be 'anchorage'; ` +
        `not ${JSON.stringify(directory)}. Next: give another one.`,
    )
  }
  return { globs: [...globs], directory: names.join('/') }
}
