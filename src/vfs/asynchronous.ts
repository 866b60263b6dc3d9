// A backend that works at once offers its primitives behind promises too: the same code, so that the two cannot differ.

import type { VfsBackend, VfsSync } from './backend.ts'

/** The primitives, each answering or failing in a promise. */
export function asynchronous(sync: VfsSync): { readonly [K in keyof VfsSync]: VfsBackend[K] } {
  return {
    lookup: async (path, options) => sync.lookup(path, options),
    list: async path => sync.list(path),
    read: async (path, range) => sync.read(path, range),
    write: async (path, data, options) => sync.write(path, data, options),
    mkdir: async (path, options) => sync.mkdir(path, options),
    remove: async (path, kind) => sync.remove(path, kind),
    rename: async (from, to, options) => sync.rename(from, to, options),
    link: async (existing, path) => sync.link(existing, path),
    symlink: async (target, path) => sync.symlink(target, path),
    readlink: async path => sync.readlink(path),
    realpath: async path => sync.realpath(path),
    setattr: async (path, attributes) => sync.setattr(path, attributes),
  }
}
