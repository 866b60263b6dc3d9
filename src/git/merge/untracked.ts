// Untracked files of the work tree.

import type { GitIndex } from '../index/git-index.ts'
import type { Repository } from '../repository.ts'
import { compareText } from '../store/object-format.ts'

/** Paths from the root. Of a repository inside this one only its name, with '/' at its end, unless the index has files below it. */
export async function untrackedFiles(
  repository: Repository,
  index: GitIndex,
  includesIgnored: boolean,
): Promise<readonly string[]> {
  const tree = await repository.workTree()
  const ignore = repository.ignore()
  const found: string[] = []
  const open = ['']
  for (let directory = open.pop(); directory !== undefined; directory = open.pop()) {
    for (const { name, kind } of await repository.files.list(tree.pathOf(directory))) {
      const path = directory === '' ? name : `${directory}/${name}`
      if (name === '.git') continue
      const isDirectory = kind === 'directory'
      if (!isDirectory && index.has(path)) continue
      const isIgnored = !includesIgnored && (await ignore.isIgnored(path, isDirectory))
      if (isDirectory) {
        if (isIgnored && !index.hasBelow(path)) continue
        const isOpen = index.hasBelow(path) || (await repository.files.lstat(`${tree.pathOf(path)}/.git`)) === undefined
        if (isOpen) open.push(path)
        else found.push(`${path}/`)
      } else if (!isIgnored) found.push(path)
    }
  }
  return found.sort(compareText)
}
