// A filesystem that nobody can change: the answer to each of the primitives that would is EROFS.

import type { VfsBackend, VfsSync } from './backend.ts'
import { VfsError } from './error.ts'

function refuse(syscall: string): (path: string) => never {
  return path => {
    throw new VfsError('EROFS', syscall, { path })
  }
}

/** The primitives that change something, refused. */
export const refusedPrimitives: Pick<VfsSync, 'write' | 'mkdir' | 'remove' | 'rename' | 'link' | 'symlink' | 'setattr'> = {
  write: refuse('open'),
  mkdir: refuse('mkdir'),
  remove: refuse('unlink'),
  rename: refuse('rename'),
  link: refuse('link'),
  symlink: (_target, path) => refuse('symlink')(path),
  setattr: refuse('chmod'),
}

/** `backend` without its writing primitives; everything else, and later changes of its files, shows through. */
export function readonly(backend: VfsBackend): VfsBackend {
  const { batch: _batch, placeFiles: _placeFiles, recipe: _recipe, sync, capsAt, ...rest } = backend
  const caps = (own: VfsBackend['caps']): VfsBackend['caps'] => ({ ...own, readonly: true, transactions: false })
  return {
    ...rest,
    caps: caps(backend.caps),
    ...(capsAt === undefined ? {} : { capsAt: path => caps(capsAt(path)) }),
    ...(sync === undefined ? {} : { sync: { ...sync, ...refusedPrimitives } }),
    write: async path => refusedPrimitives.write(path, new Uint8Array()),
    mkdir: async path => refusedPrimitives.mkdir(path),
    remove: async (path, kind) => refusedPrimitives.remove(path, kind),
    rename: async (from, to) => refusedPrimitives.rename(from, to),
    link: async (existing, path) => refusedPrimitives.link(existing, path),
    symlink: async (target, path) => refusedPrimitives.symlink(target, path),
    setattr: async (path, attributes) => refusedPrimitives.setattr(path, attributes),
  }
}
