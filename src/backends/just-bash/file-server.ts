// Answers what a worker asks about the files and the host's commands. Which operation begins is decided when its message arrives, in the
// order of arrival.

import { AnchorageError } from '../../core/errors.ts'
import type { ShellCommandDefinition } from '../../shell/commands.ts'
import type { ShellFiles } from '../../shell/files.ts'
import { runCollected } from './collected-command.ts'
import type { JustBashFs } from '../../vfs/facades/just-bash.ts'
import { isFileVerb, type CommandAnswer, type CommandRequest, type FromWorker, type ToWorker } from './protocol.ts'

export type Question = Extract<FromWorker, { readonly kind: 'file' | 'command' }>

export interface FileServerOptions {
  readonly files: JustBashFs
  readonly commands: readonly ShellCommandDefinition[]
  /** What the host's commands see. */
  readonly commandFiles: ShellFiles
  /** Ends the host's commands. */
  readonly signal: AbortSignal
}

/** Never rejects: what goes wrong is an answer too. */
export async function answer(question: Question, options: FileServerOptions): Promise<ToWorker> {
  const { id } = question
  try {
    const value = question.kind === 'file' ? await useFiles(options.files, question) : await useCommand(options, question.request)
    return { kind: 'answer', id, value }
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    return { kind: 'failure', id, message, code: error instanceof AnchorageError ? error.code : undefined }
  }
}

/** The parts of an answer that nobody here needs any more. */
export function bytesIn(message: ToWorker): readonly Uint8Array[] {
  return message.kind === 'answer' && message.value instanceof Uint8Array ? [message.value] : []
}

async function useFiles(files: JustBashFs, { verb, args }: Extract<Question, { kind: 'file' }>): Promise<unknown> {
  if (!isFileVerb(verb)) throw new Error(`unreachable: there is no operation ${String(verb)}`)
  // Both sides are compiled from the same table (remote-files.ts), which is where the arguments were checked.
  const operation = files[verb] as (...operands: readonly unknown[]) => Promise<unknown>
  return operation(...args)
}

async function useCommand(
  { commands, commandFiles, signal }: FileServerOptions,
  { name, ...request }: CommandRequest,
): Promise<CommandAnswer> {
  const command = commands.find(candidate => candidate.name === name)
  if (command === undefined) throw new Error(`unreachable: there is no command ${name}`)
  return runCollected(command, { ...request, files: commandFiles, signal })
}
