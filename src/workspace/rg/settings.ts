// How lines are printed, derived from all options together.

import { type ColorSpecs, isPlain } from './colors.ts'
import type { RgOptions } from './options.ts'

export interface PrintSettings {
  readonly heading: boolean
  readonly lineNumber: boolean
  readonly column: boolean
  readonly byteOffset: boolean
  readonly onlyMatching: boolean
  /** Each match is printed on a separate line, which is shown completely. */
  readonly perMatch: boolean
  /** A result may be several lines. */
  readonly isMultiline: boolean
  readonly trim: boolean
  readonly maxColumns: number | undefined
  readonly maxColumnsPreview: boolean
  readonly colors: ColorSpecs | undefined
  readonly before: number
  readonly after: number
  readonly isPassthru: boolean
  readonly hasContext: boolean
  readonly contextSeparator: Uint8Array | undefined
  readonly fieldContextSeparator: Uint8Array
  readonly fieldMatchSeparator: Uint8Array
  readonly lineByte: number
  /** Added to a line without an ending. */
  readonly lineEnd: Uint8Array
  /** Follows a path instead of a separator or the end of a line. */
  readonly pathEnd: Uint8Array | undefined
  /** The positions of matches in the lines are needed. */
  readonly needsSpans: boolean
}

export function settingsOf(options: RgOptions): PrintSettings {
  const { context, nullData, crlf, vimgrep } = options
  const limited = context.kind === 'limited' ? context : { kind: 'limited' as const, before: 0, after: 0, both: 0 }
  const before = limited.before ?? limited.both ?? 0
  const after = limited.after ?? limited.both ?? 0
  const isPassthru = context.kind === 'passthru'
  const colors = options.color === 'always' || options.color === 'ansi' ? options.colors : undefined
  const column = options.column ?? vimgrep
  return {
    heading: options.heading === true && !vimgrep,
    lineNumber: options.lineNumber ?? (column || vimgrep),
    column,
    byteOffset: options.byteOffset,
    onlyMatching: options.onlyMatching,
    perMatch: vimgrep,
    isMultiline: options.multiline,
    trim: options.trim,
    maxColumns: options.maxColumns,
    maxColumnsPreview: options.maxColumnsPreview,
    colors,
    before: isPassthru ? Number.POSITIVE_INFINITY : before,
    after: isPassthru ? Number.POSITIVE_INFINITY : after,
    isPassthru,
    hasContext: !isPassthru && (before > 0 || after > 0),
    contextSeparator: options.contextSeparator,
    fieldContextSeparator: options.fieldContextSeparator,
    fieldMatchSeparator: options.fieldMatchSeparator,
    lineByte: nullData ? 0 : 10,
    lineEnd: nullData ? Uint8Array.of(0) : crlf ? Uint8Array.of(13, 10) : Uint8Array.of(10),
    pathEnd: options.passNull ? Uint8Array.of(0) : undefined,
    needsSpans:
      column ||
      options.replace !== undefined ||
      vimgrep ||
      options.onlyMatching ||
      options.stats ||
      (colors !== undefined && !isPlain(colors.match)),
  }
}
