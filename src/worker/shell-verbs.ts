// The part of the wire for the shell. Functions with plain data are in a table; output and state are sent through a listener.

import type { Actor } from '../core/actor.ts'
import type { OutputChunk, ExitStatus } from '../shell/shell.ts'
import type { SessionCommandEnd, ShellSession } from '../shell/session.ts'
import type { OpenShellOptions } from '../workspace/workspace.ts'
import { asActor, asData, asNumber, asOptions, asRecord, asText } from './checks.ts'
import type { FileVerbs } from './file-verbs.ts'
import type { Reader } from './protocol.ts'

export type PlainShellFunctions = Pick<ShellSession, 'write' | 'resize' | 'kill' | 'complete' | 'isIncomplete' | 'close'>

export const shellVerbs: FileVerbs<PlainShellFunctions> = {
  write: [value => asData(value, 'data')],
  resize: [value => asNumber(value, 'columns'), value => asNumber(value, 'rows')],
  kill: [value => (value === 'kill' ? 'kill' : 'interrupt')],
  complete: [value => asText(value, 'line'), value => asNumber(value, 'cursor')],
  isIncomplete: [value => asText(value, 'line')],
  close: [],
}

/** The workspace itself checks the values and refuses unknown options. */
export const shellOptions: Reader<OpenShellOptions | undefined> = value => {
  if (value === undefined) return undefined
  const { actor, env } = asRecord(value, 'options')
  const plain = asOptions(value, { cwd: 'string', columns: 'number', rows: 'number' }, 'options')
  const variables =
    env === undefined ? undefined : Object.entries(asRecord(env, 'env')).map(([name, text]) => [name, asText(text, name)])
  const given: Actor | undefined = actor === undefined ? undefined : asActor(actor, 'actor')
  return { ...plain, actor: given, env: variables && Object.fromEntries(variables) }
}

export interface WireShell {
  readonly shellId: number
  readonly id: string
  readonly name: string
  readonly input: ShellSession['input']
  readonly cwd: string
}

/** `sentBytes`: the number of bytes of output that were sent before. */
export interface WireShellEnd {
  readonly end: SessionCommandEnd
  readonly sentBytes: number
}

/** `ran`: the commands that were added to the history. */
export interface WireShellState {
  readonly kind: 'state'
  readonly cwd: string
  readonly exitCode: number | undefined
  readonly isBusy: boolean
  readonly ran: readonly string[]
}

/** Sent in order, through the session's listener. */
export type WireShellMessage =
  | { readonly kind: 'output'; readonly chunk: OutputChunk }
  | WireShellState
  | { readonly kind: 'ended'; readonly exit: ExitStatus }
