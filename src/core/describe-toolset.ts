// Describes a toolset for a reference page. Only its definitions are used, so that the documentation matches what a model receives.

import { checkArguments } from './argument.ts'
import { checkMember } from './errors.ts'
import type { ToolDefinition, ToolExample } from './tool.ts'

/** One argument of a tool, for a reference page. */
export interface ParameterReference {
  readonly name: string
  /** The type in the JSON Schema, such as `string` or `string[]`; `any` if it has none. */
  readonly type: string
  readonly isRequired: boolean
  readonly description: string
}

/** One tool, for a reference page. */
export interface ToolReference {
  readonly name: string
  /** The text for the model; its lines and indentation are significant. */
  readonly description: string
  readonly parameters: readonly ParameterReference[]
  /** Indented JSON. */
  readonly schemaText: string
  readonly isReadOnly: boolean
  /** The characters of name, description and schema as JSON, divided by four. Real tokenizers differ by about ten percent. */
  readonly approximateTokens: number
  readonly examples: readonly ToolExample[]
}

/** A toolset, for a reference page. Four characters count as one token. */
export interface ToolsetReference {
  readonly tools: readonly ToolReference[]
  readonly approximateTokens: number
}

const charactersPerToken = 4

/**
 * Describes tools for a reference page: their arguments, texts, examples and approximate size in tokens.
 *
 * @example
 * import { createWorkspace, describeToolset } from 'anchorage'
 * import { memory } from 'anchorage/fs/memory'
 *
 * const workspace = await createWorkspace({ fs: memory({}) })
 * const { tools } = await workspace.toolset('ecs')
 * console.log(describeToolset(tools).approximateTokens)
 */
export function describeToolset(tools: readonly ToolDefinition[]): ToolsetReference {
  checkArguments('describeToolset', [tools], ['list'])
  for (const tool of tools) checkMember('describeToolset', tool, 'inputSchema', 'the tools of a toolset')
  const described = tools.map(tool => describeTool(tool))
  return { tools: described, approximateTokens: described.reduce((sum, tool) => sum + tool.approximateTokens, 0) }
}

function describeTool({ name, description, inputSchema, annotations, examples = [] }: ToolDefinition): ToolReference {
  const sent = JSON.stringify({ name, description, input_schema: inputSchema })
  return {
    name,
    description,
    parameters: parametersOf(inputSchema),
    schemaText: JSON.stringify(inputSchema, undefined, 2),
    isReadOnly: annotations.readOnlyHint,
    approximateTokens: Math.ceil(sent.length / charactersPerToken),
    examples,
  }
}

function parametersOf({ properties, required }: ToolDefinition['inputSchema']): readonly ParameterReference[] {
  const needed: readonly unknown[] = Array.isArray(required) ? required : []
  return Object.entries(asRecord(properties)).map(([name, schema]) => {
    const description = asRecord(schema)['description']
    return {
      name,
      type: typeOf(schema),
      isRequired: needed.includes(name),
      description: typeof description === 'string' ? description : '',
    }
  })
}

function typeOf(schema: unknown): string {
  const { type, items, anyOf, enum: values } = asRecord(schema)
  if (Array.isArray(values)) return values.map(value => JSON.stringify(value)).join(' | ')
  if (Array.isArray(anyOf)) return [...new Set(anyOf.map(each => typeOf(each)))].join(' | ')
  if (type === 'array') return `${typeOf(items)}[]`
  if (Array.isArray(type)) return type.join(' | ')
  return typeof type === 'string' ? type : 'any'
}

function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? { ...value } : {}
}
