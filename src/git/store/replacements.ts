// Objects that stand in for others: `refs/replace/<object>` names what is read in its place. They are made by `git replace`.

import { decodeText } from '../../shell/byte-text.ts'
import { fatal } from '../errors.ts'
import type { GitFiles } from '../files.ts'
import { isObjectId, type ObjectId } from './object-format.ts'
import type { RefStore } from './refs.ts'

type Environment = Readonly<Record<string, string | undefined>>

const maxDepth = 5

/** Where the references lie, with a slash at the end. */
export function replacementsPlace(env: Environment): string {
  const given = env['GIT_REPLACE_REF_BASE']
  return given === undefined || given === '' ? 'refs/replace/' : `${given.replace(/\/+$/, '')}/`
}

export function graftsFile(commonDir: string, env: Environment): string {
  return env['GIT_GRAFT_FILE'] ?? `${commonDir}/info/grafts`
}

/** By the id of the replaced object; empty in almost every repository. */
export async function readReplacements(refs: RefStore, env: Environment): Promise<ReadonlyMap<ObjectId, ObjectId>> {
  const place = replacementsPlace(env)
  const direct = new Map<ObjectId, ObjectId>()
  for (const { name, oid } of await refs.list(place)) {
    const object = name.slice(place.length)
    if (isObjectId(object)) direct.set(object, oid)
  }
  return new Map([...direct.keys()].map(object => [object, lastOf(direct, object)]))
}

/** A replacement may be replaced itself. */
function lastOf(direct: ReadonlyMap<ObjectId, ObjectId>, object: ObjectId): ObjectId {
  let at = object
  for (let depth = 0; depth < maxDepth; depth++) {
    const next = direct.get(at)
    if (next === undefined) return at
    at = next
  }
  throw fatal(`replace depth too high for object ${object}`)
}

/** The old way to give commits other parents. To ignore the file would show another history than git does. */
export async function refuseGrafts(files: GitFiles, path: string): Promise<void> {
  const bytes = await files.read(path)
  if (bytes === undefined) return
  const isUsed = decodeText(bytes)
    .split('\n')
    .some(line => line.trim() !== '' && !line.startsWith('#'))
  if (isUsed) throw fatal(`the file ${path} is not built into this git; run 'git replace --convert-graft-file'`)
}
