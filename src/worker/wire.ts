// The data that is sent between page and worker, as types; `protocol.ts` lists the functions. A live object (a session, a batch, a walk, a
// watch) is a number here. Increase `wireVersion` with every change of a type.

import type { Actor } from '../core/actor.ts'
import type { Limits } from '../core/limits.ts'
import type { ToolDefinition } from '../core/tool.ts'
import type { WebContainerShellOptions } from '../backends/webcontainer/shell.ts'
import type { GitWireOptions } from '../git/network/options.ts'
import type { BackendRecipe } from '../vfs/backend.ts'
import type { WalkEntry } from '../vfs/vfs.ts'
import type { BufferRules } from '../buffers/buffer.ts'
import type { OpenedBuffer } from '../buffers/link.ts'
import type { HistoryOptions } from '../history/history.ts'
import type { ResourceRouter, UrlRules } from '../resources/host.ts'
import type { Policy } from '../session/policy/policy.ts'

/** Compared at `connect`: a page and a worker from different releases must not misunderstand each other. */
export const wireVersion = 8

/** The filesystem of a workspace on the wire: a recipe, or a recipe for each mount point. */
export type WireFileSystem =
  | { readonly kind: 'one'; readonly recipe: BackendRecipe }
  /** Absolute path and recipe of each mount, in the order they were given. */
  | { readonly kind: 'mounts'; readonly mounts: readonly (readonly [path: string, recipe: BackendRecipe])[] }

/** The part of `WorkspaceOptions` that is plain data. */
export interface WireWorkspaceOptions {
  /** Missing if the worker's own module chooses its filesystem (`serveWorkspace`). */
  readonly fs?: WireFileSystem
  readonly root?: string
  readonly shell?: 'just-bash' | 'none'
  /** Used instead of `shell`. */
  readonly containerShell?: WireContainerShell
  /** Ports to the containers that recipes name by number. */
  readonly containers?: readonly unknown[]
  readonly limits?: Partial<Limits>
  readonly outputs?: 'auto' | 'memory'
  readonly history?: boolean | HistoryOptions
  readonly buffers?: BufferRules
  readonly policy?: WirePolicy
  readonly git?: GitWireOptions
  /** The page listens for approval requests and answers them. */
  readonly asks?: boolean
  /** The questions that the page answers. */
  readonly answers?: readonly PageMethod[]
  /** The page starts the workers of scripts. */
  readonly startsWorkers?: boolean
  readonly urls?: UrlRules
}

export type RouterMethod = keyof ResourceRouter

/** The functions of the host that a worker may call. */
export type PageMethod = RouterMethod | 'fetch' | 'gitCredentials' | 'gitFetch'

/** A policy without its function. `asks` says whether the page can be asked. */
export type WirePolicy = Omit<Policy, 'approve'>

/** On the wire `container` is a number, elsewhere an object that provides ports. */
export interface WireContainerShell {
  readonly container: unknown
  readonly options: WebContainerShellOptions
}

export interface WireConnected {
  readonly version: number
  readonly root: string
  /** Every mounted filesystem outlives the worker. */
  readonly filesPersist: boolean
}

export interface WireToolset {
  readonly toolsetId: number
  readonly tools: readonly ToolDefinition[]
}

export interface WireBuffer extends OpenedBuffer {
  readonly bufferId: number
}

export interface WireSnapshot {
  readonly snapshotId: number
  readonly seq: number
}

export interface WireWalkChunk {
  readonly entries: readonly WalkEntry[]
  readonly isDone: boolean
}

/** Which view of the files a call is for, if not the workspace's. */
export type WireFiles = { readonly batch: number } | { readonly snapshot: number } | { readonly actor: Actor }

export interface WireWalkOptions {
  readonly maxDepth?: number | undefined
  readonly maxEntries?: number | undefined
  readonly prune?: readonly string[] | undefined
}

export interface WireWatchOptions {
  readonly recursive?: boolean | undefined
  readonly sinceSeq?: number | undefined
}

/** A thrown value as plain data. */
export type WireThrown =
  | {
      readonly kind: 'error'
      readonly family: 'vfs' | 'tool' | 'anchorage' | 'dom' | 'native'
      readonly name: string
      readonly message: string
      readonly stack?: string
      readonly code?: string | number
      readonly details?: Readonly<Record<string, unknown>>
      readonly syscall?: string
      readonly path?: string
      readonly dest?: string
      readonly nextStep?: string
      readonly cause?: WireThrown
    }
  | { readonly kind: 'value'; readonly value: unknown }
  /** It could not be cloned; this is its text form. */
  | { readonly kind: 'text'; readonly text: string }

/** An AbortSignal: either aborted already, or a port that sends the reason once. */
export type WireSignal =
  | { readonly kind: 'aborted'; readonly reason: WireThrown }
  | { readonly kind: 'live'; readonly port: MessagePort }

export type WireCallbackMessage = { readonly kind: 'value'; readonly value: unknown } | { readonly kind: 'end' }
