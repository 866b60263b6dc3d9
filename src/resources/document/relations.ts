// How the parts of an Office document refer to each other (ECMA-376, part 2).

import type { PackageFile } from './package-file.ts'
import type { DocumentWork } from './work.ts'
import { elementsOf, readTree } from './xml.ts'

export interface Relation {
  /** The last word of its type: `hyperlink`, `slide`, `worksheet`. */
  readonly type: string
  /** The name of a part, or an external target as written. */
  readonly target: string
}

/** The references of the part `name`, by ID. */
export async function relationsOf(file: PackageFile, name: string, work: DocumentWork): Promise<ReadonlyMap<string, Relation>> {
  const slash = name.lastIndexOf('/')
  const bytes = await file.read(`${name.slice(0, slash + 1)}_rels/${name.slice(slash + 1)}.rels`)
  if (bytes === undefined) return new Map()
  const relations = elementsOf(await readTree(bytes, work), 'Relationship').map(({ attributes }) => {
    const { Id = '', Type = '', Target = '', TargetMode = '' } = attributes
    const target = TargetMode === 'External' ? Target : resolvePart(name.slice(0, slash + 1), Target)
    return [Id, { type: Type.slice(Type.lastIndexOf('/') + 1), target }] as const
  })
  return new Map(relations)
}

/** The name of a part from a reference, which may be relative to `folder`. */
export function resolvePart(folder: string, reference: string): string {
  const parts = reference.startsWith('/') ? [] : folder.split('/').filter(Boolean)
  for (const part of reference.split('/')) {
    if (part === '..') parts.pop()
    else if (part !== '' && part !== '.') parts.push(part)
  }
  return parts.join('/')
}

/** The part that is the start of the document; `otherwise` if the list of relations is missing. */
export async function mainPart(file: PackageFile, work: DocumentWork, otherwise: string): Promise<string> {
  for (const { type, target } of (await relationsOf(file, '', work)).values()) {
    if (type === 'officeDocument' && file.has(target)) return target
  }
  return otherwise
}
