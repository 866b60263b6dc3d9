// The files of the workspace, as a worker sees them. Each operation is a message to the thread of the files, unless its result
// was prefetched.

import type { Awaitable } from '../../shell/files.ts'
import { isPromise } from '../../vfs/is-promise.ts'
import { filesByVerb } from './files-by-verb.ts'
import { changedByAlias, changingVerbs, type FileQuestion } from './protocol.ts'
import { Places, type ScriptFiles } from './places.ts'
import { ReadAhead } from './read-ahead.ts'

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
  const plain = filesByVerb((verb, args) => askAlso({ kind: 'file', verb, args }) as never)
  const files = ahead.over({
    ...plain,
    // The bytes are copied because they are transferred, while the writer may still use the original.
    writeFile: (path, data, options) => plain.writeFile(path, data.slice(), options),
  })
  return { files: { ...files, placeOf: places.at }, forgetAhead }
}
