// The project as a repository with history. It is made beside the workspace, from the files as they were packed, so that what was done
// since shows as changes; then the project's files go into the workspace at once.

import { createVfs, type Vfs } from 'anchorage'
import { memory } from 'anchorage/fs/memory'
import { type Files, filesBelow } from './keep.ts'
import type { Project } from './project.ts'

const author = { name: 'Anchorage', email: 'demo@example.org' }
const firstCommitMs = Date.UTC(2026, 0, 5, 9)
const dayMs = 86_400_000

/** What each commit added; files that none of the first names are in the last. */
const history: readonly { readonly message: string; readonly isPart: (path: string) => boolean }[] = [
  { message: 'Say what the project is', isPart: path => !path.includes('/') },
  { message: 'Add the core: paths, errors and limits', isPart: path => path.startsWith('src/core/') },
  { message: 'Edit and compare texts', isPart: path => path.startsWith('src/text/') },
  { message: 'Keep files in memory, in the browser and elsewhere', isPart: path => /^src\/(?:vfs|backends)\//.test(path) },
  { message: 'Give agents tools, a shell and a search', isPart: () => true },
]

/** Makes the repository where there is none. */
export async function makeRepository(fs: Vfs, root: string, project: Project): Promise<void> {
  if (await fs.exists(`${root}/.git`)) return
  const files = await repositoryFiles(project)
  await fs.batch(async draft => {
    for (const [path, content] of Object.entries(files)) await draft.writeFile(`${root}/.git/${path}`, content, { parents: true })
    for (const name of ['objects', 'refs/tags']) await draft.mkdir(`${root}/.git/${name}`, { recursive: true })
  })
}

async function repositoryFiles(project: Project): Promise<Files> {
  const { openGit } = await import('anchorage/git')
  const fs = createVfs(memory())
  const dir = '/project'
  await fs.mkdir(dir)
  let timeMs = firstCommitMs
  const git = openGit(fs, { dir, author, clock: () => timeMs })
  await git.run(['init', '-q', '-b', 'main'])
  for (const [key, value] of Object.entries(author)) await git.run(['config', `user.${key}`, value])
  const left = new Map(Object.entries(project))
  for (const { message, isPart } of history) {
    const part = [...left].filter(([path]) => isPart(path))
    if (part.length === 0) continue
    for (const [path, content] of part) {
      await fs.writeFile(`${dir}/${path}`, content, { parents: true })
      left.delete(path)
    }
    await git.stage(['.'])
    await git.commit(message)
    timeMs += dayMs
  }
  return filesBelow(fs, `${dir}/.git`)
}
