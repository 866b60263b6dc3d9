// What two work trees hold, to compare them.

import { dirname, join } from 'node:path'
import { existsSync, lstatSync, readdirSync, readFileSync, readlinkSync, rmdirSync } from 'node:fs'
import { parseIndex } from '../git/index/codec.ts'

/** A merge that real git refuses puts the work tree back from a stash, and that drops directories that were emptied by hand. */
export function removeEmptyAbove(file: string): void {
  for (let path = dirname(file); !existsSync(join(path, '.git')) && readdirSync(path).length === 0; path = dirname(path))
    rmdirSync(path)
}

/** HEAD, references, index and files, read without any git. */
export function stateOf(root: string): string {
  const rows: string[] = []
  const gitDirectory = join(root, '.git')
  for (const name of ['HEAD', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD', 'ORIG_HEAD', 'MERGE_MSG', 'SQUASH_MSG'])
    rows.push(`${name} ${textAt(join(gitDirectory, name))}`)
  const references = new Map<string, string>()
  for (const line of textAt(join(gitDirectory, 'packed-refs')).split('\n'))
    if (/^[0-9a-f]{40} /.test(line)) references.set(line.slice(41), line.slice(0, 40))
  for (const name of filesBelow(join(gitDirectory, 'refs')).filter(path => !path.endsWith('/')))
    references.set(`refs/${name}`, textAt(join(gitDirectory, 'refs', name)).trim())
  for (const name of [...references.keys()].sort()) rows.push(`${name} ${references.get(name)}`)
  const index = bytesAt(join(gitDirectory, 'index'))
  for (const { mode, oid, stage, path, isIntentToAdd } of index === undefined ? [] : parseIndex(index, 0).sorted())
    rows.push(`index ${mode.toString(8)} ${oid} ${stage} ${path}${isIntentToAdd ? ' (intended)' : ''}`)
  for (const name of filesBelow(root)) {
    if (name.startsWith('.git/')) continue
    const path = join(root, name)
    if (name.endsWith('/')) {
      rows.push(`empty directory ${name}`)
      continue
    }
    const stat = lstatSync(path)
    const kind = stat.isSymbolicLink() ? 'link' : (stat.mode & 0o100) === 0 ? 'file' : 'executable'
    rows.push(`${kind} ${name} ${JSON.stringify(stat.isSymbolicLink() ? readlinkSync(path) : readFileSync(path, 'latin1'))}`)
  }
  return rows.join('\n')
}

function bytesAt(path: string): Uint8Array | undefined {
  try {
    return readFileSync(path)
  } catch (error) {
    if (error instanceof Error && 'code' in error && (error.code === 'ENOENT' || error.code === 'EISDIR')) return undefined
    throw error
  }
}

export function isThere(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false }) !== undefined
}

function textAt(path: string): string {
  const bytes = bytesAt(path)
  return bytes === undefined ? '(none)' : Buffer.from(bytes).toString('latin1')
}

/** Directories that hold nothing are rows too, and end in '/'. */
function filesBelow(directory: string, prefix = ''): readonly string[] {
  const found: string[] = []
  const entries = readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
  if (entries.length === 0 && prefix !== '') return [prefix]
  for (const entry of entries) {
    if (prefix === '' && entry.name === '.git') continue
    if (entry.isDirectory()) found.push(...filesBelow(join(directory, entry.name), `${prefix}${entry.name}/`))
    else found.push(prefix + entry.name)
  }
  return found
}
