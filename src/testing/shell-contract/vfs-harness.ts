// A harness over a workspace's filesystem: the same code for Node, browsers and workerd.

import { dirname, joinPath, parsePath } from '../../core/path.ts'
import type { ShellFactory } from '../../shell/factory.ts'
import type { Vfs } from '../../vfs/vfs.ts'
import type { ShellHarness } from './contract.ts'

/** Opens a shell over `fs`, which is empty. */
export async function harnessOver(fs: Vfs, createShell: ShellFactory<Vfs>): Promise<ShellHarness> {
  const root = parsePath('/workspace')
  await fs.mkdir(root, { recursive: true })
  const shell = await createShell({ fs, root })
  return {
    shell,
    root,
    write: async (name, content) => {
      const path = joinPath(root, name)
      await fs.mkdir(dirname(path), { recursive: true })
      await fs.writeFile(path, content)
    },
    read: name => fs.readFile(joinPath(root, name)),
    close: () => shell.dispose(),
  }
}
