// `git rev-list`.

import { fatal, GitFailure } from '../errors.ts'
import { Decorations } from '../revs/decorations.ts'
import { Pretty } from '../revs/pretty.ts'
import { readPretty } from '../revs/pretty-form.ts'
import { readRevisions } from '../revs/revision-arguments.ts'
import { ShortIds } from '../revs/short-ids.ts'
import { outputRecoder } from '../revs/subject.ts'
import type { WalkedCommit } from '../revs/walk.ts'
import type { GitCommand } from './command.ts'
import { markOf } from './commit-mark.ts'
import type { ObjectList } from './rev-list-objects.ts'
import { limitedWalk, revisionOptionRows } from './revision-options.ts'

export const revList: GitCommand = {
  name: 'rev-list',
  summary: 'List commit objects in reverse chronological order',
  options: {
    rows: [
      ...revisionOptionRows,
      { names: ['count'] },
      { names: ['objects'], isNegatable: false },
      { names: ['object-names'] },
      { names: ['in-commit-order'], isNegatable: false },
      {
        names: ['objects-edge', 'objects-edge-aggressive'],
        refuses: 'marking the excluded commits is not built into this git; use --objects',
        isNegatable: false,
      },
      { names: ['timestamp'] },
      { names: ['oneline'], isNegatable: false },
      { names: ['pretty', 'format'], argument: { name: 'format', isOptional: true }, key: 'pretty' },
      { names: ['abbrev-commit'] },
      { names: ['abbrev'], argument: { name: 'n', isOptional: true } },
      { names: ['date'], argument: { name: 'format' } },
      { names: ['encoding'], argument: { name: 'encoding' } },
      { names: ['no-commit-header'], isNegatable: false },
      { names: ['header'], isNegatable: false },
      { names: ['quiet'] },
      {
        names: ['graph', 'bisect', 'use-bitmap-index', 'disk-usage'],
        refuses: 'this form is not built into this git; use git log',
      },
    ],
    numberKey: 'max-count',
    onUnknown: 'revision',
    usage: 'git rev-list [<options>] <commit>... [--] [<path>...]',
  },
  async run(call, options) {
    const repository = await call.repository()
    const isRead = options.has('stdin')
    const given = isRead ? (await import('./rare-commands.ts')).withStdin(await call.input(), options) : options
    const args = await readRevisions(repository, given)
    const { commits, hasRevisions } = await limitedWalk(repository, options, args, { defaultsToHead: false })
    if (!hasRevisions && !options.has('objects')) throw new GitFailure(`usage: ${revList.options.usage}`, 129)
    const isCounting = options.has('count')
    const marksSame = options.has('cherry') || options.value('twins') === 'tell'
    let objects: ObjectList | undefined
    if (options.has('objects')) {
      if (isCounting && (options.has('left-right') || marksSame))
        throw fatal("marked counting and '--objects' cannot be used together")
      objects = await (await import('./rev-list-objects.ts')).ObjectList.open(repository, options, args)
    }
    const abbrev = options.value('abbrev')
    const ids = new ShortIds(repository, abbrev === undefined ? undefined : Number(abbrev))
    const decorations = new Decorations(repository)
    const asked = options.has('pretty') ? (options.value('pretty') ?? 'medium') : undefined
    const named = options.has('oneline') ? 'oneline' : asked
    const isHeader = options.has('header') && named === undefined
    const pretty = isHeader ? 'raw' : named
    const form = pretty === undefined ? undefined : readPretty(pretty, repository.config())
    const writer = new Pretty({
      repository,
      ids,
      isAbbreviated: options.has('abbrev-commit') || options.has('oneline'),
      abbrev: undefined,
      dateMode: options.value('date') ?? 'default',
      now: call.now,
      decorations: (oid, kind) => decorations.of(oid, kind),
      showsDecorations: 'no',
      encoding: options.value('encoding'),
      tabWidth: 8,
    })
    const recode = await outputRecoder(repository.config(), options.value('encoding'))
    const counts = { left: 0, right: 0, same: 0 }
    const listObjects = async (): Promise<void> => {
      if (objects === undefined) return
      for await (const { oid, name } of objects.drain()) {
        if (isCounting) counts.right++
        else if (!options.has('quiet'))
          await call.print(options.isNegated('object-names') ? oid : `${oid} ${name.replace(/\n.*/s, '')}`)
      }
    }
    const show = async (walked: WalkedCommit): Promise<void> => {
      const { oid, commit, parents } = walked
      const mark = markOf(walked, options)
      const id = options.has('abbrev-commit') ? await ids.of(oid) : oid
      const time = options.has('timestamp') ? `${commit.committer.time} ` : ''
      const others = options.has('parents') ? parents : options.has('children') ? (walked.children ?? []) : []
      const tail = others.map(other => ` ${other}`).join('')
      if (form === undefined) {
        await call.print(`${time}${mark}${id}${tail}`)
        return
      }
      const text = recode(await writer.render({ oid, commit, parents, mark }, form))
      if (form.kind === 'oneline') await call.print(text)
      else if (form.kind === 'format') {
        const head = options.has('no-commit-header') ? [] : [`commit ${mark}${id}${tail}`]
        // An empty text has no line.
        for (const line of text === '' ? head : [...head, text]) await call.print(line)
      } else if (isHeader) await call.out.write(`${text.replace(/^.*/, `${time}${mark}${id}${tail}`)}\n\0`)
      else await call.print(`${text}\n`)
    }
    for await (const walked of commits) {
      call.check()
      if (marksSame && walked.hasTwin) counts.same++
      else if (walked.side === 'left') counts.left++
      else counts.right++
      if (!isCounting && !options.has('quiet')) await show(walked)
      objects?.add(walked.commit.tree)
      if (options.has('in-commit-order')) await listObjects()
    }
    await listObjects()
    if (isCounting) {
      const { left, right, same } = counts
      const shown = [...(options.has('left-right') ? [left, right] : [left + right]), ...(marksSame ? [same] : [])]
      await call.print(shown.join('\t'))
    }
    return 0
  },
}
