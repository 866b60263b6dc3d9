// The timestamps of `ls -l` in the formats of --time-style and TIME_STYLE.

import { formatTime, inZone } from '../../format/time-format.ts'

export type ShowTime = (timeMs: number) => string

/** The formats for the last six months, and for all other times. */
interface TimeStyle {
  readonly recent: string
  readonly other: string
}

const styles: Readonly<Record<string, TimeStyle>> = {
  'full-iso': { recent: '%F %T.%N %z', other: '%F %T.%N %z' },
  'long-iso': { recent: '%F %H:%M', other: '%F %H:%M' },
  iso: { recent: '%m-%d %H:%M', other: '%F ' },
  locale: { recent: '%b %e %H:%M', other: '%b %e  %Y' },
}

const halfYearMs = (31_556_952 / 2) * 1000

/** Returns a formatter for times in `zone`, or an error message if `style` is invalid. */
export function showTimes(style: string, zone: string): ShowTime | string {
  const found = style.startsWith('+') ? ownStyle(style.slice(1)) : styleOf(style.replace(/^posix-/, ''))
  if (found === undefined)
    return `invalid argument '${style}' for 'time style'; valid are ${Object.keys(styles).join(', ')} and +FORMAT`
  return timeMs => {
    // Files that are written in the same millisecond get times a little ahead of the clock, so that their order shows.
    const nowMs = Date.now() + 1000
    const isRecent = nowMs - halfYearMs < timeMs && timeMs <= nowMs
    const time = inZone(timeMs, zone) ?? inZone(timeMs, '')
    return time === undefined ? '' : formatTime(isRecent ? found.recent : found.other, time)
  }
}

/** A format of two lines has the format for old times first, then the one for recent times. */
function ownStyle(format: string): TimeStyle {
  const [other = '', recent = other] = format.split('\n')
  return { recent, other }
}

/** Styles may be abbreviated if the abbreviation is unambiguous. */
function styleOf(given: string): TimeStyle | undefined {
  const exact = Object.hasOwn(styles, given) ? styles[given] : undefined
  const [first, ...others] = Object.keys(styles).filter(name => name.startsWith(given))
  return exact ?? (first === undefined || others.length > 0 ? undefined : styles[first])
}
