// The JSON of a custom tool: `{ name, description, execute, input_schema?, timeout? }`. Pure: finding the files is load.ts.

import { isRecord } from '../../../core/record.ts'
import { uncheckedKeywords } from './validate.ts'

export interface CustomDefinition {
  readonly name: string
  readonly description: string
  /** Path of the script, relative to the JSON file, or absolute. */
  readonly execute: string
  readonly inputSchema: Readonly<Record<string, unknown>>
  readonly timeoutMs: number | undefined
}

export type ReadDefinition =
  | { readonly kind: 'tool'; readonly definition: CustomDefinition; readonly warnings: readonly string[] }
  | { readonly kind: 'invalid'; readonly reason: string }

const namePattern = /^[a-z][a-z0-9_]{0,63}$/
const maxDescriptionCharacters = 4000

export function readDefinition(json: string): ReadDefinition {
  let value: unknown
  try {
    value = JSON.parse(json)
  } catch (error) {
    return invalid(`it is not JSON: ${error instanceof Error ? error.message : String(error)}`)
  }
  if (!isRecord(value)) return invalid('it is not a JSON object')
  const { name, description, execute, input_schema: schema = { type: 'object', properties: {} }, timeout } = value
  if (typeof name !== 'string' || !namePattern.test(name)) return invalid(`"name" must match ${namePattern.source}`)
  if (typeof description !== 'string' || description.trim() === '') return invalid('"description" must be a string')
  if (description.length > maxDescriptionCharacters)
    return invalid(`"description" is longer than ${maxDescriptionCharacters} characters`)
  if (typeof execute !== 'string' || execute === '' || execute.includes('\0'))
    return invalid('"execute" must be the path of a script')
  if (!isRecord(schema) || schema['type'] !== 'object') return invalid('"input_schema" must be a JSON Schema of type object')
  if (timeout !== undefined && (typeof timeout !== 'number' || !(timeout >= 1)))
    return invalid('"timeout" must be a number of milliseconds, at least 1')
  const unchecked = uncheckedKeywords(schema)
  const warnings =
    unchecked.length === 0 ? [] : [`${unchecked.join(', ')} in its input_schema is shown to the model and not checked`]
  return { kind: 'tool', definition: { name, description, execute, inputSchema: schema, timeoutMs: timeout }, warnings }
}

function invalid(reason: string): ReadDefinition {
  return { kind: 'invalid', reason }
}
