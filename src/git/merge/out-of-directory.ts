// A merged file at whose name the result has a directory gets another name beside it.

import type { ConflictStages, Entry, MergeLabels, Version } from './tree-merge.ts'

interface MergeState {
  readonly entry: Entry | undefined
  /** Our tree, where a side changed it. */
  readonly before: ReadonlyMap<string, Version | undefined>
  readonly changes: Map<string, Version | undefined>
  readonly conflicts: Map<string, ConflictStages>
  readonly messages: { readonly path: string; readonly text: string }[]
  readonly labels: MergeLabels
  readonly freePath: (label: string) => string
}

export function moveOutOfDirectory(path: string, version: Version, state: MergeState): void {
  const { entry, before, changes, conflicts, messages, labels } = state
  const isTheirs = [...before].some(([below, found]) => found !== undefined && below.startsWith(`${path}/`))
  const label = isTheirs ? labels.theirs : labels.ours
  const free = state.freePath(label)
  if (before.get(path) === undefined) changes.delete(path)
  else changes.set(path, undefined)
  changes.set(free, version)
  conflicts.set(free, conflicts.get(path) ?? stagesOf(entry, version, isTheirs))
  conflicts.delete(path)
  // Messages about the file use its new name, after the reason for it.
  const told = messages.filter(message => message.path === path && /^(?:Auto|warn|CONFLICT \([acm])/.test(message.text))
  for (const message of told) messages.splice(messages.indexOf(message), 1)
  const reason = `CONFLICT (file/directory): directory in the way of ${path} from ${label}; moving it to ${free} instead.`
  for (const text of [reason, ...told.map(message => withName(message.text, path, free))]) messages.push({ path: free, text })
}

/** Of a clean merge of two versions only the result is kept, as a version of the side that has the file. */
function stagesOf(entry: Entry | undefined, version: Version, isTheirs: boolean): ConflictStages {
  if (entry?.ours === undefined || entry.theirs === undefined) return [entry?.base, entry?.ours, entry?.theirs]
  return isTheirs ? [undefined, undefined, version] : [undefined, version, undefined]
}

function withName(text: string, path: string, free: string): string {
  if (/^(?:Auto|CONFLICT \([ac])/.test(text)) return text.slice(0, -path.length) + free
  return text.replace(`: ${path} `, () => `: ${free} `).replace(` of ${path} left`, () => ` of ${free} left`)
}
