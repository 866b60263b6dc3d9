// A JSON Schema in the form that the AI SDK, MCP servers and others accept without a schema library (https://standardschema.dev).

import type { JsonSchema } from './tool.ts'

/** Implements StandardSchemaV1 and StandardJSONSchemaV1. */
export interface StandardToolSchema {
  readonly '~standard': {
    readonly version: 1
    readonly vendor: 'anchorage'
    /** Typed to fit every tool's input, because SDKs infer the arguments of `execute` from it. */
    readonly validate: (value: unknown) => { readonly value: never }
    readonly jsonSchema: {
      readonly input: (options: { readonly target: string }) => Record<string, unknown>
      readonly output: (options: { readonly target: string }) => Record<string, unknown>
    }
  }
}

/**
 * Every value is valid: the toolset itself reads the arguments, corrects known mistakes of models and describes errors. An
 * earlier validation would prevent both.
 */
export function standardSchema(schema: JsonSchema): StandardToolSchema {
  // SDKs modify the schema that they receive.
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
