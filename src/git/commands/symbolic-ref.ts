import type { GitCommand } from './command.ts'
import { fatal, GitFailure } from '../errors.ts'
import { Changes } from '../repository.ts'
import { isValidRefName } from '../store/refs.ts'
import { shortestRef } from '../revs/ref-names.ts'

export const symbolicRef: GitCommand = {
  name: 'symbolic-ref',
  summary: 'Read, modify and delete symbolic refs',
  options: {
    rows: [
      { names: ['q', 'quiet'] },
      { names: ['d', 'delete'] },
      { names: ['short'] },
      { names: ['recurse'] },
      { names: ['m'], argument: { name: 'reason' }, key: 'reason' },
    ],
    usage: 'git symbolic-ref [-m <reason>] <name> <ref>\n   or: git symbolic-ref [-q] [--short] <name>',
  },
  async run(call, options) {
    const repository = await call.repository()
    const [name, target] = options.all
    if (name === undefined) throw new GitFailure(`usage: ${symbolicRef.options.usage}`, 129)
    const changes = new Changes()
    const value = await repository.refs.read(name)
    if (options.has('delete')) {
      if (value?.kind !== 'symbolic') throw fatal(`Cannot delete ${name}, not a symbolic ref`)
      if (name === 'HEAD') throw fatal("deleting 'HEAD' is not allowed")
      await repository.refs.update(changes, { name, oid: undefined, message: '', noDeref: true })
      await repository.commit(changes)
      return 0
    }
    if (target !== undefined) {
      if (name === 'HEAD' && !target.startsWith('refs/')) throw fatal('Refusing to point HEAD outside of refs/')
      if (!isValidRefName(target)) throw fatal(`Refusing to set '${name}' to invalid ref '${target}'`)
      // `HEAD` has a log of its past values; the reason may be missing.
      await repository.refs.setSymbolic(changes, name, target, options.value('reason') ?? (name === 'HEAD' ? '' : undefined))
      await repository.commit(changes)
      return 0
    }
    if (value?.kind !== 'symbolic') {
      if (options.has('quiet')) return 1
      throw fatal(value === undefined ? `No such ref: ${name}` : `ref ${name} is not a symbolic ref`)
    }
    const shown = options.isNegated('recurse') ? value.target : (await repository.refs.resolve(name)).name
    await call.print(options.has('short') ? await shortestRef(repository, shown) : shown)
    return 0
  },
}
