// Where a member is extracted: --transform changes its name, --strip-components shortens it, --one-top-level puts a directory before it.

import { climbs, plainName, stripped } from './names.ts'
import type { TarOptions } from './options.ts'
import { transformer, type NameKind } from './transform.ts'

/** Returns the path inside the directory, or an empty text for a member that is left out. Throws for a name with `..`. */
export function placer({ transforms, stripComponents, topLevel }: TarOptions): (name: string, kind: NameKind) => string {
  const transform = transformer(transforms)
  return (name, kind) => {
    const given = transform(name.replace(/\/+$/, ''), kind)
    if (climbs(given)) throw new Error(`${kind === 'link' ? "the link's target" : 'the name'} contains '..', so it was skipped`)
    const place = stripped(given, stripComponents)
    if (topLevel === undefined || place === '' || place === topLevel || place.startsWith(`${topLevel}/`)) return place
    return `${topLevel}/${place}`
  }
}

/** The directory of `--one-top-level`: the value, or the name of the archive without its suffix. */
export function topLevelOf(value: string, archive: string): string {
  if (value !== '') {
    if (climbs(value) || value.startsWith('/') || plainName(value) === '')
      throw new Error(`--one-top-level=${value}: the directory must lie below the current one; use -C for another`)
    return plainName(value)
  }
  const name = archive.split('/').at(-1) ?? ''
  const [, stem] = /^(.+?)(?:\.tar(?:\.\w+)?|\.t[gbxal]z|\.tzst)$/.exec(name) ?? []
  if (stem === undefined) throw new Error('the name of the archive gives no directory; give one with --one-top-level=DIR')
  return stem
}
