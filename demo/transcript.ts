// Everything that happens in the session, in order, kept as plain immutable entries that the page draws. It stands in
// front of the toolset, so that calls of the script and calls by hand are recorded alike.

import type { CallContext, Toolset, ToolResult } from 'anchorage'
import { messageOf } from './format.ts'

export type CallState =
  | { readonly kind: 'running'; readonly partialText: string }
  | { readonly kind: 'done'; readonly result: ToolResult; readonly durationMs: number }
  | { readonly kind: 'aborted'; readonly durationMs: number }
  /** The call itself failed: a bug, or the worker was lost. */
  | { readonly kind: 'failed'; readonly message: string; readonly durationMs: number }

export interface CallEntry {
  readonly kind: 'call'
  readonly id: number
  readonly origin: 'script' | 'hand'
  readonly thought: string | undefined
  readonly tool: string
  readonly args: unknown
  readonly state: CallState
}

export interface PersonEntry {
  readonly kind: 'person'
  readonly id: number
  readonly thought: string
  readonly path: string
  readonly before: string
  readonly after: string
}

/** Something that the page has to say about the session itself. */
export interface NoticeEntry {
  readonly kind: 'notice'
  readonly id: number
  readonly text: string
}

export type TranscriptEntry = CallEntry | PersonEntry | NoticeEntry

export class Transcript {
  #entries: readonly TranscriptEntry[] = []
  #nextId = 1
  #firstId = 1
  readonly #onChange: () => void

  constructor(onChange: () => void) {
    this.#onChange = onChange
  }

  get entries(): readonly TranscriptEntry[] {
    return this.#entries
  }

  /** Calls the tool and records the outcome. Resolves or rejects as the call does. */
  async call(
    tools: Pick<Toolset, 'call'>,
    request: Pick<CallEntry, 'origin' | 'thought' | 'tool' | 'args'>,
    context: CallContext = {},
  ): Promise<ToolResult> {
    const id = this.#nextId++
    const startedAt = performance.now()
    const record = (state: CallState): void => this.#put({ kind: 'call', id, ...request, state })
    const elapsedMs = (): number => performance.now() - startedAt
    record({ kind: 'running', partialText: '' })
    try {
      const result = await tools.call(request.tool, request.args, {
        ...context,
        onUpdate: update => record({ kind: 'running', partialText: textOf(update) }),
      })
      record({ kind: 'done', result, durationMs: elapsedMs() })
      return result
    } catch (error) {
      record(
        context.signal?.aborted
          ? { kind: 'aborted', durationMs: elapsedMs() }
          : { kind: 'failed', message: messageOf(error), durationMs: elapsedMs() },
      )
      throw error
    }
  }

  addPerson(entry: Omit<PersonEntry, 'kind' | 'id'>): void {
    this.#put({ kind: 'person', id: this.#nextId++, ...entry })
  }

  addNotice(text: string): void {
    this.#put({ kind: 'notice', id: this.#nextId++, text })
  }

  clear(): void {
    this.#entries = []
    this.#firstId = this.#nextId
    this.#onChange()
  }

  #put(entry: TranscriptEntry): void {
    // A call that was aborted by clearing ends afterwards, and belongs to what is gone.
    if (entry.id < this.#firstId) return
    const index = this.#entries.findLastIndex(known => known.id === entry.id)
    this.#entries = index === -1 ? [...this.#entries, entry] : this.#entries.with(index, entry)
    this.#onChange()
  }
}

function textOf(result: Pick<ToolResult, 'content'>): string {
  return result.content.flatMap(block => (block.type === 'text' ? [block.text] : [])).join('\n')
}
