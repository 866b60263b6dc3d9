// Files whose operations all pass through one function.

import type { Awaitable, ShellFiles } from '../../shell/files.ts'
import type { FileVerb } from './protocol.ts'

/** Returns the result of the operation, synchronously if memory is shared. Fails with the error of the operation. */
export type AskForFiles = <V extends FileVerb>(
  verb: V,
  args: Readonly<Parameters<ShellFiles[V]>>,
) => Awaitable<Awaited<ReturnType<ShellFiles[V]>>>

export function filesByVerb(ask: AskForFiles): ShellFiles {
  return {
    readFile: (path, range) => ask('readFile', [path, range]),
    writeFile: (path, data, options) => ask('writeFile', [path, data, options]),
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
    utimes: (path, mtimeMs, atimeMs) => ask('utimes', [path, mtimeMs, atimeMs]),
  }
}

/** Files that call `before` before each operation, and are looked up for each. */
export function filesBehind(files: () => ShellFiles, before: () => Awaitable<void>): ShellFiles {
  return filesByVerb(async (verb, args) => {
    await before()
    // The verb and its arguments have the types of the same table.
    const operation = files()[verb] as (...operands: readonly unknown[]) => Awaitable<never>
    return operation(...args)
  })
}
