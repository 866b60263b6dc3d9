// The part of the wire for open editors: the functions of the list of open files, and of one file.

import { AnchorageError } from '../core/errors.ts'
import type { BufferOpenOptions, UnsavedText, WorkspaceBuffers } from '../buffers/buffer.ts'
import type { BufferLink } from '../buffers/link.ts'
import type { TextChange } from '../text/text-change.ts'
import { asActor, asList, asNumber, asOptions, asRecord, asText } from './checks.ts'
import type { FileVerbs } from './file-verbs.ts'
import type { Reader } from './protocol.ts'

/** The functions of a link on the wire: each returns a promise. */
export type WireLink = {
  readonly [K in keyof BufferLink]: (...args: Parameters<BufferLink[K]>) => Promise<Awaited<ReturnType<BufferLink[K]>>>
}

const version: Reader<number> = value => asNumber(value, 'version')

const change: Reader<TextChange> = value =>
  asList(value, 'change').map(step => {
    if (typeof step === 'string' || (Number.isSafeInteger(step) && step !== 0)) return step as string | number
    throw new AnchorageError('wire-refused', 'The worker refused a change to a text. Next: check the arguments of the call.')
  })

export const linkVerbs: FileVerbs<WireLink> = {
  send: [version, change],
  seen: [version],
  save: [value => asOptions(value, { overwrite: 'boolean' }, 'options') ?? {}],
  revert: [],
  close: [value => asOptions(value, { discard: 'boolean' }, 'options') ?? {}],
}

export const bufferListVerbs: FileVerbs<Pick<WorkspaceBuffers, 'list' | 'saveAll'>> = { list: [], saveAll: [] }

export const openOptions: Reader<BufferOpenOptions> = value => {
  if (value === undefined) return {}
  const { actor, unsaved } = asRecord(value, 'options')
  return {
    ...asOptions(value, { create: 'boolean' }, 'options'),
    ...(actor === undefined ? {} : { actor: asActor(actor, 'options.actor') }),
    ...(unsaved === undefined ? {} : { unsaved: asUnsaved(unsaved) }),
  }
}

function asUnsaved(value: unknown): UnsavedText {
  const { base, text } = asRecord(value, 'options.unsaved')
  return { base: asText(base, 'options.unsaved.base'), text: asText(text, 'options.unsaved.text') }
}
