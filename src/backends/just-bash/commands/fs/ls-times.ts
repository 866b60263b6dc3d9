// The times of `ls -l`, as --time-style and TIME_STYLE ask for them.

import { formatTime, inZone } from '../../format/time-format.ts'

export type ShowTime = (timeMs: number) => string

/** Of the last half year, and of everything else. */
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

/** How times are shown in `zone`; a text says what is wrong with `style`. */
export function showTimes(style: string, zone: string): ShowTime | string {
  const found = style.startsWith('+') ? ownStyle(style.slice(1)) : styleOf(style.replace(/^posix-/, ''))
  if (found === undefined)
    return `invalid argument '${style}' for 'time style'; valid are ${Object.keys(styles).join(', ')} and +FORMAT`
  const nowMs = Date.now()
  return timeMs => {
    const isRecent = nowMs - halfYearMs < timeMs && timeMs <= nowMs
    const time = inZone(timeMs, zone) ?? inZone(timeMs, '')
    return time === undefined ? '' : formatTime(isRecent ? found.recent : found.other, time)
  }
}

/** Two lines are the formats of old and of recent times. */
function ownStyle(format: string): TimeStyle {
  const [other = '', recent = other] = format.split('\n')
  return { recent, other }
}

/** Names may be cut short, as long as they can be only one. */
function styleOf(given: string): TimeStyle | undefined {
  const exact = Object.hasOwn(styles, given) ? styles[given] : undefined
  const [first, ...others] = Object.keys(styles).filter(name => name.startsWith(given))
  return exact ?? (first === undefined || others.length > 0 ? undefined : styles[first])
}
