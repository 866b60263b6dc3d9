// Answers what a worker asks about the files. Which operation begins is decided when its message arrives, in the order of arrival.

import { AnchorageError } from '../../core/errors.ts'
import type { ShellFiles } from '../../shell/files.ts'
import { giveAnswer, sendElsewhere, type SharedAnswers } from './shared-answer.ts'
import { isFileVerb, type FromWorker, type ToWorker } from './protocol.ts'

export type FileQuestion = Extract<FromWorker, { readonly kind: 'file' }>

/** Never rejects: what goes wrong is an answer too. */
export async function answerFiles(question: FileQuestion, files: ShellFiles): Promise<ToWorker> {
  const { id, verb, args } = question
  try {
    if (!isFileVerb(verb)) throw new Error(`unreachable: there is no operation ${String(verb)}`)
    // Both sides are compiled from the same table (remote-files.ts), which is where the arguments were checked.
    const operation = files[verb] as (...operands: readonly unknown[]) => Promise<unknown>
    const value = await operation.apply(files, [...args])
    // What a change gives back is nobody's concern there.
    return { kind: 'answer', id, value: verb === 'writeFile' ? undefined : value }
  } catch (error) {
    return failureOf(id, error)
  }
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
  sendElsewhere(answers)
  return false
}
