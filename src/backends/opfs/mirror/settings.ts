// What a mirror is of and where it is: options of a store, checked with them.

import { AnchorageError } from '../../../core/errors.ts'
import { isStoreName } from '../store-name.ts'

/** Real files of the origin private file system behind the store. */
export interface MirrorSettings {
  /** Paths from the filesystem's root, such as `workspace/dist/**`; as in `find`, `*` stays within a name. */
  readonly globs: readonly string[]
  /** Where, below the origin's own directory; names of letters, digits, '.', '_' and '-'. */
  readonly directory: string
}

/** `name`: of the store. Throws `AnchorageError` `opfs-options`. */
export function parseMirror(mirror: unknown, name: string): MirrorSettings {
  const { globs, directory = `anchorage-files/${name}` } = (
    typeof mirror === 'object' ? (mirror ?? {}) : {}
  ) as Partial<MirrorSettings>
  if (!Array.isArray(globs) || globs.length === 0 || !globs.every(glob => typeof glob === 'string')) {
    throw new AnchorageError(
      'opfs-options',
      'mirror needs globs, a list of texts with at least one. Next: give it, or leave mirror out.',
    )
  }
  const names = typeof directory === 'string' ? directory.split('/') : []
  const isSafe = names.length > 0 && names.every(isStoreName)
  // There the stores themselves are.
  if (!isSafe || names[0] === 'anchorage') {
    throw new AnchorageError(
      'opfs-options',
      `The directory of a mirror has names of letters, digits, '.', '_' or '-' between single '/', and the first is not 'anchorage'; ` +
        `not ${JSON.stringify(directory)}. Next: give another one.`,
    )
  }
  return { globs: [...globs], directory: names.join('/') }
}
