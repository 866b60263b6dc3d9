// The files of the workspace, as a worker sees them. Each operation is a message to the thread of the files, unless its result
// was prefetched.

import type { Awaitable, ShellFiles } from '../../shell/files.ts'
import { isPromise } from '../../vfs/is-promise.ts'
import { changedByAlias, changingVerbs, type FileQuestion, type FileVerb } from './protocol.ts'
import { Places, type ScriptFiles } from './places.ts'
import { ReadAhead } from './read-ahead.ts'

/** Returns the result of the operation, synchronously if memory is shared. Fails with the error of the operation. */
export type AskForFiles = <V extends FileVerb>(
  verb: V,
  args: Readonly<Parameters<ShellFiles[V]>>,
) => Awaitable<Awaited<ReturnType<ShellFiles[V]>>>

export function filesByVerb(ask: AskForFiles): ShellFiles {
  return {
    readFile: (path, range) => ask('readFile', [path, range]),
    // The bytes are copied because they are transferred, while the writer may still use the original.
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
  readonly files: ScriptFiles
  /** Called before the script waits or pauses. */
  readonly forgetAhead: () => void
}

export function createRemoteFiles(ask: (question: FileQuestion) => Awaitable<unknown>): RemoteFiles {
  const askAlso = (question: FileQuestion): Awaitable<unknown> => {
    const taken = ahead.taken()
    const asked = taken === undefined ? question : { ...question, taken }
    if (question.kind !== 'file' || !changingVerbs.has(question.verb)) return ask(asked)
    changing(question)
    const answer = ask(asked)
    const hear = (value: unknown): void => {
      if (value === changedByAlias) forgetAhead()
    }
    return isPromise(answer) ? answer.finally(() => changing(question)).then(hear) : hear(answer)
  }
  const changing = ({ verb, args }: Extract<FileQuestion, { readonly kind: 'file' }>): void => {
    const [path] = args
    if (verb === 'writeFile' && typeof path === 'string') places.wrote(path)
    else places.forget()
  }
  const forgetAhead = (): void => {
    ahead.forget()
    places.forget()
  }
  // The answers are cast to the types of the same tables as the requests.
  const ahead = new ReadAhead((of, paths) => askAlso({ kind: 'ahead', of, paths }) as never)
  const places = new Places((path, withNames) => askAlso({ kind: 'place', path, withNames }) as never)
  const files = ahead.over(filesByVerb((verb, args) => askAlso({ kind: 'file', verb, args }) as never))
  return { files: { ...files, placeOf: places.at }, forgetAhead }
}
