// Answers the file requests of a worker. Operations start in the order in which their messages arrive.

import { AnchorageError } from '../../core/errors.ts'
import { isShellFileVerb } from '../../shell/shell-file-verbs.ts'
import { changedByAlias, changingVerbs, type FileQuestion, type ToWorker } from './protocol.ts'
import type { FilesAhead } from './read-ahead.ts'
import type { RunFiles } from './run-files.ts'
import { Contents, giveAnswer, giveFailure, type SharedAnswers } from './shared-answer.ts'

type AskedQuestion = FileQuestion & { readonly id: number }

/** Never rejects: an error is returned as an answer. */
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
  if (question.kind === 'place') return files.placeOf(question.path, question.withNames)
  const { verb, args } = question
  if (!isShellFileVerb(verb)) throw new Error(`unreachable: there is no operation ${String(verb)}`)
  // Both sides are compiled from the same table (remote-files.ts), which has checked the types of the arguments.
  const operation = files.fs[verb] as (...operands: readonly unknown[]) => Promise<unknown>
  const { aliasCount } = files
  const value = await operation.apply(files.fs, [...args])
  if (!changingVerbs.has(verb)) return value
  // The worker does not use any other result of a change.
  return files.aliasCount === aliasCount ? undefined : changedByAlias
}

export function failureOf(id: number, error: unknown): ToWorker {
  const message = error instanceof Error ? error.message : String(error)
  return { kind: 'failure', id, message, code: error instanceof AnchorageError ? error.code : undefined }
}

/** The buffers of an answer that can be transferred. */
export function bytesIn(message: ToWorker): readonly Uint8Array[] {
  return message.kind === 'answer' && message.value instanceof Uint8Array ? [message.value] : []
}

/** Returns false if the reply must be sent as a message. The worker is woken in both cases. */
export function giveReply(answers: SharedAnswers, reply: ToWorker): boolean {
  if (reply.kind === 'answer') return giveAnswer(answers, reply.value)
  if (reply.kind === 'failure') return giveFailure(answers, reply)
  throw new Error(`unreachable: ${reply.kind} is no reply about files`)
}
