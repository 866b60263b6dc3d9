// Tool arguments: declared once in valibot, shown to models as JSON Schema, and read leniently. Models make known mistakes ("10" for 10, a
// JSON string for an array, `file_path` for `path`); these are corrected with a warning, never silently.

import { safeParse, type GenericSchema, type InferOutput } from 'valibot'

import { coerceArguments, type CombineArguments } from './coerce.ts'
import { jsonSchemaOf } from './json-schema.ts'
import type { JsonSchema } from './tool.ts'

export type ParsedArguments<T> =
  | { readonly kind: 'ok'; readonly value: T; readonly warnings: readonly string[] }
  | { readonly kind: 'invalid'; readonly issues: readonly string[] }

/** The input of a tool: its description for a model, and the function that reads a call. */
export interface ArgumentSchema<T> {
  readonly jsonSchema: JsonSchema
  parse(input: unknown): ParsedArguments<T>
}

export interface ArgumentSchemaOptions {
  /** Maps names that models are known to use to the real names of the arguments. */
  readonly aliases?: Readonly<Record<string, string>>
  /** Arguments that are not offered, and are rejected as unknown. */
  readonly hidden?: readonly string[]
  readonly combine?: CombineArguments
}

/** Declares the input of a tool. `schema` is a valibot object schema, whose descriptions are copied to the JSON Schema. */
export function argumentSchema<S extends GenericSchema>(
  schema: S,
  options: ArgumentSchemaOptions = {},
): ArgumentSchema<InferOutput<S>> {
  const jsonSchema = jsonSchemaOf(schema)
  for (const name of options.hidden ?? []) delete (jsonSchema['properties'] as Record<string, unknown>)[name]
  return {
    jsonSchema: { ...jsonSchema, type: 'object', additionalProperties: false },
    parse(input) {
      const coerced = coerceArguments(input, jsonSchema, options.aliases ?? {}, options.combine)
      if (coerced.kind === 'invalid') return coerced
      const parsed = safeParse(schema, coerced.value)
      if (parsed.success) return { kind: 'ok', value: parsed.output, warnings: coerced.warnings }
      return { kind: 'invalid', issues: parsed.issues.map(issue => describeIssue(issue)) }
    },
  }
}

interface Issue {
  readonly message: string
  readonly expected: string | null
  readonly received: string
  readonly path?: readonly { readonly key: unknown }[] | undefined
}

export function describeIssue(issue: Issue): string {
  const where = issue.path?.map(item => String(item.key)).join('.') ?? ''
  if (where === '') return issue.message
  if (issue.received === 'undefined') return `${where} is required (${issue.expected ?? 'a value'})`
  return `${where}: ${issue.message}`
}
