import type { GitCommand } from './command.ts'

export const writeTree: GitCommand = {
  name: 'write-tree',
  summary: 'Create a tree object from the current index',
  options: { rows: [{ names: ['missing-ok'], isIgnored: true }], usage: 'git write-tree' },
  async run(call) {
    const repository = await call.repository()
    const index = await repository.readIndex()
    const oid = await repository.writeTree(index)
    await repository.objects.flush()
    await call.print(oid)
    return 0
  },
}
