import { compileWildcard, matchesWildcard } from '../../search/wildmatch.ts'
import type { GitCommand } from './command.ts'
import { colorOptionRow, wantsColor } from '../color/wants-color.ts'
import { encodeText } from '../../shell/byte-text.ts'
import { needCommit, peel, resolveRevision } from '../revs/revision.ts'
import { isAncestor } from '../revs/merge-base.ts'
import { formatRefs, readRefFields, sortRefs } from './ref-format.ts'

export const forEachRef: GitCommand = {
  name: 'for-each-ref',
  summary: 'Output information on each ref',
  options: {
    rows: [
      { names: ['count'], argument: { name: 'n' } },
      { names: ['format'], argument: { name: 'format' } },
      { names: ['sort'], argument: { name: 'key' } },
      { names: ['points-at'], argument: { name: 'object' } },
      { names: ['merged'], argument: { name: 'commit', isOptionalAtEnd: true } },
      { names: ['no-merged'], argument: { name: 'commit', isOptionalAtEnd: true }, isNegatable: false },
      { names: ['contains'], argument: { name: 'commit', isOptionalAtEnd: true } },
      { names: ['no-contains'], argument: { name: 'commit', isOptionalAtEnd: true }, isNegatable: false },
      { names: ['shell', 'perl', 'python', 'tcl'], refuses: 'quoting for other programs is not built into this git' },
      colorOptionRow,
      { names: ['ignore-case'] },
    ],
    usage: 'git for-each-ref [<options>] [<pattern>]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const patterns = options.all
    const folded = (text: string): string => (options.has('ignore-case') ? text.toLowerCase() : text)
    const matches = (name: string): boolean =>
      patterns.length === 0 ||
      patterns.some(given => {
        const [pattern, own] = [folded(given), folded(name)]
        return (
          own === pattern ||
          own.startsWith(pattern.endsWith('/') ? pattern : `${pattern}/`) ||
          matchesWildcard(compileWildcard(encodeText(pattern), true), encodeText(own))
        )
      })
    const commitOf = async (key: string): Promise<string | undefined> =>
      options.has(key) ? needCommit(repository, options.value(key) ?? 'HEAD') : undefined
    const [merged, unmerged, contains, lacks, pointsAt] = [
      await commitOf('merged'),
      await commitOf('no-merged'),
      await commitOf('contains'),
      await commitOf('no-contains'),
      options.value('points-at'),
    ]
    const target = pointsAt === undefined ? undefined : (await resolveRevision(repository, pointsAt))?.oid
    const refs = []
    for (const ref of await repository.refs.list()) {
      if (!matches(ref.name)) continue
      const commit = await peel(repository, ref.oid, 'commit')
      if (target !== undefined && ref.oid !== target && commit !== target) continue
      if (merged !== undefined && (commit === undefined || !(await isAncestor(repository, commit, merged)))) continue
      if (unmerged !== undefined && (commit === undefined || (await isAncestor(repository, commit, unmerged)))) continue
      if (contains !== undefined && (commit === undefined || !(await isAncestor(repository, contains, commit)))) continue
      if (lacks !== undefined && (commit === undefined || (await isAncestor(repository, lacks, commit)))) continue
      refs.push(ref)
    }
    const rows = sortRefs(await readRefFields(call, repository, refs), options.values('sort'), options.has('ignore-case'))
    const count = options.number('count') ?? rows.length
    for (const line of await formatRefs(
      rows.slice(0, count),
      options.value('format') ?? '%(objectname) %(objecttype)\t%(refname)',
      wantsColor(options, repository.config(), []),
    ))
      await call.print(line)
    return 0
  },
}
