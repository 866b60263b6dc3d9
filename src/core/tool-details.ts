// The details of results by tool, for hosts that show diffs, exit codes and lists. Every field is optional: tools of the same
// name have different fields in different toolsets, and a failed call has only those that were set before the failure.

import type { Attribution } from './actor.ts'
import type { FileHunks } from './tool-preview.ts'

/** Details of every result. */
export interface CommonDetails {
  /** The time of the call, in milliseconds. */
  readonly durationMs?: number
  /** The actor of the call. */
  readonly by?: Attribution
  readonly callId?: string
  /** Corrections of arguments that did not match the schema, as sentences. */
  readonly argumentWarnings?: readonly string[]
  /** For a failed call: a stable code, with additional fields. */
  readonly error?: { readonly code: string; readonly [field: string]: unknown }
  /** The revisions of the files that the call wrote, by path from the root. */
  readonly revisions?: Readonly<Record<string, number>>
  /** The number of files in `revisions` before the list was shortened. */
  readonly revisionCount?: number
}

/** Details of tools that change text. */
export interface EditDetails extends CommonDetails {
  /** The file as the result shows it: `ah` and `agsh`. */
  readonly path?: string
  /** The file's absolute path: `ecs` and `rye`. */
  readonly resolvedPath?: string
  /** The changed files as the result shows them: `atomic`. */
  readonly files?: readonly string[]
  /** Numbered rows of all changes: `atomic`. */
  readonly diff?: string
  /** A unified patch of all changes: `atomic`, `ecs` and `rye`. */
  readonly patch?: string
  /** The changes as data, by file. */
  readonly hunks?: readonly FileHunks[]
  /** 1-based, of the first file: `atomic`. */
  readonly firstChangedLine?: number
  /** The kind of the edited resource, such as `file` or `conflict`, and its absolute path: `atomic`. */
  readonly meta?: { readonly source?: string; readonly sourcePath?: string }
  /** Lines of the replaced and of the new text: `ah`. */
  readonly old_lines?: number
  readonly new_lines?: number
  /** Replaced places, and further matches that were left: `agsh`. */
  readonly replaced?: number
  readonly otherMatches?: number
  /** The number of edits in the call: `ecs`. */
  readonly editCount?: number
}

/** Details of tools that write whole files. */
export interface WriteDetails extends Pick<
  EditDetails,
  'path' | 'resolvedPath' | 'diff' | 'patch' | 'hunks' | 'firstChangedLine' | keyof CommonDetails
> {
  /** Whether the file is new. */
  readonly created?: boolean
  readonly sizeBytes?: number
  /** The size in bytes and the number of lines: `ah`. */
  readonly bytes?: number
  readonly line_count?: number
}

/** Details of tools that read. */
export interface ReadDetails extends CommonDetails {
  readonly path?: string
  /** The absolute path of the file or directory. */
  readonly resolvedPath?: string
  readonly isDirectory?: boolean
  /** The kind of the resource that was read, such as `file` or `directory`, and its absolute path: `atomic`. */
  readonly meta?: { readonly source?: string; readonly sourcePath?: string }
  /** The number of lines in the file. */
  readonly lineCount?: number
  readonly line_count?: number
  readonly totalLines?: number
  /** The number of lines in the result. */
  readonly shownLines?: number
}

/** Details of commands. */
export interface CommandDetails extends CommonDetails {
  readonly exitCode?: number
  /** The exit code: `ah`. */
  readonly exit_code?: number
  /** The command: `ah`. */
  readonly command?: string
  readonly timeoutSeconds?: number
  /** The run time of the command, in milliseconds. */
  readonly wallTimeMs?: number
  /** The files that the command changed, absent if there are none. */
  readonly changed?: {
    readonly created: readonly string[]
    readonly modified: readonly string[]
    readonly deleted: readonly string[]
    /** The number of changed files, which may be more than are listed. */
    readonly total: number
  }
}

/** Details of searches in file contents. */
export interface SearchDetails extends CommonDetails {
  readonly scopePath?: string
  readonly cwd?: string
  readonly matchCount?: number
  readonly fileCount?: number
  /** The files with matches. */
  readonly files?: readonly string[]
  /** The number of matches by file. */
  readonly fileMatches?: Readonly<Record<string, number>>
  readonly meta?: { readonly source?: string; readonly sourcePath?: string }
}

/** Details of searches for names, and of listings. */
export interface FindDetails extends CommonDetails {
  readonly scopePath?: string
  readonly fileCount?: number
  readonly files?: readonly string[]
  /** The requested paths. */
  readonly paths?: readonly string[]
  readonly truncated?: boolean
  /** The number of entries in a listing. */
  readonly entryCount?: number
}

/** The details of results by tool, under the original names of the tools. See `detailsOf`. */
export interface ToolDetails {
  readonly read: ReadDetails
  readonly read_file: ReadDetails
  readonly write: WriteDetails
  readonly write_file: WriteDetails
  readonly edit: EditDetails
  readonly edit_file: EditDetails
  readonly edit_lines: EditDetails
  readonly bash: CommandDetails
  readonly search: SearchDetails
  readonly grep: SearchDetails
  readonly find: FindDetails
  readonly glob: FindDetails
  readonly ls: FindDetails
}
