import type { GitCommand } from './command.ts'
import { type ObjectId, zeroId } from '../store/object-format.ts'
import { resolveRevision } from '../revs/revision.ts'
import { fatal, GitFailure } from '../errors.ts'
import { Changes } from '../repository.ts'
import { isValidRefName } from '../store/refs.ts'

export const updateRef: GitCommand = {
  name: 'update-ref',
  summary: 'Update the object name stored in a ref safely',
  options: {
    rows: [
      { names: ['m'], argument: { name: 'reason' }, key: 'reason' },
      { names: ['d'], key: 'delete' },
      { names: ['no-deref'], isNegatable: false },
      { names: ['z'], refuses: 'input with NUL is not built into this git' },
      { names: ['stdin'] },
      { names: ['create-reflog'] },
    ],
    usage: 'git update-ref [<options>] <refname> <new-oid> [<old-oid>]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const idOf = async (text: string): Promise<string> => {
      if (text === '' || /^0+$/.test(text)) return zeroId
      const revision = await resolveRevision(repository, text)
      if (revision === undefined || !(await repository.objects.has(revision.oid))) throw fatal(`${text}: not a valid SHA1`)
      return revision.oid
    }
    const changes = new Changes()
    const message = options.value('reason') ?? ''
    const noDeref = options.has('no-deref')
    const makesLog = options.has('create-reflog')
    /** No id, or only zeros, deletes the reference. */
    const update = async (name: string, oid: ObjectId | undefined, before: string | undefined): Promise<void> =>
      repository.refs.update(changes, {
        name,
        oid: oid === zeroId ? undefined : oid,
        ...(before === undefined ? {} : { expected: await idOf(before) }),
        message,
        noDeref,
        makesLog,
      })
    if (options.has('stdin')) {
      for (const line of (await call.input()).split('\n').filter(Boolean)) {
        const [verb = '', name = '', first, second] = line.split(' ')
        if (verb === 'start' || verb === 'prepare' || verb === 'commit') continue
        if (verb === 'create') {
          const oid = await idOf(first ?? '')
          if (oid === zeroId) throw fatal(`create ${name}: zero <newvalue>`)
          await update(name, oid, zeroId)
        } else if (verb === 'update') await update(name, await idOf(first ?? ''), second)
        else if (verb === 'delete') await update(name, undefined, first)
        else throw fatal(`unknown command: ${line}`)
      }
      await repository.commit(changes)
      return 0
    }
    const [name, first, second] = options.all
    if (name === undefined || (first === undefined && !options.has('delete')))
      throw new GitFailure(`usage: ${updateRef.options.usage}`, 129)
    if (!/^(refs\/.|[A-Z_]+$)/.test(name) || !isValidRefName(name))
      throw fatal(`update_ref failed for ref '${name}': refusing to update ref with bad name '${name}'`)
    if (options.has('delete')) await update(name, undefined, first)
    else await update(name, await idOf(first ?? ''), second)
    await repository.commit(changes)
    return 0
  },
}
