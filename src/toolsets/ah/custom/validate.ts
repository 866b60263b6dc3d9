// Validates the arguments of a custom tool against the JSON Schema of its file, with the keywords that such files use. Unchecked keywords
// are reported when the tool is loaded.

import { words } from '../../../core/words.ts'
import { isRecord } from '../../../core/record.ts'

type Schema = Readonly<Record<string, unknown>>

const checkedKeywords: ReadonlySet<string> = new Set(
  words(`
  type enum const properties required additionalProperties items minimum maximum minLength maxLength
`),
)
const wordKeywords: ReadonlySet<string> = new Set(['description', 'title', 'default', 'examples', '$schema', '$id', '$comment'])
const maxDepth = 20
const maxIssues = 20

/** One sentence for each problem; empty if the arguments are valid. */
export function schemaIssues(schema: Schema, value: unknown): readonly string[] {
  const issues: string[] = []
  check(schema, value, '', issues, 0)
  return issues.slice(0, maxIssues)
}

/** Keywords in `schema` that restrict values and are not checked. */
export function uncheckedKeywords(schema: Schema): readonly string[] {
  const found = new Set<string>()
  collect(schema, found, 0)
  return [...found].sort()
}

function collect(schema: unknown, found: Set<string>, depth: number): void {
  if (!isRecord(schema) || depth > maxDepth) return
  for (const [keyword, value] of Object.entries(schema)) {
    if (!checkedKeywords.has(keyword) && !wordKeywords.has(keyword)) found.add(keyword)
    if (keyword === 'properties' && isRecord(value)) for (const each of Object.values(value)) collect(each, found, depth + 1)
    if (keyword === 'items' || keyword === 'additionalProperties') collect(value, found, depth + 1)
  }
}

function check(schema: Schema, value: unknown, path: string, issues: string[], depth: number): void {
  if (depth > maxDepth || issues.length >= maxIssues) return
  const where = path === '' ? 'the arguments' : path
  const types =
    typeof schema['type'] === 'string' ? [schema['type']] : Array.isArray(schema['type']) ? schema['type'].map(String) : []
  if (types.length > 0 && !types.some(type => isOfType(type, value))) {
    issues.push(`${where}: expected ${types.join(' or ')}, got ${typeOf(value)}`)
    return
  }
  if (Array.isArray(schema['enum']) && !schema['enum'].some(each => isSame(each, value)))
    issues.push(`${where} must be one of ${schema['enum'].map(each => JSON.stringify(each)).join(', ')}`)
  if ('const' in schema && !isSame(schema['const'], value)) issues.push(`${where} must be ${JSON.stringify(schema['const'])}`)
  if (typeof value === 'number') checkBounds(schema, 'minimum', 'maximum', value, where, issues)
  if (typeof value === 'string')
    checkBounds(schema, 'minLength', 'maxLength', Array.from(value).length, `the length of ${where}`, issues)
  if (Array.isArray(value) && isRecord(schema['items']))
    for (const [index, item] of value.entries()) check(schema['items'], item, `${path}[${index}]`, issues, depth + 1)
  if (isRecord(value)) checkProperties(schema, value, path, issues, depth)
}

function checkProperties(schema: Schema, value: Schema, path: string, issues: string[], depth: number): void {
  const properties = isRecord(schema['properties']) ? schema['properties'] : {}
  const below = (name: string): string => (path === '' ? name : `${path}.${name}`)
  for (const name of Array.isArray(schema['required']) ? schema['required'].map(String) : []) {
    if (!Object.hasOwn(value, name)) issues.push(`${below(name)} is required`)
  }
  for (const [name, each] of Object.entries(value)) {
    const own = Object.hasOwn(properties, name) ? properties[name] : schema['additionalProperties']
    if (own === false) issues.push(`${below(name)} is unknown`)
    else if (isRecord(own)) check(own, each, below(name), issues, depth + 1)
  }
}

function checkBounds(schema: Schema, least: string, most: string, size: number, where: string, issues: string[]): void {
  const [minimum, maximum] = [schema[least], schema[most]]
  if (typeof minimum === 'number' && size < minimum) issues.push(`${where} must be at least ${minimum}`)
  if (typeof maximum === 'number' && size > maximum) issues.push(`${where} must be at most ${maximum}`)
}

function isOfType(type: string, value: unknown): boolean {
  return type === typeOf(value) || (type === 'integer' && Number.isInteger(value))
}

function typeOf(value: unknown): string {
  return value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other)
}
