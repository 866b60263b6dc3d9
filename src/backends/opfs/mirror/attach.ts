// Attaches a mirror to a store, or the reason why there is none. A problem of the mirror never stops the store.

import { AnchorageError } from '../../../core/errors.ts'
import { compileGlob } from '../../../search/glob.ts'
import type { FullBackend } from '../../../vfs/backend.ts'
import { VfsError } from '../../../vfs/error.ts'
import { storageError } from '../log/failure.ts'
import type { DirectoryHandle } from '../platform.ts'
import { Mirror, type MirrorReport } from './mirror.ts'
import type { MirrorSettings } from './settings.ts'

export interface MirrorListeners {
  readonly onMirror: (report: MirrorReport) => void
  readonly onProblem: (problem: VfsError) => void
}

/** A stored filesystem, and its mirror of real files if one was requested. */
export interface OpfsBackend extends FullBackend {
  /**
   * Resolves when the real files of `mirror` match the filesystem as it was at the time of the call. Rejects with `VfsError` ENOTSUP if
   * there is no mirror, ENOSPC or EIO.
   */
  flushMirror(): Promise<MirrorReport>
}

export interface Mirrored {
  readonly backend: FullBackend
  /** See {@link OpfsBackend.flushMirror}. */
  readonly flush: () => Promise<MirrorReport>
}

/** Throws `AnchorageError` `opfs-options` for an invalid glob. */
export function mirrorMatcher({ globs }: MirrorSettings): (path: string) => boolean {
  const matchers = globs.map(glob => {
    const compiled = compileGlob(glob)
    if (compiled.kind === 'glob') return compiled.matches
    throw new AnchorageError(
      'opfs-options',
      `The glob ${JSON.stringify(glob)} of mirror cannot be used: ${compiled.message} Next: correct it, or leave it out.`,
    )
  })
  return path => matchers.some(matches => matches(path))
}

/** `root` is the origin's private directory; `undefined` if it cannot be used. */
export async function withMirror(
  backend: FullBackend,
  root: DirectoryHandle | undefined,
  settings: MirrorSettings,
  { onMirror, onProblem }: MirrorListeners,
): Promise<Mirrored> {
  const matches = mirrorMatcher(settings)
  if (root === undefined) {
    const problem = new VfsError('ENOTSUP', 'mirror', {
      hint: 'this page has no origin private file system, so there are no real files',
    })
    onProblem(problem)
    return withoutMirror(backend, problem)
  }
  try {
    let directory = root
    for (const name of settings.directory.split('/')) directory = await directory.getDirectoryHandle(name, { create: true })
    const mirror = await Mirror.open(backend, directory, { matches, onPass: onMirror, onProblem })
    const close = async (): Promise<void> => {
      await mirror.end()
      await backend.close()
    }
    return { backend: { ...backend, close }, flush: () => mirror.flush() }
  } catch (error) {
    const problem = storageError(error, 'mirror')
    onProblem(problem)
    return withoutMirror(backend, problem)
  }
}

function withoutMirror(backend: FullBackend, problem: VfsError): Mirrored {
  return { backend, flush: () => Promise.reject(problem) }
}
