// The files of the workspace, seen from a worker that has none: each operation is one message to where they are.

import type { Awaitable, ShellFiles } from '../../shell/files.ts'
import type { FileVerb } from './protocol.ts'

/** Gives what the verb gives, at once where memory is shared; fails with its error. */
export type AskForFiles = <V extends FileVerb>(
  verb: V,
  args: Readonly<Parameters<ShellFiles[V]>>,
) => Awaitable<Awaited<ReturnType<ShellFiles[V]>>>

export function createRemoteFiles(ask: AskForFiles): ShellFiles {
  return {
    readFile: (path, range) => ask('readFile', [path, range]),
    // A copy: the bytes are sent away for good, and the writer may keep its own.
    writeFile: (path, data, options) => ask('writeFile', [path, data.slice(), options]),
    exists: path => ask('exists', [path]),
    stat: path => ask('stat', [path]),
    lstat: path => ask('lstat', [path]),
    mkdir: (path, options) => ask('mkdir', [path, options]),
    readdir: path => ask('readdir', [path]),
    rm: (path, options) => ask('rm', [path, options]),
    rename: (from, to) => ask('rename', [from, to]),
    chmod: (path, mode) => ask('chmod', [path, mode]),
    symlink: (target, path) => ask('symlink', [target, path]),
    link: (existing, path) => ask('link', [existing, path]),
    readlink: path => ask('readlink', [path]),
    realpath: path => ask('realpath', [path]),
    utimes: (path, mtimeMs) => ask('utimes', [path, mtimeMs]),
  }
}
