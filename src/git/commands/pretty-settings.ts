// How commits are shown by the options and the configuration of `log`, `show` and `diff-tree`.

import { wantsColor } from '../color/wants-color.ts'
import { fatal, notBuilt } from '../errors.ts'
import type { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import { formatDate } from '../revs/date.ts'
import { Decorations } from '../revs/decorations.ts'
import type { PrettyContext } from '../revs/pretty.ts'
import { type PrettyForm, readPretty } from '../revs/pretty-form.ts'
import type { Config } from '../store/config.ts'

export function prettyForm(options: Options, config: Config): PrettyForm {
  const format = options.given.findLast(({ key }) => key === 'oneline' || key === 'pretty' || key === 'format')
  const text =
    format === undefined
      ? (config.get('format.pretty') ?? 'medium')
      : format.key === 'oneline'
        ? 'oneline'
        : (format.value ?? 'medium')
  return readPretty(text, name => config.get(`pretty.${name}`))
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
  | 'isColored'
  | 'tabWidth'
>

export function prettySettings(repository: Repository, options: Options, isPlumbing: boolean): PrettySettings {
  const config = repository.config()
  refuseOutputEncoding(config)
  const abbrev = options.value('abbrev')
  const abbreviates = options.given.findLast(({ key }) => key === 'oneline' || key === 'abbrev-commit')
  const isAbbreviated =
    (abbreviates !== undefined && !abbreviates.isNegated && !options.isNegated('abbrev')) ||
    (config.has('log.abbrevcommit') && config.bool('log.abbrevcommit', false) && !options.isNegated('abbrev-commit'))
  const isChosen = ['decorate-refs', 'decorate-refs-exclude', 'clear-decorations'].some(key => options.has(key))
  const left = isChosen ? [] : config.all('log.excludedecoration')
  const decorations = new Decorations(repository, {
    wanted: options.values('decorate-refs'),
    unwanted: [...options.values('decorate-refs-exclude'), ...left],
    showsAll: options.has('clear-decorations') || left.length > 0,
  })
  const decorate = options.has('decorate')
    ? (options.value('decorate') ?? 'short')
    : options.isNegated('decorate')
      ? 'no'
      : (config.get('log.decorate') ?? 'no')
  return {
    isAbbreviated,
    abbrev: abbrev === undefined ? undefined : Math.max(4, Number(abbrev)),
    showsFullIds: options.isNegated('abbrev'),
    dateMode: checkedDateMode(options.value('date') ?? config.get('log.date') ?? 'default'),
    decorations: (oid, form) => decorations.of(oid, form),
    showsDecorations:
      decorate === 'full' ? 'full' : decorate === 'no' || decorate === 'auto' || decorate === 'false' ? 'no' : 'short',
    showsSource: options.has('source'),
    isColored: isPlumbing ? options.has('color') && wantsColor(options, config, []) : wantsColor(options, config, ['color.diff']),
    tabWidth: options.isNegated('expand-tabs') ? 0 : Number(options.value('expand-tabs') ?? 8),
  }
}

function checkedDateMode(mode: string): string {
  if (formatDate({ time: 0, zone: '+0000' }, mode, 0) === undefined) throw fatal(`unknown date format ${mode}`)
  return mode
}

/** Messages are printed in UTF-8. */
function refuseOutputEncoding(config: Config): void {
  const encoding = config.get('i18n.logoutputencoding') ?? config.get('i18n.commitencoding')
  if (encoding !== undefined && !/^utf-?8$/i.test(encoding)) throw notBuilt(`printing messages in ${encoding}`)
}
