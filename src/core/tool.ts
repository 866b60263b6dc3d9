// The shapes that cross every boundary: what a host lists, what it calls, what comes back.

import type { BusyTime } from './busy-time.ts'
import type { Details } from './errors.ts'

/** A JSON Schema (2020-12) of a tool's input, as plain data: always of an object. */
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

/** One call with what comes of it: shown in the generated reference, and run as a test. */
export interface ToolExample {
  /** What it is for, as the beginning of a sentence. */
  readonly title: string
  /** What the workspace holds before, by path from its root. */
  readonly files: Readonly<Record<string, string>>
  /** Calls of the same session that come first: an edit needs what a read tells. */
  readonly after?: readonly { readonly tool: string; readonly arguments: Readonly<Record<string, unknown>> }[]
  readonly arguments: Readonly<Record<string, unknown>>
  readonly expect: {
    /** The text of the result holds it. */
    readonly text: string
    /** It is an error with this code; without, it succeeds. */
    readonly error?: string
    /** What these files hold afterwards. */
    readonly files?: Readonly<Record<string, string>>
  }
}

/** What a host shows a model. Plain data: it can be cloned, logged and sent. */
export interface ToolDefinition {
  /** `^[a-z][a-z0-9_]{0,63}$` */
  readonly name: string
  readonly description: string
  readonly inputSchema: JsonSchema
  readonly annotations: ToolAnnotations
  /** Whether calls of this tool may run beside each other. Hosts may run them concurrently either way: the session keeps order. */
  readonly executionMode: 'parallel' | 'sequential'
  /** How long one call may keep its thread to itself. `busyTimeMs` computes the bound of a call. */
  readonly busy: BusyTime
  /** For people and references; no model needs to be sent them. */
  readonly examples?: readonly ToolExample[]
}

/** One block of a result as the model sees it: text, or an image in base64. */
export type ContentBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'image'; /** base64 */ readonly data: string; readonly mimeType: string }

/** The answer to a call. `content` is for the model, `details` for the host. */
export interface ToolResult {
  readonly isError: boolean
  /** What the model sees. */
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: Record<string, unknown>
  /** For the host's UI only: diff, meta, timings, exitCode, files; `by` says whose call it was (see `Attribution`). */
  readonly details: Details
}

/** A partial result, replaced by the next one. Sent while a long call runs. */
export type ToolUpdate = Pick<ToolResult, 'content' | 'details'>

/** What a host may pass with a call: an abort signal, a listener for progress and an ID. */
export interface CallContext {
  /** Aborting it rejects the call with `signal.reason`; nothing half-written is left. */
  readonly signal?: AbortSignal | undefined
  readonly onUpdate?: ((update: ToolUpdate) => void) | undefined
  /** The host's own id of the call; comes back as `details.callId`. */
  readonly callId?: string | undefined
  /** What the host calls the turn that this call belongs to. It goes with every change that the call makes. */
  readonly turn?: string | undefined
}

/**
 * What a session has seen and kept, as plain data that JSON holds. For the host to keep as it is and to pass to
 * `workspace.toolset(name, { state })` later; what is in it is the package's own business. It holds texts of files, the newest first, up to
 * `limits.stateMaxBytes`, and is refused when anything in it was changed.
 */
export interface SessionState {
  readonly version: 1
  readonly seen: readonly (readonly [path: string, hash: string])[]
  readonly tags: readonly (readonly [
    path: string,
    tags: readonly (readonly [tag: string, hashes: readonly (string | null)[]])[],
  ])[]
  /** Texts that tags stand for. */
  readonly texts?: unknown
  /** Under which names files were shown. */
  readonly displays?: unknown
  /** Which rows of them were shown. */
  readonly rows?: unknown
  /** Which conflict has which number. */
  readonly conflicts?: unknown
  /** What outputs there are, and where. */
  readonly outputs?: unknown
  /** The toolset that it is of. Missing in states of earlier releases. */
  readonly toolset?: string
  /** What a toolset remembers beside, by the toolset's name. */
  readonly own?: Readonly<Record<string, unknown>>
  /** SHA-256 of all the rest. Missing in states of releases that kept identities only. */
  readonly check?: string
}

/**
 * The tools of one conversation. Each toolset has a session: what one conversation has read authorises no edit of another.
 *
 * `call` does not throw for what the model can correct; it returns `isError: true`. It rejects with the signal's reason on abort.
 */
export interface Toolset {
  readonly tools: readonly ToolDefinition[]
  /**
   * Runs one tool. What the model can mend comes back as `isError: true` with a stable code in `details.error.code` and the next step
   * in the text. Rejects only on abort, with `signal.reason`, and on bugs.
   */
  call(name: string, args: unknown, context?: CallContext): Promise<ToolResult>
  /**
   * What the session has seen and kept so far, so that the conversation can go on after a reload as if nothing had happened. From then on its
   * outputs outlive it, in the browser's database or a directory.
   */
  state(): Promise<SessionState>
  /**
   * Ends the session. Calls under way end as aborted. Calling it twice is fine. With `forget` it rejects where outputs that a state names
   * cannot be reached, for example because another session has them open.
   */
  close(options?: CloseOptions): Promise<void>
}

/** Options of `Toolset.close`. */
export interface CloseOptions {
  /** Removes also what states of this session name: outputs that were kept. Default false. */
  readonly forget?: boolean | undefined
}
