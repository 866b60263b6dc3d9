// How commits are shown by the options and the configuration of `log`, `show` and `diff-tree`.

import { wantsColor } from '../color/wants-color.ts'
import { fatal } from '../errors.ts'
import type { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import { formatDate } from '../revs/date.ts'
import { chosenDecorations } from '../revs/decorations.ts'
import type { PrettyContext } from '../revs/pretty.ts'
import { type PrettyForm, readPretty } from '../revs/pretty-form.ts'
import { boolOf, type Config } from '../store/config.ts'

export function prettyForm(options: Options, config: Config): PrettyForm {
  const format = options.given.findLast(({ key }) => key === 'oneline' || key === 'pretty' || key === 'format')
  const text =
    format === undefined
      ? (config.get('format.pretty') ?? 'medium')
      : format.key === 'oneline'
        ? 'oneline'
        : (format.value ?? 'medium')
  return readPretty(text, config)
}

type PrettySettings = Pick<
  PrettyContext,
  | 'isAbbreviated'
  | 'abbrev'
  | 'showsFullIds'
  | 'dateMode'
  | 'decorations'
  | 'showsDecorations'
  | 'showsSource'
  | 'encoding'
  | 'isColored'
  | 'tabWidth'
>

export function prettySettings(repository: Repository, options: Options, isPlumbing: boolean): PrettySettings {
  const config = repository.config()
  const abbrev = options.value('abbrev')
  const abbreviates = options.given.findLast(({ key }) => key === 'oneline' || key === 'abbrev-commit')
  const isAbbreviated =
    (abbreviates !== undefined && !abbreviates.isNegated && !options.isNegated('abbrev')) ||
    (config.has('log.abbrevcommit') && config.bool('log.abbrevcommit', false) && !options.isNegated('abbrev-commit'))
  const decorations = chosenDecorations(repository, options)
  const givenStyle = options.value('decorate') ?? 'short'
  const style = options.has('decorate')
    ? decorationStyle(givenStyle)
    : options.isNegated('decorate')
      ? 'no'
      : (decorationStyle(config.get('log.decorate') ?? 'no') ?? 'no')
  if (style === undefined) throw fatal(`invalid --decorate option: ${givenStyle}`)
  return {
    isAbbreviated,
    abbrev: abbrev === undefined ? undefined : Math.max(4, Number(abbrev)),
    showsFullIds: options.isNegated('abbrev'),
    dateMode: checkedDateMode(options.value('date') ?? config.get('log.date') ?? 'default'),
    decorations: (oid, form) => decorations.of(oid, form),
    showsDecorations: style,
    showsSource: options.has('source'),
    encoding: options.value('encoding'),
    isColored: isPlumbing ? options.has('color') && wantsColor(options, config, []) : wantsColor(options, config, ['color.diff']),
    tabWidth: options.isNegated('expand-tabs') ? 0 : Number(options.value('expand-tabs') ?? 8),
  }
}

/** Of `--decorate` and `log.decorate`; `auto` is for a terminal. */
function decorationStyle(text: string): PrettyContext['showsDecorations'] | undefined {
  if (text === 'full' || text === 'short') return text
  const meant = text === 'auto' ? false : boolOf(text)
  return meant === undefined ? undefined : meant ? 'short' : 'no'
}

function checkedDateMode(mode: string): string {
  if (formatDate({ time: 0, zone: '+0000' }, mode, 0) === undefined) throw fatal(`unknown date format ${mode}`)
  return mode
}
