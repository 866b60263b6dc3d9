// Expands the backslash escapes of a prompt, for `${x@P}`.

import { formatTime, inZone } from '../format/time-format.ts'
import { bashVersion } from './dynamic-variables.ts'
import type { Shell } from './shell.ts'

export function expandPromptEscapes(shell: Shell, text: string): string {
  return text.replace(/\\(?:([0-7]{3})|D\{([^}]*)\}|([^]))/g, (all, octal?: string, format?: string, code = '') => {
    if (octal !== undefined) return String.fromCharCode(Number.parseInt(octal, 8))
    return format === undefined ? (escapes[code]?.(shell) ?? all) : time(shell, format === '' ? '%X' : format)
  })
}

const escapes: Readonly<Record<string, (shell: Shell) => string>> = {
  a: () => '\x07',
  e: () => '\x1b',
  n: () => '\n',
  r: () => '\r',
  '\\': () => '\\',
  '[': () => '',
  ']': () => '',
  $: () => '$',
  '!': () => '1',
  '#': () => '1',
  j: shell => String(shell.jobs.all().length),
  l: () => 'tty',
  s: shell => shell.name.slice(shell.name.lastIndexOf('/') + 1),
  u: shell => shell.variables.get('USER') ?? 'user',
  h: shell => host(shell).replace(/\..*/, ''),
  H: host,
  v: () => bashVersion.replace(/\.[^.]*$/, ''),
  V: () => bashVersion.replace(/\(.*/, ''),
  w: shell => homeAsTilde(shell),
  W: shell => (homeAsTilde(shell) === '~' ? '~' : shell.cwd.slice(shell.cwd.lastIndexOf('/') + 1) || '/'),
  t: shell => time(shell, '%H:%M:%S'),
  T: shell => time(shell, '%I:%M:%S'),
  A: shell => time(shell, '%H:%M'),
  '@': shell => time(shell, '%I:%M %p'),
  d: shell => time(shell, '%a %b %d'),
}

function host(shell: Shell): string {
  return shell.variables.get('HOSTNAME') ?? 'localhost'
}

function homeAsTilde(shell: Shell): string {
  const home = shell.variables.get('HOME') ?? ''
  if (home === '' || home === '/') return shell.cwd
  return shell.cwd === home || shell.cwd.startsWith(`${home}/`) ? `~${shell.cwd.slice(home.length)}` : shell.cwd
}

function time(shell: Shell, format: string): string {
  const zoned = inZone(Date.now(), shell.variables.get('TZ') ?? '') ?? inZone(Date.now(), '')
  return zoned === undefined ? '' : formatTime(format, zoned)
}
