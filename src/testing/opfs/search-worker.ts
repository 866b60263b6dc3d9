// One session of a stored filesystem with its search index, in a worker that a test ends like a tab.

import { openOpfs, type OpfsOptions } from '../../backends/opfs/index.ts'
import { defaultLimits } from '../../core/limits.ts'
import { parsePath, type VfsPath } from '../../core/path.ts'
import { compilePattern } from '../../search/pattern.ts'
import { SearchIndex } from '../../session/search-index.ts'
import { createVfs } from '../../vfs/create-vfs.ts'
import type { VfsError } from '../../vfs/error.ts'

export interface LifeOrder {
  readonly options: OpfsOptions
  /** Written in one batch before anything is indexed. */
  readonly write?: Readonly<Record<string, string>>
  readonly pattern: string
}

export interface Life {
  /** Files that were in the index before any file was read. */
  readonly knownFiles: number
  /** Files that were read for indexing, until all were indexed. */
  readonly readFiles: number
  /** The index's answers about each file before and after that. */
  readonly kindsBefore: Readonly<Record<string, string>>
  readonly kindsAfter: Readonly<Record<string, string>>
  readonly problems: readonly string[]
}

async function live({ options, write = {}, pattern: source }: LifeOrder): Promise<Life> {
  const problems: string[] = []
  const onProblem = ({ message }: VfsError): void => void problems.push(message)
  const backend = await openOpfs({ ...options, onProblem })
  const vfs = createVfs(backend)
  await vfs.batch(async fs => {
    for (const [path, text] of Object.entries(write)) await fs.writeFile(path, text, { parents: true })
  })
  const compiled = compilePattern(source)
  if (compiled.kind === 'error') throw new Error(compiled.message)
  const files: VfsPath[] = []
  for await (const entry of vfs.walk('/')) if (entry.kind === 'file') files.push(parsePath(entry.path))
  const index = await SearchIndex.open(vfs, defaultLimits.searchMaxFileBytes, {
    derived: backend.derived,
    loadTimeoutMs: 120_000,
  })
  const kinds = (): Record<string, string> => {
    const { candidate } = index.blocks.query(compiled.pattern)
    return Object.fromEntries(files.map(path => [path, candidate(path).kind]))
  }
  const [knownFiles, kindsBefore] = [index.blocks.fileCount, kinds()]
  index.offer(files)
  await index.settled()
  return { knownFiles, readFiles: index.readFiles(), kindsBefore, kindsAfter: kinds(), problems }
}

addEventListener('message', (event: MessageEvent<LifeOrder>) => {
  live(event.data).then(
    value => postMessage(value),
    (error: unknown) => postMessage(error instanceof Error ? error.message : String(error)),
  )
})
