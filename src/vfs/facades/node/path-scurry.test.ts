// A second library that takes an `fs`: path-scurry, the basis of glob. It walks with `promises.readdir`, `lstat`, `readlink` and
// `realpath`, and distinguishes entries by the methods of a `Dirent`.
import { PathScurryPosix, type PathBase } from 'path-scurry'
import { expect, test } from 'vitest'
import { createVfs } from '../../create-vfs.ts'
import { toNodeFs } from './index.ts'
import { emptyTree } from '../../../testing/empty-tree.ts'

test('path-scurry walks, stats and resolves', async () => {
  const fs = toNodeFs(createVfs(emptyTree()))
  await fs.promises.mkdir('/p/src/deep', { recursive: true })
  await fs.promises.writeFile('/p/src/deep/f.ts', 'abc')
  await fs.promises.writeFile('/p/.hidden', '')
  await fs.promises.symlink('src/deep', '/p/link')

  const scurry = new PathScurryPosix('/p', { fs: { promises: fs.promises } as never })
  const found: string[] = []
  const visit = async (directory: PathBase): Promise<void> => {
    for (const entry of await directory.readdir()) {
      const kind = entry.isDirectory() ? '/' : entry.isSymbolicLink() ? `@${(await entry.readlink())?.relative()}` : ''
      found.push(`${entry.relative()}${kind}`)
      if (entry.isDirectory()) await visit(entry)
    }
  }
  await visit(scurry.cwd)
  expect(found.toSorted()).toEqual(['.hidden', 'link@src/deep', 'src/', 'src/deep/', 'src/deep/f.ts'])
  const file = await scurry.cwd.resolve('src/deep/f.ts').lstat()
  expect([file?.size, file?.isFile(), file?.mtime instanceof Date]).toEqual([3, true, true])
  expect((await scurry.cwd.resolve('link').realpath())?.fullpath()).toBe('/p/src/deep')
  expect(await scurry.cwd.resolve('none').lstat()).toBeUndefined()
})
