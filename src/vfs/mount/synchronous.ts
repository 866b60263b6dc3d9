// Primitives that were written as steps, run at once or by waiting.

import type { VfsBackend, VfsSync } from '../backend.ts'
import { runNow, runWaiting } from '../steps.ts'
import type { MountSteps } from './primitives.ts'

export function synchronous(steps: MountSteps): VfsSync {
  return {
    lookup: (path, options) => runNow(steps.lookup(path, options)),
    list: path => runNow(steps.list(path)),
    read: (path, range) => runNow(steps.read(path, range)),
    write: (path, data, options) => runNow(steps.write(path, data, options)),
    mkdir: (path, options) => runNow(steps.mkdir(path, options)),
    remove: (path, kind) => runNow(steps.remove(path, kind)),
    rename: (from, to, options) => runNow(steps.rename(from, to, options)),
    link: (existing, path) => runNow(steps.link(existing, path)),
    symlink: (target, path) => runNow(steps.symlink(target, path)),
    readlink: path => runNow(steps.readlink(path)),
    realpath: path => runNow(steps.realpath(path)),
    setattr: (path, attributes) => runNow(steps.setattr(path, attributes)),
  }
}

export function waiting(steps: MountSteps): { readonly [K in keyof VfsSync]: VfsBackend[K] } {
  return {
    lookup: (path, options) => runWaiting(steps.lookup(path, options)),
    list: path => runWaiting(steps.list(path)),
    read: (path, range) => runWaiting(steps.read(path, range)),
    write: (path, data, options) => runWaiting(steps.write(path, data, options)),
    mkdir: (path, options) => runWaiting(steps.mkdir(path, options)),
    remove: (path, kind) => runWaiting(steps.remove(path, kind)),
    rename: (from, to, options) => runWaiting(steps.rename(from, to, options)),
    link: (existing, path) => runWaiting(steps.link(existing, path)),
    symlink: (target, path) => runWaiting(steps.symlink(target, path)),
    readlink: path => runWaiting(steps.readlink(path)),
    realpath: path => runWaiting(steps.realpath(path)),
    setattr: (path, attributes) => runWaiting(steps.setattr(path, attributes)),
  }
}
