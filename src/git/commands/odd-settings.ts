// Values of the configuration that end a command before it starts, as git reads all of its settings first.

import { fatal } from '../errors.ts'
import { boolOf, type Config } from '../store/config.ts'

const groups: Readonly<Record<string, string>> = {
  all: 'add blame branch checkout cherry-pick commit diff grep log ls-files merge mv rebase reset restore revert rm show stash status switch tag whatchanged',
  diffs: 'commit diff format-patch log merge reflog show status whatchanged',
  logs: 'format-patch log reflog show whatchanged',
  merges: 'cherry-pick merge merge-tree rebase revert',
  // A merge reads these itself, if there is something to merge.
  replays: 'cherry-pick merge-tree rebase revert',
  states: 'commit status',
}

interface Rule {
  readonly names: string
  /** A name of `groups`, or of a command. */
  readonly where: string
  readonly kind: 'bool' | 'number' | 'natural'
  /** Other texts that have a meaning. */
  readonly words?: string
}

const rules: readonly Rule[] = [
  { where: 'all', kind: 'bool', names: 'core.autocrlf', words: 'input' },
  { where: 'all', kind: 'bool', names: 'core.safecrlf', words: 'warn' },
  { where: 'all', kind: 'number', names: 'core.abbrev', words: 'auto no' },
  { where: 'diffs', kind: 'bool', names: 'diff.renames', words: 'copies copy' },
  {
    where: 'diffs',
    kind: 'bool',
    names:
      'diff.relative diff.mnemonicprefix diff.noprefix diff.autorefreshindex diff.suppressblankempty diff.indentheuristic color.diff',
    words: 'auto always never',
  },
  { where: 'diffs', kind: 'number', names: 'diff.renamelimit diff.statgraphwidth' },
  { where: 'diffs', kind: 'natural', names: 'diff.context diff.interhunkcontext' },
  { where: 'states', kind: 'bool', names: 'status.renames', words: 'copies copy' },
  { where: 'states', kind: 'number', names: 'status.renamelimit' },
  {
    where: 'states',
    kind: 'bool',
    names: 'status.short status.branch status.showstash status.relativepaths status.displaycommentprefix status.aheadbehind',
  },
  { where: 'merge', kind: 'bool', names: 'merge.stat merge.renormalize merge.autostash' },
  { where: 'merges', kind: 'number', names: 'merge.verbosity' },
  { where: 'replays', kind: 'number', names: 'merge.renamelimit diff.renamelimit' },
  { where: 'replays', kind: 'bool', names: 'merge.renames', words: 'copies copy' },
  { where: 'logs', kind: 'bool', names: 'log.showroot log.follow log.mailmap log.abbrevcommit' },
  { where: 'commit', kind: 'bool', names: 'commit.status commit.gpgsign' },
  { where: 'commit', kind: 'number', names: 'commit.verbose', words: 'true false yes no on off' },
  { where: 'stash', kind: 'bool', names: 'stash.showpatch stash.showstat stash.showincludeuntracked' },
]

const pushDefaults = ['nothing', 'matching', 'simple', 'upstream', 'tracking', 'current']
const movedLines = ['no', 'default', 'blocks', 'zebra', 'dimmed-zebra', 'dimmed_zebra', 'plain']

/** Throws git's message about the first value that the command cannot read. */
export function checkSettings(command: string, config: Config): void {
  const isIn = (where: string): boolean => (groups[where] ?? where).split(' ').includes(command)
  for (const { names, where, kind, words = '' } of rules) {
    if (!isIn(where)) continue
    for (const name of names.split(' ')) {
      const value = config.get(name)
      if (value === undefined || words.split(' ').includes(value.toLowerCase())) continue
      if (kind === 'bool') config.bool(name, false)
      else if ((config.number(name) ?? 0) < 0 && kind === 'natural') throw config.bad(name)
    }
  }
  const abbrev = isIn('all') ? (config.get('core.abbrev') ?? '') : ''
  if (/^\d+$/.test(abbrev) && (Number(abbrev) < 4 || Number(abbrev) > 40))
    throw config.bad('core.abbrev', `error: abbrev length out of range: ${Number(abbrev)}`)
  if (isIn('all') && [...(config.get('core.commentchar') ?? '#')].length !== 1 && config.get('core.commentchar') !== 'auto')
    throw config.bad('core.commentchar', 'error: core.commentChar should only be one character')
  const push = config.get('push.default')
  if (push !== undefined && isIn('all') && !pushDefaults.includes(push)) {
    const known = 'error: must be one of nothing, matching, simple, upstream or current'
    throw config.bad('push.default', `error: malformed value for push.default: ${push}\n${known}`)
  }
  const moved = config.get('diff.colormoved')
  if (moved !== undefined && isIn('diffs') && !movedLines.includes(moved) && !/^(?:true|false|yes|on|off|[01])?$/.test(moved)) {
    const known = movedLines.filter(name => !name.includes('_')).map(name => `'${name}'`)
    throw config.bad('diff.colormoved', `error: color moved setting must be one of ${known.join(', ')}`)
  }
  const forward = config.get('pull.ff')
  if (command === 'pull' && forward !== undefined && forward !== 'only' && boolOf(forward) === undefined)
    throw fatal(`invalid value for 'pull.ff': '${forward}'`)
}
