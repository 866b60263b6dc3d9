// The files of the workspace, seen from a worker that has none: each operation is one message to where they are. Text becomes bytes here,
// so that the work of it, and the copy, are not the other side's.

import { bytesToText, textToBytes } from '../../vfs/facades/byte-encodings.ts'
import { resolveShellPath, type JustBashFs } from '../../vfs/facades/just-bash.ts'
import type { FileVerb } from './protocol.ts'

/** Resolves to what the verb resolves to; rejects with its error. */
export type AskForFiles = <V extends FileVerb>(
  verb: V,
  args: Readonly<Parameters<JustBashFs[V]>>,
) => Promise<Awaited<ReturnType<JustBashFs[V]>>>

export function createRemoteFiles(ask: AskForFiles): JustBashFs {
  // A copy of what is bytes already: they are sent away for good, and the interpreter may keep its own.
  const bytesOf = (content: string | Uint8Array, options: Parameters<JustBashFs['writeFile']>[2]): Uint8Array =>
    typeof content === 'string' ? textToBytes(content, encodingOf(options)) : content.slice()
  return {
    readFile: async (path, options) => bytesToText(await ask('readFileBuffer', [path]), encodingOf(options)),
    readFileBuffer: path => ask('readFileBuffer', [path]),
    writeFile: (path, content, options) => ask('writeFile', [path, bytesOf(content, options)]),
    appendFile: (path, content, options) => ask('appendFile', [path, bytesOf(content, options)]),
    exists: path => ask('exists', [path]),
    stat: path => ask('stat', [path]),
    lstat: path => ask('lstat', [path]),
    mkdir: (path, options) => ask('mkdir', [path, options]),
    readdir: path => ask('readdir', [path]),
    readdirWithFileTypes: path => ask('readdirWithFileTypes', [path]),
    rm: (path, options) => ask('rm', [path, options]),
    cp: (from, to, options) => ask('cp', [from, to, options]),
    mv: (from, to) => ask('mv', [from, to]),
    resolvePath: resolveShellPath,
    // just-bash then lists directories.
    getAllPaths: () => [],
    chmod: (path, mode) => ask('chmod', [path, mode]),
    symlink: (target, path) => ask('symlink', [target, path]),
    link: (existing, path) => ask('link', [existing, path]),
    readlink: path => ask('readlink', [path]),
    realpath: path => ask('realpath', [path]),
    utimes: (path, atime, mtime) => ask('utimes', [path, atime, mtime]),
  }
}

function encodingOf(options: Parameters<JustBashFs['readFile']>[1]): Parameters<typeof bytesToText>[1] {
  return (typeof options === 'string' ? options : options?.encoding) ?? 'utf8'
}
