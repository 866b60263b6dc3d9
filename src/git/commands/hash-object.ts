import type { GitCommand } from './command.ts'
import { fatal, GitFailure } from '../errors.ts'
import { isObjectType, type ObjectType } from '../store/object-format.ts'
import { hashObject } from '../store/objects.ts'

export const hashObjectCommand: GitCommand = {
  name: 'hash-object',
  summary: 'Compute object ID and optionally create an object from a file',
  options: {
    rows: [
      { names: ['t'], argument: { name: 'type' }, key: 'type' },
      { names: ['w'], key: 'write' },
      { names: ['stdin'] },
      { names: ['stdin-paths'] },
      { names: ['no-filters'], isNegatable: false },
      { names: ['literally'], isIgnored: true },
      { names: ['path'], argument: { name: 'file' } },
    ],
    usage: 'git hash-object [-t <type>] [-w] [--stdin | <file>...]',
  },
  async run(call, options) {
    const type = options.value('type') ?? 'blob'
    if (options.has('no-filters') && options.value('path') !== undefined)
      throw fatal("options '--path' and '--no-filters' cannot be used together")
    if (options.value('path') !== undefined)
      throw new GitFailure('error: --path: converting as another file is not built into this git', 129)
    if (!isObjectType(type)) throw fatal(`invalid object type "${type}"`)
    const repository = await call.findRepository()
    const { files, cwd } = call.environment
    const put = async (bytes: Uint8Array, kind: ObjectType): Promise<void> => {
      if (options.has('write') && repository === undefined)
        throw fatal('not a git repository (or any of the parent directories): .git')
      await call.print(
        options.has('write') && repository !== undefined ? await repository.objects.write(kind, bytes) : hashObject(kind, bytes),
      )
    }
    if (options.has('stdin')) await put(await call.inputBytes(), type)
    const names = options.has('stdin-paths') ? (await call.input()).split('\n').filter(Boolean) : options.all
    for (const name of names) {
      const path = name.startsWith('/') ? name : `${cwd}/${name}`
      let bytes = await files.read(path)
      if (bytes === undefined) throw fatal(`could not open '${name}' for reading: No such file or directory`)
      if (repository !== undefined && !repository.isBare && type === 'blob' && path.startsWith(`${repository.root}/`)) {
        const tree = await repository.workTree()
        const own = path.slice(repository.root.length + 1)
        if (!options.has('no-filters'))
          bytes = (await tree.readForRepository(own, await tree.lstat(own), undefined))?.bytes ?? bytes
      }
      await put(bytes, type)
    }
    await repository?.objects.flush()
    return 0
  },
}
