import { Changes } from '../repository.ts'
import type { GitCommand } from './command.ts'

export const writeTree: GitCommand = {
  name: 'write-tree',
  summary: 'Create a tree object from the current index',
  options: { rows: [{ names: ['missing-ok'], isIgnored: true }], usage: 'git write-tree' },
  async run(call) {
    const repository = await call.repository()
    const index = await repository.readIndex()
    const isKnown = index.tree?.isValid === true
    const oid = await repository.writeTree(index)
    // Git keeps the trees that it found in the index.
    if (isKnown) await repository.objects.flush()
    else await repository.commit(new Changes(), index)
    await call.print(oid)
    return 0
  },
}
