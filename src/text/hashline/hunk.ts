// A parsed edit script. Line numbers are 1-based and refer to the text before the edit; `scriptLine` is the 1-based line of the whole
// script on which a hunk starts, for messages.

export type InsertPlace =
  | { readonly place: 'before' | 'after'; readonly line: number }
  | { readonly place: 'head' }
  | { readonly place: 'tail' }

/** An operation line, without its body. */
export type Operation =
  | { readonly kind: 'replace'; readonly start: number; readonly end: number }
  | { readonly kind: 'delete'; readonly start: number; readonly end: number }
  | { readonly kind: 'insert'; readonly at: InsertPlace }
  | { readonly kind: 'replace-block'; readonly line: number }
  | { readonly kind: 'delete-block'; readonly line: number }
  | { readonly kind: 'insert-after-block'; readonly line: number }

interface Located {
  readonly scriptLine: number
}

interface WithRows extends Located {
  /** Never empty. No row contains a line break. */
  readonly rows: readonly string[]
}

type BodiedKind = 'replace' | 'insert' | 'replace-block' | 'insert-after-block'

export type BodiedOperation = Extract<Operation, { readonly kind: BodiedKind }>
export type BodilessOperation = Exclude<Operation, BodiedOperation>

export type Hunk = (BodiedOperation & WithRows) | (BodilessOperation & Located)

export interface Section {
  /** The path in the script, without quotes and patch words. */
  readonly path: string
  readonly tag: string
  /** Never empty; in the order of the script. */
  readonly hunks: readonly Hunk[]
  /** Of the section's first header. */
  readonly scriptLine: number
  readonly warnings: readonly string[]
}

export interface HashlineScript {
  /** One for each path, in the order of their first headers. Never empty. */
  readonly sections: readonly Section[]
  readonly warnings: readonly string[]
}

export function takesBody(operation: Operation): operation is BodiedOperation {
  return operation.kind !== 'delete' && operation.kind !== 'delete-block'
}

/** The operation as it would be written in a script. */
export function formatOperation(operation: Operation): string {
  switch (operation.kind) {
    case 'replace':
      return `replace ${operation.start}..${operation.end}:`
    case 'delete':
      return `delete ${operation.start}..${operation.end}`
    case 'insert':
      return 'line' in operation.at ? `insert ${operation.at.place} ${operation.at.line}:` : `insert ${operation.at.place}:`
    case 'replace-block':
      return `replace block ${operation.line}:`
    case 'delete-block':
      return `delete block ${operation.line}`
    case 'insert-after-block':
      return `insert after block ${operation.line}:`
  }
}
