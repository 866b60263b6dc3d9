// The types of the public interface: tool definitions, calls and results.

import type { BusyTime } from './busy-time.ts'
import type { Details } from './errors.ts'
import type { ToolPreview } from './tool-preview.ts'

/** A JSON Schema (2020-12) of a tool's input, as plain data; always of an object. */
export interface JsonSchema {
  readonly type: 'object'
  readonly [keyword: string]: unknown
}

/** MCP's tool annotations: hints for a host's approval UI, never a guarantee. */
export interface ToolAnnotations {
  readonly readOnlyHint: boolean
  readonly destructiveHint: boolean
  readonly idempotentHint: boolean
  readonly openWorldHint: boolean
}

/** One call with its result: shown in the generated reference, and run as a test. */
export interface ToolExample {
  /** The purpose, as the beginning of a sentence. */
  readonly title: string
  /** The initial files of the workspace, by path from its root. */
  readonly files: Readonly<Record<string, string>>
  /** Earlier calls of the same session: an edit needs the result of a read. */
  readonly after?: readonly { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> }[]
  readonly arguments: Readonly<Record<string, unknown>>
  readonly expect: {
    /** The result contains this text. */
    readonly text: string
    /** The call fails with this code; without it, the call succeeds. */
    readonly error?: string
    /** The contents of these files afterwards. */
    readonly files?: Readonly<Record<string, string>>
  }
}

/** The description of a tool for a model. Plain data: it can be cloned, logged and sent. */
export interface ToolDefinition {
  /** `^[a-z][a-z0-9_]{0,63}$` */
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly annotations: ToolAnnotations
  /** Whether calls of this tool may run at the same time. Hosts may run them concurrently in any case: the session keeps the order. */
  readonly executionMode: 'parallel' | 'sequential'
  /** How long one call may keep its thread busy. `busyTimeMs` computes the limit of a call. */
  readonly busy: BusyTime
  /** Examples for users and references; models do not need them. */
  readonly examples?: readonly ToolExample[]
}

/** One block of a result as the model sees it: text, or an image in base64. */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; /** base64 */ readonly data: string; readonly mimeType: string }

/** The result of a call. `content` is for the model, `details` for the host. */
export interface ToolResult {
  readonly isError: boolean
  /** What the model sees. */
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: Record<string, unknown>
  /**
   * Data for the host only: diff, meta, timings, exit code, files. `by` is the actor of the call (see `Attribution`); `revisions` are those
   * of the files that it wrote, by path from the root; `changed` contains the changes of a command (see `CommandChanges`).
   */
  readonly details: Details
}

/** A partial result, which the next one replaces. Sent while a long call runs. */
export type ToolUpdate = Pick<ToolResult, 'content' | 'details'>

/** What a host may pass with a call: an abort signal, a listener for progress and an ID. */
export interface CallContext {
  /** Aborting it rejects the call with `signal.reason`; nothing is left half written. */
  readonly signal?: AbortSignal | undefined
  /**
   * Receives partial results. If a command is aborted after it changed files, the last one has them as `details.changed`; across a worker
   * it arrives after the rejection.
   */
  readonly onUpdate?: ((update: ToolUpdate) => void) | undefined
  /** The host's ID of the call; returned as `details.callId`. */
  readonly callId?: string | undefined
  /** The host's name of the turn that this call belongs to. It is part of every change that the call makes. */
  readonly turn?: string | undefined
}

/**
 * What a session has seen and kept, as plain data for JSON. The host stores it unchanged and passes it to `workspace.toolset(name, { state
 * })` later; its contents are private to the package. It contains texts of files, newest first, up to `limits.stateMaxBytes`, and is
 * refused if anything in it was changed.
 */
export interface SessionState {
  readonly version: 1
  readonly seen: readonly (readonly [path: string, hash: string])[]
  readonly tags: readonly (readonly [
    path: string,
    tags: readonly (readonly [tag: string, hashes: readonly (string | null)[]])[],
  ])[]
  /** Texts that tags refer to. */
  readonly texts?: unknown
  /** The display names under which files were shown. */
  readonly displays?: unknown
  /** Which rows of the texts were shown. */
  readonly rows?: unknown
  /** The numbers of conflicts. */
  readonly conflicts?: unknown
  /** The outputs and their storage. */
  readonly outputs?: unknown
  /** The name of its toolset. Missing in states of earlier releases. */
  readonly toolset?: string
  /** Data of single toolsets, by the toolset's name. */
  readonly own?: Readonly<Record<string, unknown>>
  /** SHA-256 of the rest. Missing in states of releases that stored only identities. */
  readonly check?: string
}

/**
 * The tools of one conversation. Each toolset has a session: what one conversation has read does not authorise edits in another.
 *
 * `call` does not throw for errors that the model can correct; it returns `isError: true`. It rejects with the signal's reason on abort.
 */
export interface Toolset {
  readonly tools: readonly ToolDefinition[]
  /**
   * Runs one tool. An error that the model can correct is returned as `isError: true` with a stable code in `details.error.code` and the
   * next step in the text. Rejects only on abort, with `signal.reason`, and on bugs.
   */
  call(name: string, args: unknown, context?: CallContext): Promise<ToolResult>
  /**
   * The changes that `call` would make now, with diffs as text and as data. It writes nothing, asks for no approval, and nothing counts as
   * seen. A later `call` is checked again, because files may have changed. Rejects as `call` does.
   */
  preview(name: string, args: unknown, context?: Pick<CallContext, 'signal'>): Promise<ToolPreview>
  /**
   * What the session has seen and kept so far, so that the conversation can continue after a reload as if nothing had happened. From then
   * on its outputs outlive it, in the browser's database or a directory.
   */
  state(): Promise<SessionState>
  /**
   * Ends the session. Calls in progress end as aborted. May be called twice. With `forget` it rejects if outputs that a state refers to
   * cannot be reached, for example because another session has them open.
   */
  close(options?: CloseOptions): Promise<void>
}

/** Options of `Toolset.close`. */
export interface CloseOptions {
  /** Also removes the stored outputs that states of this session refer to. Default false. */
  readonly forget?: boolean | undefined
}
