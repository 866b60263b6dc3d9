// Turns a commit of the mirror into actions in the container. Attributes stay in the mirror, because the container cannot hold them.

import type { VfsPath } from '../../core/path.ts'
import { VfsError } from '../../vfs/error.ts'
import type { Edit } from '../../vfs/tree/edit.ts'
import type { ContainerAction } from './wire.ts'

/** Throws ENOTSUP for a second name of a file: the container's own interface has none, and a copy would be no link. */
export function actionsOf(edits: readonly Edit[]): readonly ContainerAction[] {
  return edits.flatMap(edit => actionOf(edit) ?? [])
}

function actionOf(edit: Edit): ContainerAction | undefined {
  const path = relative(edit.path)
  switch (edit.kind) {
    case 'put':
      if (edit.change === 'attributes') return undefined
      if (edit.node.kind === 'directory') return { kind: 'mkdir', path }
      if (edit.node.kind === 'symlink') return { kind: 'symlink', path, target: edit.node.target }
      // A copy: transferring a view would transfer the whole block that it lies in.
      return { kind: 'write', path, bytes: edit.node.bytes.slice() }
    case 'link':
      throw new VfsError('ENOTSUP', 'link', {
        path: edit.existing,
        dest: edit.path,
        hint: 'a WebContainer offers no hard links; make a symlink or a copy',
      })
    case 'drop':
      return { kind: edit.entry === 'directory' ? 'remove-directory' : 'remove-file', path }
    case 'move':
      return { kind: 'rename', path, from: relative(edit.from) }
  }
}

/** As the container's functions take it. */
export function relative(path: VfsPath): string {
  return path.slice(1)
}

/** The memory that may go along instead of being copied. */
export function buffersOf(actions: readonly ContainerAction[]): ArrayBuffer[] {
  return actions.flatMap(action =>
    action.kind === 'write' && action.bytes.buffer instanceof ArrayBuffer ? [action.bytes.buffer] : [],
  )
}
