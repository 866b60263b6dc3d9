// The files of the workspace, seen from a worker that has none: each operation is a message to where they are, or was answered ahead.

import type { Awaitable, ShellFiles } from '../../shell/files.ts'
import { isPromise } from '../../vfs/is-promise.ts'
import { changedByAlias, changingVerbs, type FileQuestion, type FileVerb } from './protocol.ts'
import { ReadAhead } from './read-ahead.ts'

/** Gives what the verb gives, at once where memory is shared; fails with its error. */
export type AskForFiles = <V extends FileVerb>(
  verb: V,
  args: Readonly<Parameters<ShellFiles[V]>>,
) => Awaitable<Awaited<ReturnType<ShellFiles[V]>>>

export function filesByVerb(ask: AskForFiles): ShellFiles {
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

export interface RemoteFiles {
  readonly files: ShellFiles
  /** Before the script waits or lets others run. */
  readonly forgetAhead: () => void
}

export function createRemoteFiles(ask: (question: FileQuestion) => Awaitable<unknown>): RemoteFiles {
  const askAlso = (question: FileQuestion): Awaitable<unknown> => {
    const taken = ahead.taken()
    const answer = ask(taken === undefined ? question : { ...question, taken })
    if (question.kind === 'ahead' || !changingVerbs.has(question.verb)) return answer
    const hear = (value: unknown): void => {
      if (value === changedByAlias) ahead.forget()
    }
    return isPromise(answer) ? answer.then(hear) : hear(answer)
  }
  // This is where the answers get their types: they come from the same tables that the questions name.
  const ahead = new ReadAhead((of, paths) => askAlso({ kind: 'ahead', of, paths }) as never)
  const files = ahead.over(filesByVerb((verb, args) => askAlso({ kind: 'file', verb, args }) as never))
  return { files, forgetAhead: () => ahead.forget() }
}
