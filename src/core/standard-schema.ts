// A JSON Schema in the form that AI SDK, MCP servers and others take without a schema library (https://standardschema.dev).

import type { JsonSchema } from './tool.ts'

/** Implements StandardSchemaV1 and StandardJSONSchemaV1. */
export interface StandardToolSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'anchorage'
    /** Typed as what fits every tool's input: SDKs infer from it what `execute` takes. */
    readonly validate: (value: unknown) => { readonly value: never }
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>
      readonly output: (options: { readonly target: string }) => Record<string, unknown>
    }
  }
}

/**
 * Every value passes: the toolset itself reads the arguments, repairs the slips that models make and words what is wrong. A validator
 * before it would hide both.
 */
export function standardSchema(schema: JsonSchema): StandardToolSchema {
  // SDKs write into what they are given.
  const copy = (): Record<string, unknown> => structuredClone(schema)
  return {
    '~standard': {
      version: 1,
      vendor: 'anchorage',
      validate: value => ({ value: value as never }),
      jsonSchema: { input: copy, output: copy },
    },
  }
}
