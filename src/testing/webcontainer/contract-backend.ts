// One container for many cases, because booting one for each would take minutes. It is emptied for each case.

import { childPath, rootPath, type VfsPath } from '../../core/path.ts'
import type { ContainerPort, ContainerSource } from '../../backends/webcontainer/wire.ts'
import { webcontainer } from '../../backends/webcontainer/index.ts'
import { runtimeFolder } from '../../backends/webcontainer/runner.ts'
import { readSnapshot, type SnapshotNode } from '../../backends/webcontainer/snapshot.ts'
import { checkEqual } from '../check.ts'
import type { VfsBackend } from '../../vfs/backend.ts'
import type { ContainerHost } from '../../worker/webcontainer-host.ts'

/** Removes everything except our own files. */
export async function emptyContainer(host: ContainerHost): Promise<void> {
  const { fs } = host.container
  for (const name of await fs.readdir('.')) if (name !== runtimeFolder) await fs.rm(name, { recursive: true, force: true })
  host.changed()
}

/**
 * A backend over `host`, which is emptied before its first answer. Closing it fails if the container's files differ from what it reports.
 */
export function emptyBackend(host: () => Promise<ContainerHost>): VfsBackend {
  let isUsed = false
  const emptied = async (): Promise<ContainerHost> => {
    const ready = await host()
    await emptyContainer(ready)
    return ready
  }
  const backend = webcontainer(
    afterwards(() => {
      isUsed = true
      return emptied()
    }),
  )
  // By prototype, because its capabilities are known only after its first operation.
  const checked: VfsBackend = Object.create(backend, {
    close: {
      async value() {
        if (isUsed) checkEqual(await treeOf(backend), await containerTree(await host()), 'what the container holds')
        await backend.close()
      },
    },
  })
  return checked
}

/** One line per entry, as the filesystem reports it. */
async function treeOf(fs: VfsBackend, at: VfsPath = rootPath): Promise<string[]> {
  const lines: string[] = []
  for (const { name, kind } of await fs.list(at)) {
    const path = childPath(at, name)
    if (kind === 'directory') lines.push(`${path}/`, ...(await treeOf(fs, path)))
    else if (kind === 'symlink') lines.push(`${path} -> ${await fs.readlink(path)}`)
    else lines.push(`${path} = ${(await fs.read(path)).join()}`)
  }
  return lines
}

/** The same as the container itself reports it. */
export async function containerTree(host: ContainerHost): Promise<string[]> {
  const lines: string[] = []
  const visit = (path: string, node: SnapshotNode): void => {
    if (node.kind === 'file') lines.push(`${path} = ${node.bytes.join()}`)
    else if (node.kind === 'symlink') lines.push(`${path} -> ${node.target}`)
    else {
      if (path !== '') lines.push(`${path}/`)
      const children = [...node.children].filter(([name]) => path !== '' || name !== runtimeFolder)
      for (const [name, child] of children.toSorted(([a], [b]) => (a < b ? -1 : 1))) visit(`${path}/${name}`, child)
    }
  }
  visit('', readSnapshot(await host.container.export('.', { format: 'binary' })))
  return lines
}

/** A source that can be used before the container exists. */
function afterwards(come: () => Promise<ContainerSource>): ContainerSource {
  return {
    connect() {
      const { port1, port2 } = new MessageChannel()
      void come().then(source => relay(port2, source.connect()))
      return port1
    },
  }
}

function relay(near: MessagePort, far: ContainerPort): void {
  near.addEventListener('message', ({ data }) => far.postMessage(data, []))
  far.addEventListener('message', ({ data }) => near.postMessage(data, []))
  near.start()
  far.start()
}
