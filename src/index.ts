// The public names, listed by hand. Filesystems, shells, toolsets and the worker have entry points of their own.

export { createWorkspace } from './workspace/create-workspace.ts'
export type { ActorView, OpenShellOptions, Workspace, WorkspaceOptions, WorkspaceShells } from './workspace/workspace.ts'
export { toolsets, type ToolsetName, type ToolsetOptions } from './workspace/toolsets.ts'
export type { ToolsetManifest } from './session/toolset-manifest.ts'
export type { EditOptions } from './toolsets/atomic/edit/settings.ts'
export type {
  BashInterceptorOptions,
  InterceptorAnswer,
  InterceptorForm,
  InterceptorRequest,
  InterceptorRule,
} from './toolsets/atomic/bash/interceptor-options.ts'
export type { CommandChanges } from './session/shell-changes.ts'
export type { ApprovalAnswer, ApprovalChange, ApprovalEffect, ApprovalRequest, Approve } from './session/policy/approve.ts'
export type { PermissionLevel, Policy } from './session/policy/policy.ts'
export type { PolicyRule } from './session/policy/rule.ts'
export type { CommonToolsetOptions } from './session/toolset.ts'
export { hashlineExamples, hashlineGrammar, hashlinePrompt } from './text/hashline/grammar.ts'
export type { HashlineExample } from './text/hashline/rules.ts'
export { previewScript, type PreviewedFile, type PreviewOptions } from './text/hashline/preview.ts'
export type { BlockResolver, BlockSpan } from './text/hashline/blocks.ts'
export type { DocumentDiff } from './text/diff.ts'
export type { DiffHunk, FileHunks, PlannedChange, ToolPreview } from './core/tool-preview.ts'
export type { GitCredentials, GitFetch, GitHostOptions } from './git/network/options.ts'
export type { Actor, Attribution } from './core/actor.ts'
export { describeToolset, type ParameterReference, type ToolReference, type ToolsetReference } from './core/describe-toolset.ts'
export type {
  CommitOptions,
  HistoryCaps,
  HistoryCommit,
  HistoryEntry,
  HistoryFunctions,
  HistoryList,
  HistoryOptions,
  HistorySelection,
  HistoryTurn,
  PlainHistory,
  TransferConflict,
  TransferReport,
  TurnOptions,
  UndoOptions,
  UndoResult,
  WorkspaceHistory,
} from './history/history.ts'
export type {
  Buffer,
  BufferCloseOptions,
  BufferConflict,
  BufferEdit,
  BufferOpenOptions,
  BufferRules,
  BufferSaveOptions,
  BufferState,
  UnsavedText,
  WorkspaceBuffers,
} from './buffers/buffer.ts'
export type { BufferLink, BufferMessage, BufferOutcome, OpenedBuffer, OrderedState } from './buffers/link.ts'
export type { ForkChange, ForkPlan } from './history/files-fork.ts'
export type { ForkDiff, ForkOptions, ForkVerdict, MergeOptions, MergeResult, WorkspaceFork } from './workspace/fork.ts'
export type { TextChange, TextEdit, TextReplacement } from './text/text-change.ts'
export { documentOf } from './core/document-of.ts'
export type { LineEnding, TextDocument } from './core/text.ts'
export type {
  CallContext,
  CloseOptions,
  ContentBlock,
  JsonSchema,
  SessionState,
  ToolAnnotations,
  ToolDefinition,
  ToolExample,
  ToolResult,
  ToolUpdate,
  Toolset,
} from './core/tool.ts'
export type { KeptPlace, OpenOutputStorage, OutputStorage } from './core/output-storage.ts'
export { detailsOf } from './core/details-of.ts'
export { textOf } from './core/text-of.ts'
export type {
  CommandDetails,
  CommonDetails,
  EditDetails,
  FindDetails,
  ReadDetails,
  SearchDetails,
  ToolDetails,
  WriteDetails,
} from './core/tool-details.ts'
export type { FetchedResponse, HostFetch, ResourceRouter, UrlRules } from './resources/host.ts'
export type { Details } from './core/errors.ts'
export { busyTimeMs, type BusyTime } from './core/busy-time.ts'
export { AnchorageError } from './core/errors.ts'
export { defaultLimits, type Limits } from './core/limits.ts'
export { VfsError, type VfsErrorCode } from './vfs/error.ts'
export { createVfs } from './vfs/create-vfs.ts'
export type { BatchFs, TextAtRev, Vfs, VfsBatchOptions, VfsSnapshot, WalkEntry, WalkOptions } from './vfs/vfs.ts'
export type {
  BackendRecipe,
  Change,
  ChangeBatch,
  Difference,
  Dirent,
  EntryKind,
  FullBackend,
  ReadRange,
  Snapshot,
  Stat,
  Unsubscribe,
  Usage,
  VfsBackend,
  VfsCaps,
  VfsSync,
  VfsTransaction,
  WatchOptions,
  WriteOptions,
} from './vfs/backend.ts'
export type {
  SessionCommandEnd,
  SessionRunOptions,
  ShellCompletion,
  ShellSession,
  ShellSessionOptions,
  TerminalSize,
} from './shell/session.ts'
export type { ShellFactory } from './shell/factory.ts'
export type { ParsedCommand, ParsedRedirection, ParsedScript, ParsedWord } from './shell/parsed-script.ts'
export type {
  ExitStatus,
  OutputChunk,
  Shell,
  ShellCapabilities,
  ShellCommand,
  ShellProcess,
  StartOptions,
} from './shell/shell.ts'
