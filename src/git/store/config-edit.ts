// Changes one variable or section of a configuration file and leaves every other line as it is.

import { encodeText } from '../../shell/byte-text.ts'
import { type ConfigEntry, parseConfig, type ParsedConfig } from './config.ts'
import { pushAll } from '../../core/many.ts'

/** Splits `name` at its first and last dot; section and key in lower case. `undefined` if it is not a valid name. */
export function splitName(name: string): { readonly section: string; readonly key: string } | undefined {
  const first = name.indexOf('.')
  const last = name.lastIndexOf('.')
  if (first <= 0 || last === name.length - 1) return undefined
  const head = name.slice(0, first).toLowerCase()
  const key = name.slice(last + 1).toLowerCase()
  if (!/^[a-z0-9-]+$/.test(head) || !/^[a-z][a-z0-9-]*$/.test(key)) return undefined
  return { section: first === last ? head : `${head}.${name.slice(first + 1, last)}`, key }
}

/** The key as the user wrote it, for a new line. */
function writtenKey(name: string): string {
  return name.slice(name.lastIndexOf('.') + 1)
}

function writtenHeader(name: string): string {
  const first = name.indexOf('.')
  const last = name.lastIndexOf('.')
  if (first === last) return `[${name.slice(0, first)}]`
  return `[${name.slice(0, first)} "${name.slice(first + 1, last).replaceAll(/[\\"]/g, String.raw`\$&`)}"]`
}

function writtenValue(value: string): string {
  const escaped = value
    .replaceAll('\\', '\\\\')
    .replaceAll('"', String.raw`\"`)
    .replaceAll('\n', String.raw`\n`)
    .replaceAll('\t', String.raw`\t`)
    .replaceAll('\b', String.raw`\b`)
  return /^ | $|[#;]|\r/.test(value) ? `"${escaped}"` : escaped
}

function joined(lines: readonly string[]): Uint8Array {
  return encodeText(lines.map(line => `${line}\n`).join(''))
}

function parsed(bytes: Uint8Array | undefined, file: string): ParsedConfig {
  return parseConfig(bytes ?? new Uint8Array(), file, 'local')
}

export interface ConfigEdit {
  readonly name: string
  /** `undefined` removes the variable. */
  readonly value: string | undefined
  /** Which entries with this name to replace or remove. */
  readonly replaces: (entry: ConfigEntry) => boolean
}

/** The file after the edit. If no entry is replaced, the value is added to the end of its section, or to a new section. */
export function editConfig(bytes: Uint8Array | undefined, file: string, { name, value, replaces }: ConfigEdit): Uint8Array {
  const split = splitName(name)
  const { entries, sections, lines: before } = parsed(bytes, file)
  if (split === undefined) return joined(before)
  const lines: (string | undefined)[] = [...before]
  const canonical = `${split.section}.${split.key}`
  const mine = entries.filter(entry => entry.name === canonical)
  const replaced = mine.filter(replaces)
  const newLine = value === undefined ? undefined : `\t${writtenKey(name)} = ${writtenValue(value)}`
  if (replaced.length > 0) {
    replaced.forEach((entry, index) => {
      for (let line = entry.firstLine; line < entry.endLine; line++) lines[line] = undefined
      const header = entry.sharesLine ? /^.*?\]/.exec(before[entry.firstLine] ?? '')?.[0] : undefined
      const own = index === replaced.length - 1 ? newLine : undefined
      const kept = [header, own].filter(text => text !== undefined)
      if (kept.length > 0) lines[entry.firstLine] = kept.join('\n')
    })
    if (value === undefined) dropEmptySections(lines, before, sections, entries, replaced)
  } else if (newLine !== undefined) {
    const last = sections.findLastIndex(section => section.name === split.section)
    if (last === -1) lines.push(writtenHeader(name), newLine)
    else {
      const inSection = entries.filter(entry => sectionOf(entry, sections) === last)
      const behind = inSection.at(-1)?.endLine ?? (sections[last]?.line ?? 0) + 1
      lines.splice(behind, 0, newLine)
    }
  }
  return joined(lines.filter(line => line !== undefined))
}

function sectionOf(entry: ConfigEntry, sections: ParsedConfig['sections']): number {
  return sections.findLastIndex(section => section.line <= entry.firstLine)
}

/** Also removes a section that loses its last variable, unless it contains comments. */
function dropEmptySections(
  lines: (string | undefined)[],
  before: readonly string[],
  sections: ParsedConfig['sections'],
  entries: readonly ConfigEntry[],
  removed: readonly ConfigEntry[],
): void {
  for (const [index, section] of sections.entries()) {
    const inside = entries.filter(entry => sectionOf(entry, sections) === index)
    if (inside.length === 0 || inside.some(entry => !removed.includes(entry))) continue
    const end = sections[index + 1]?.line ?? before.length
    const others = lines.slice(section.line + 1, end).filter(line => line !== undefined && line.trim() !== '')
    const isBare =
      /^\s*\[[^\]]*\]\s*$/.test(before[section.line] ?? '') || removed.some(entry => entry.firstLine === section.line)
    const hasCommentAbove = /^\s*[#;]/.test(before[section.line - 1] ?? '')
    if (others.length === 0 && isBare && !hasCommentAbove) {
      for (let line = section.line; line < end; line++) lines[line] = undefined
    }
  }
}

/** The file without the section, or with another name for it; `undefined` if there is none. `to` is `section` or `section.subsection`. */
export function editSection(
  bytes: Uint8Array | undefined,
  file: string,
  name: string,
  to: string | undefined,
): Uint8Array | undefined {
  const { sections, lines } = parsed(bytes, file)
  const first = name.indexOf('.')
  const canonical = first === -1 ? name.toLowerCase() : `${name.slice(0, first).toLowerCase()}${name.slice(first)}`
  if (!sections.some(section => section.name === canonical)) return undefined
  const kept: string[] = []
  lines.forEach((line, index) => {
    const section = sections.findLast(candidate => candidate.line <= index)
    if (section?.name !== canonical) kept.push(line)
    else if (to !== undefined) kept.push(section.line === index ? writtenHeader(`${to}.x`) : line)
  })
  return joined(kept)
}

/** The file with a copy of each section of this name after it, under another name; `undefined` if there is none. */
export function copySection(bytes: Uint8Array | undefined, file: string, name: string, to: string): Uint8Array | undefined {
  const { sections, lines } = parsed(bytes, file)
  if (!sections.some(section => section.name === name)) return undefined
  const kept: string[] = []
  let copied: string[] = []
  lines.forEach((line, index) => {
    const section = sections.findLast(candidate => candidate.line <= index)
    if (section?.line === index) {
      pushAll(kept, copied)
      copied = section.name === name ? [writtenHeader(`${to}.x`)] : []
    } else if (section?.name === name) copied.push(line)
    kept.push(line)
  })
  return joined([...kept, ...copied])
}

/** The file with these variables set, each in place of its old value. */
export function withSettings(
  bytes: Uint8Array | undefined,
  path: string,
  settings: readonly (readonly [string, string])[],
): Uint8Array | undefined {
  let result = bytes
  for (const [name, value] of settings) result = editConfig(result, path, { name, value, replaces: () => true })
  return result
}
