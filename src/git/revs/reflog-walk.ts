// The entries of one or several reflogs, newest first, with the names by which they are shown.

import type { Repository } from '../repository.ts'
import { zeroId } from '../store/object-format.ts'
import type { ReflogEntry } from '../store/refs.ts'
import { approximateDate } from './read-date.ts'
import { findRef } from './revision.ts'

export interface ReflogRow {
  readonly entry: ReflogEntry
  readonly index: number
  /** The name before `@{…}`. */
  readonly name: string
  /** How it was asked for: by its number, by a date, or neither. */
  readonly selector: 'number' | 'date' | undefined
}

interface Source {
  readonly rows: readonly ReflogRow[]
  at: number
}

/** `names` as they were given: `main`, `HEAD@{2}`, `main@{yesterday}`. Of several logs the newest entry comes next. */
export async function walkReflogs(repository: Repository, names: readonly string[], now: number): Promise<readonly ReflogRow[]> {
  const sources: Source[] = []
  for (const name of names) sources.push({ rows: await rowsOf(repository, name, now), at: 0 })
  const found: ReflogRow[] = []
  for (;;) {
    let best: Source | undefined
    for (const source of sources) {
      const time = source.rows[source.at]?.entry.who.time
      const bestTime = best?.rows[best.at]?.entry.who.time
      if (time !== undefined && (bestTime === undefined || time > bestTime)) best = source
    }
    const row = best?.rows[best.at]
    if (best === undefined || row === undefined) return found
    best.at++
    found.push(row)
  }
}

/** `main@{1}` has a number and `main@{yesterday}` a date; `main@{u}` is a name. */
function selectorOf(inside: string | undefined): ReflogRow['selector'] {
  if (inside === undefined || /^(u|upstream|push)$/i.test(inside)) return undefined
  return /^\d+$/.test(inside) ? 'number' : 'date'
}

async function rowsOf(repository: Repository, shownName: string, now: number): Promise<readonly ReflogRow[]> {
  const [, base = '', inside] = /^(.*?)(?:@\{([^}]*)\})?$/s.exec(shownName) ?? []
  const isHead = base === '' || base === 'HEAD' || base === '@'
  const name = isHead ? 'HEAD' : ((await findRef(repository, base))?.name ?? base)
  // Git finds the logs of branches by their short names; those of tags and remotes it shows with the full one.
  const isShort = base === name || name === `refs/${base}` || name.startsWith('refs/heads/')
  const shown = isHead ? 'HEAD' : isShort ? base : name
  const entries = (await repository.refs.readLog(name)).toReversed()
  const kind = selectorOf(inside)
  const time = kind === 'date' ? approximateDate(inside ?? '', now) : Number.POSITIVE_INFINITY
  const first = kind === 'number' ? Number(inside) : entries.findIndex(({ who }) => who.time <= time)
  return (
    entries
      .map((entry, index) => ({ entry, index, name: shown, selector: kind }))
      .slice(first === -1 ? entries.length : first)
      // Between the two entries of a renamed branch there is no commit.
      .filter(({ entry }) => entry.after !== zeroId)
  )
}
