// Answers what a worker asks about the files. Which operation begins is decided when its message arrives, in the order of arrival.

import { AnchorageError } from '../../core/errors.ts'
import { changedByAlias, changingVerbs, isFileVerb, type FileQuestion, type ToWorker } from './protocol.ts'
import type { FilesAhead } from './read-ahead.ts'
import type { RunFiles } from './run-files.ts'
import { Contents, giveAnswer, giveFailure, type SharedAnswers } from './shared-answer.ts'

type AskedQuestion = FileQuestion & { readonly id: number }

/** Never rejects: what goes wrong is an answer too. */
export async function answerFiles(question: AskedQuestion, files: RunFiles): Promise<ToWorker> {
  const { id, taken = [] } = question
  try {
    files.take(taken)
    return { kind: 'answer', id, value: await valueFor(question, files) }
  } catch (error) {
    return failureOf(id, error)
  }
}

async function valueFor(question: FileQuestion, files: RunFiles): Promise<unknown> {
  if (question.kind === 'ahead') {
    const found = files.readAhead(question.of, question.paths)
    return question.of === 'contents' ? new Contents(found as FilesAhead<'contents'>) : { found }
  }
  const { verb, args } = question
  if (!isFileVerb(verb)) throw new Error(`unreachable: there is no operation ${String(verb)}`)
  // Both sides are compiled from the same table (remote-files.ts), which is where the arguments were checked.
  const operation = files.fs[verb] as (...operands: readonly unknown[]) => Promise<unknown>
  const { aliasCount } = files
  const value = await operation.apply(files.fs, [...args])
  if (!changingVerbs.has(verb)) return value
  // Whatever else a change gives back is nobody's concern there.
  return files.aliasCount === aliasCount ? undefined : changedByAlias
}

export function failureOf(id: number, error: unknown): ToWorker {
  const message = error instanceof Error ? error.message : String(error)
  return { kind: 'failure', id, message, code: error instanceof AnchorageError ? error.code : undefined }
}

/** The parts of an answer that nobody here needs any more. */
export function bytesIn(message: ToWorker): readonly Uint8Array[] {
  return message.kind === 'answer' && message.value instanceof Uint8Array ? [message.value] : []
}

/** False: the reply must be sent. The worker is woken in either case. */
export function giveReply(answers: SharedAnswers, reply: ToWorker): boolean {
  if (reply.kind === 'answer') return giveAnswer(answers, reply.value)
  if (reply.kind === 'failure') return giveFailure(answers, reply)
  throw new Error(`unreachable: ${reply.kind} is no reply about files`)
}
