// Turns a commit of the mirror into actions in the container. Attributes stay in the mirror, because the container cannot store them.

import type { VfsPath } from '../../core/path.ts'
import { VfsError } from '../../vfs/error.ts'
import type { Edit } from '../../vfs/tree/edit.ts'
import type { ContainerAction } from './wire.ts'

/** Throws ENOTSUP for a second name of a file: the container's interface has no links, and a copy would not be one. */
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
      // A copy, because transferring a view would transfer its whole block.
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

/** The path in the form that the container's functions take. */
export function relative(path: VfsPath): string {
  return path.slice(1)
}

/** The buffers that may be transferred instead of copied. */
export function buffersOf(actions: readonly ContainerAction[]): ArrayBuffer[] {
  return actions.flatMap(action =>
    action.kind === 'write' && action.bytes.buffer instanceof ArrayBuffer ? [action.bytes.buffer] : [],
  )
}
