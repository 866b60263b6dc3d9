// A filesystem that nobody can change: the answer to each of the primitives that would is EROFS.

import type { VfsBackend, VfsCaps, VfsSync } from './backend.ts'
import { VfsError } from './error.ts'
import { readingPrimitives } from './reading.ts'

export { readingPrimitives } from './reading.ts'

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
  const { sync, snapshot, diff, watch, usage, capsAt, mountPoints } = backend
  const caps = (own: VfsCaps): VfsCaps => ({ ...own, readonly: true, transactions: false })
  return {
    caps: caps(backend.caps),
    ...(capsAt === undefined ? {} : { capsAt: path => caps(capsAt.call(backend, path)) }),
    ...(mountPoints === undefined ? {} : { mountPoints }),
    ...(sync === undefined ? {} : { sync: { ...readingPrimitives(sync), ...refusedPrimitives } }),
    ...(snapshot === undefined ? {} : { snapshot: () => snapshot.call(backend) }),
    ...(diff === undefined ? {} : { diff: (from, to) => diff.call(backend, from, to) }),
    ...(watch === undefined ? {} : { watch: (path, listener, options) => watch.call(backend, path, listener, options) }),
    ...(usage === undefined ? {} : { usage: () => usage.call(backend) }),
    lookup: (path, options) => backend.lookup(path, options),
    list: path => backend.list(path),
    read: (path, range) => backend.read(path, range),
    readlink: path => backend.readlink(path),
    realpath: path => backend.realpath(path),
    flush: () => backend.flush(),
    close: () => backend.close(),
    write: async (path, data, options) => refusedPrimitives.write(path, data, options),
    mkdir: async path => refusedPrimitives.mkdir(path),
    remove: async (path, kind) => refusedPrimitives.remove(path, kind),
    rename: async (from, to) => refusedPrimitives.rename(from, to),
    link: async (existing, path) => refusedPrimitives.link(existing, path),
    symlink: async (target, path) => refusedPrimitives.symlink(target, path),
    setattr: async (path, attributes) => refusedPrimitives.setattr(path, attributes),
  }
}
