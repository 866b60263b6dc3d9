// Whether the files outlive the page, and what it takes to move them between memory and the browser's storage.

import type { Vfs } from 'anchorage'

/** path below the root → content */
export type Files = Readonly<Record<string, string | Uint8Array>>

const storageKey = 'anchorage-demo-keep'

export function loadKept(): boolean {
  try {
    return localStorage.getItem(storageKey) === 'yes'
  } catch {
    // A browser that keeps no settings keeps no files either.
    return false
  }
}

export function saveKept(isKept: boolean): void {
  try {
    localStorage.setItem(storageKey, isKept ? 'yes' : 'no')
  } catch {
    // Storage is off: the choice lasts as long as the page.
  }
}

/** Every file below `root`; links and empty directories are left behind. */
export async function filesBelow(fs: Vfs, root: string): Promise<Files> {
  const files: Record<string, Uint8Array> = {}
  for await (const { kind, path } of fs.walk(root, { maxEntries: 50_000 })) {
    if (kind === 'file') files[path.slice(root.length + 1)] = await fs.readFile(path)
  }
  return files
}

/** Replaces everything below `root` with `files`: all of it or nothing. */
export async function replaceFiles(fs: Vfs, root: string, files: Files): Promise<void> {
  await fs.batch(async draft => {
    for (const { name } of await draft.readdir(root)) await draft.rm(`${root}/${name}`, { recursive: true })
    for (const [path, content] of Object.entries(files)) await draft.writeFile(`${root}/${path}`, content, { parents: true })
  })
  await fs.flush()
}
