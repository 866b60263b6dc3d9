import type { GitCommand } from './command.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { resolveRevision } from '../revs/revision.ts'
import { fatal } from '../errors.ts'

export const showRef: GitCommand = {
  name: 'show-ref',
  summary: 'List references in a local repository',
  options: {
    rows: [
      { names: ['tags'] },
      { names: ['heads'] },
      { names: ['verify'] },
      { names: ['head'] },
      { names: ['d', 'dereference'] },
      { names: ['s', 'hash'], argument: { name: 'n', isOptional: true } },
      { names: ['abbrev'], argument: { name: 'n', isOptional: true } },
      { names: ['q', 'quiet'] },
      {
        names: ['exclude-existing'],
        argument: { name: 'pattern', isOptional: true },
        refuses: 'filtering a list is not built into this git',
      },
    ],
    usage: 'git show-ref [-q | --quiet] [--verify] [--head] [-d | --dereference] [--tags] [--heads] [--] [<pattern>...]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const ids = new ShortIds(repository)
    const shown = async (name: string, oid: string): Promise<void> => {
      if (options.has('quiet')) return
      const digits = options.value('hash') ?? options.value('abbrev')
      const id =
        digits === undefined ? (options.has('abbrev') ? await ids.of(oid) : oid) : oid.slice(0, Math.max(4, Number(digits)))
      await call.print(options.has('hash') ? id : `${id} ${name}`)
      if (!options.has('dereference')) return
      const object = await repository.objects.read(oid)
      const target = object?.type === 'tag' ? await resolveRevision(repository, `${oid}^{}`) : undefined
      if (target !== undefined) await call.print(options.has('hash') ? target.oid : `${target.oid} ${name}^{}`)
    }
    if (options.has('verify')) {
      for (const name of options.all) {
        const oid = /^(refs\/|HEAD$|[A-Z_]+$)/.test(name) ? await repository.refs.idOf(name) : undefined
        if (oid === undefined) {
          if (options.has('quiet')) return 1
          throw fatal(`'${name}' - not a valid ref`)
        }
        await shown(name, oid)
      }
      return 0
    }
    let count = 0
    const head = options.has('head') ? await repository.refs.idOf('HEAD') : undefined
    if (head !== undefined) {
      count++
      await shown('HEAD', head)
    }
    for (const { name, oid } of await repository.refs.list()) {
      const isKind =
        (!options.has('tags') && !options.has('heads')) ||
        (options.has('tags') && name.startsWith('refs/tags/')) ||
        (options.has('heads') && name.startsWith('refs/heads/'))
      if (!isKind) continue
      if (options.all.length > 0 && !options.all.some(pattern => name === pattern || name.endsWith(`/${pattern}`))) continue
      count++
      await shown(name, oid)
    }
    return count > 0 ? 0 : 1
  },
}
