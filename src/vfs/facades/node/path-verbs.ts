// The functions that take a path, written once as steps. Arguments are checked when a function is called, and not when its steps run: the
// callback form throws for a wrong argument, as in Node.

import { type AttributeVerbs, attributeVerbs } from './attribute-verbs.ts'
import { type ContentVerbs, contentVerbs } from './content-verbs.ts'
import { type CopyVerbs, copyVerbs } from './copy.ts'
import { type DirectoryVerbs, directoryVerbs } from './directory-verbs.ts'
import { type NameVerbs, nameVerbs } from './name-verbs.ts'
import type { NodeSystem } from './system.ts'
import { VerbContext } from './verb-context.ts'

/** Each checks its arguments at once; its steps then reject or throw with Node's errors. */
export interface PathVerbs extends AttributeVerbs, ContentVerbs, CopyVerbs, DirectoryVerbs, NameVerbs {}

export function pathVerbs(system: NodeSystem, face: ConstructorParameters<typeof VerbContext>[1]): PathVerbs {
  const context = new VerbContext(system, face)
  const parts = { ...attributeVerbs(context), ...contentVerbs(context), ...directoryVerbs(context), ...nameVerbs(context) }
  return { ...parts, ...copyVerbs(context, parts) }
}
