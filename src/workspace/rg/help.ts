// Help, man page and completions, all generated from the table of flags.

import { type Flag, type FlagCategory, flags } from './flags.ts'

const categories: readonly (readonly [FlagCategory, title: string])[] = [
  ['input', 'INPUT OPTIONS'],
  ['search', 'SEARCH OPTIONS'],
  ['filter', 'FILTER OPTIONS'],
  ['output', 'OUTPUT OPTIONS'],
  ['output modes', 'OUTPUT MODES'],
  ['logging', 'LOGGING OPTIONS'],
  ['other', 'OTHER BEHAVIORS'],
]

const usage = `rg searches the files below the working directory for a regular expression, obeying ignore files.

USAGE:
  rg [OPTIONS] PATTERN [PATH ...]
  rg [OPTIONS] -e PATTERN ... [PATH ...]
  rg [OPTIONS] -f PATTERNFILE ... [PATH ...]
  rg [OPTIONS] --files [PATH ...]
  rg [OPTIONS] --type-list
  command | rg [OPTIONS] PATTERN
  rg --help
  rg --version
`

export function helpText(isShort: boolean): string {
  const sections = categories.map(([category, title]) => {
    const rows = flags.filter(flag => flag.category === category).map(flag => (isShort ? shortRow(flag) : longRow(flag)))
    return `${title}:\n${rows.join(isShort ? '\n' : '\n\n')}`
  })
  return `${usage}\n${sections.join('\n\n')}\n`
}

function namesOf({ short, name, value }: Flag): string {
  return `${short === undefined ? '    ' : `-${short}, `}--${name}${value === undefined ? '' : `=${value}`}`
}

const helpColumn = 40

function shortRow(flag: Flag): string {
  const [first = ''] = flag.help.split(/(?<=\.)\s/)
  return `  ${namesOf(flag).padEnd(helpColumn)} ${first}`
}

function longRow(flag: Flag): string {
  const negated = flag.negated === undefined ? '' : `\n          Taken back by --${flag.negated}.`
  return `  ${namesOf(flag)}\n          ${flag.help}${negated}`
}

const shortVersion = 'ripgrep 15.0.0 (as Anchorage implements it)\n'
export const perlVersion = 'PCRE2 10.45 is available, as Anchorage implements it (JIT is not available)\n'

export function versionText(isShort: boolean): string {
  return isShort ? shortVersion : `${shortVersion}\nfeatures:+pcre2\n\n${perlVersion}`
}

/** Returns a man page or the completions for a shell. */
export function generated(kind: string): string {
  switch (kind) {
    case 'man':
      return manPage()
    case 'complete-bash':
      return bashCompletion()
    case 'complete-zsh':
      return `#compdef rg\n_arguments -s -S \\\n${flags.flatMap(zshRows).join(' \\\n')} \\\n  '*: :_files'\n`
    default:
      return flags.map(fishRow).join('')
  }
}

function longNames(flag: Flag): readonly string[] {
  return [flag.name, ...(flag.aliases ?? []), ...(flag.negated === undefined ? [] : [flag.negated])]
}

function bashCompletion(): string {
  const words = flags.flatMap(flag => [
    ...(flag.short === undefined ? [] : [`-${flag.short}`]),
    ...longNames(flag).map(name => `--${name}`),
  ])
  const choices = flags
    .filter(flag => flag.choices !== undefined)
    .map(flag => `    --${flag.name}) COMPREPLY=($(compgen -W "${flag.choices?.join(' ')}" -- "$cur")); return 0 ;;`)
  return `_rg() {
  local cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  case "$prev" in
${choices.join('\n')}
  esac
  if [[ "$cur" == -* ]]; then
    COMPREPLY=($(compgen -W "${words.join(' ')}" -- "$cur"))
  else
    COMPREPLY=($(compgen -f -- "$cur"))
  fi
}
complete -F _rg -o bashdefault -o default rg
`
}

const quotedHelp = (flag: Flag): string => flag.help.replaceAll("'", '’').replaceAll(/[[\]:]/g, ' ')

function zshRows(flag: Flag): readonly string[] {
  const value =
    flag.value === undefined ? '' : `:${flag.value}:${flag.choices === undefined ? '' : `(${flag.choices.join(' ')})`}`
  return [
    ...(flag.short === undefined ? [] : [`  '-${flag.short}[${quotedHelp(flag)}]${value}'`]),
    `  '--${flag.name}[${quotedHelp(flag)}]${value}'`,
    ...(flag.negated === undefined ? [] : [`  '--${flag.negated}[${quotedHelp(flag)}]'`]),
  ]
}

function fishRow(flag: Flag): string {
  const short = flag.short === undefined ? '' : ` -s ${flag.short}`
  const value = flag.value === undefined ? '' : flag.choices === undefined ? ' -r' : ` -r -f -a '${flag.choices.join(' ')}'`
  const row = `complete -c rg${short} -l ${flag.name} -d '${quotedHelp(flag)}'${value}\n`
  return flag.negated === undefined ? row : `${row}complete -c rg -l ${flag.negated} -d 'Takes back --${flag.name}'\n`
}

function manPage(): string {
  const escaped = (text: string): string => text.replaceAll('\\', '\\\\').replaceAll('-', '\\-')
  const rows = categories.map(([category, title]) => {
    const own = flags.filter(flag => flag.category === category)
    return `.SH ${title}\n${own.map(flag => `.TP\n\\fB${escaped(namesOf(flag).trim())}\\fP\n${escaped(flag.help)}\n`).join('')}`
  })
  return `.TH RG 1\n.SH NAME\nrg \\- search files for a regular expression\n.SH SYNOPSIS\n\\fBrg\\fP [\\fIOPTIONS\\fP] \\fIPATTERN\\fP [\\fIPATH\\fP...]\n${rows.join('')}`
}
