// The small language of the cases in the filesystem contract. A tree is one line: 'd/ d/f=text l->d/f' is a directory, a file in it and a
// symlink. Missing parents are created.

import { childPath, dirname, parsePath, rootPath, type VfsPath } from '../../core/path.ts'
import type { VfsBackend, VfsCaps } from '../../vfs/backend.ts'
import { runWaiting } from '../../vfs/steps.ts'
import { makeDirectories } from '../../vfs/derived/make-directories.ts'
import { check, checkEqual, checkFails } from '../check.ts'
import type { ContractCase } from '../contract.ts'

/** A capability that a case of the filesystem contract may need. */
export type VfsCapability = keyof VfsCaps
/** One rule of the filesystem contract. */
export type VfsCase = ContractCase<VfsBackend, VfsCapability>

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { ignoreBOM: true })

export const path = (text: string): VfsPath => parsePath(text)
export const bytes = (text: string): Uint8Array => encoder.encode(text)
export const text = (content: Uint8Array): string => decoder.decode(content)

/** Whether a backend with `caps` has the capability, at any level. */
export function hasCapability(caps: VfsCaps, capability: VfsCapability): boolean {
  const value = caps[capability]
  return value !== false && value !== 'none' && value !== 0
}

/** Creates the entries of `tree`, in its order. */
export async function plant(fs: VfsBackend, tree: string): Promise<void> {
  for (const item of tree.split(' ').filter(part => part !== '')) {
    const [, name = '', sign = '', value = ''] = /^(.*?)(\/?$|=|->)(.*)$/.exec(item) ?? []
    const at = path(`/${name}`)
    if (sign === '/') await runWaiting(makeDirectories(fs, at))
    else {
      await runWaiting(makeDirectories(fs, dirname(at)))
      if (sign === '->') await fs.symlink(value, at)
      else await fs.write(at, bytes(value))
    }
  }
}

/** The whole tree as one line, sorted by name; a directory appears only if it is empty. */
export async function show(fs: VfsBackend): Promise<string> {
  const items: string[] = []
  const visit = async (directory: VfsPath): Promise<void> => {
    const entries = await fs.list(directory)
    if (entries.length === 0 && directory !== rootPath) items.push(`${directory.slice(1)}/`)
    for (const { name, kind } of entries) {
      const at = childPath(directory, name)
      if (kind === 'directory') await visit(at)
      else if (kind === 'symlink') items.push(`${at.slice(1)}->${await fs.readlink(at)}`)
      else items.push(`${at.slice(1)}=${text(await fs.read(at))}`)
    }
  }
  await visit(rootPath)
  return items.join(' ')
}

/** The expected end of a case: the tree afterwards, an errno (with an unchanged tree), or the result of the call. */
type Outcome = { readonly leaves: string } | { readonly fails: string } | { readonly gives: unknown }

export const leaves = (tree: string): Outcome => ({ leaves: tree })
export const fails = (code: string): Outcome => ({ fails: code })
export const gives = (value: unknown): Outcome => ({ gives: value })

/** One row: a tree, an action, and the outcome. Rows with symlinks need symlinks. */
export function row(
  id: string,
  tree: string,
  act: (fs: VfsBackend) => unknown,
  outcome: Outcome,
  needs: readonly VfsCapability[] = [],
): VfsCase {
  return {
    id,
    needs: tree.includes('->') ? ['symlinks', ...needs] : needs,
    async run(fs) {
      await plant(fs, tree)
      const before = await show(fs)
      if ('fails' in outcome) {
        const error = await checkFails(() => act(fs), outcome.fails)
        check(error.message.startsWith(`${outcome.fails}: `), `the message begins with the code: ${error.message}`)
        checkEqual(await show(fs), before, 'the tree after a failure')
        return
      }
      const given = await act(fs)
      if ('gives' in outcome) checkEqual(given, outcome.gives, id)
      else checkEqual(await show(fs), outcome.leaves, id)
    },
  }
}

/** A case with more than one action. */
export function scene(id: string, run: (fs: VfsBackend) => Promise<void>, needs: readonly VfsCapability[] = []): VfsCase {
  return { id, needs, run }
}

/** Lets pending promises and microtasks run. */
export async function settle(): Promise<void> {
  for (let turn = 0; turn < 10; turn++) await Promise.resolve()
}

/** A disk's clock may stand still for some milliseconds, and its times then do not tell two changes apart. */
export function clockTick(): Promise<void> {
  return new Promise(resolve => {
    setTimeout(resolve, 20)
  })
}
