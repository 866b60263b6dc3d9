// Arguments that the three file tools share.

import { description, optional, pipe, string, type GenericSchema, type OptionalSchema } from 'valibot'

import type { AgshState } from './state.ts'

export const pathArgument: GenericSchema<string> = pipe(string(), description('The file path'))

export const scratchpadArgument: OptionalSchema<GenericSchema<string>, undefined> = optional(
  pipe(string(), description('Save the output to the scratchpad under this name instead of showing it')),
)

/** The argument is not offered where it would have no effect. */
export function hiddenArguments({ scratchpad }: Pick<AgshState, 'scratchpad'>): readonly string[] {
  return scratchpad === undefined ? ['scratchpad'] : []
}

export const pathAliases: Readonly<Record<string, string>> = {
  file_path: 'path',
  filePath: 'path',
  file: 'path',
  filename: 'path',
}
