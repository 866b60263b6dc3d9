// Which references a remote has under which names here.

export interface RefSpec {
  readonly from: string
  /** '' for none. */
  readonly to: string
  readonly isForced: boolean
}

export function parseRefSpec(text: string): RefSpec {
  const plain = text.replace(/^\+/, '')
  const colon = plain.indexOf(':')
  return {
    from: colon === -1 ? plain : plain.slice(0, colon),
    to: colon === -1 ? '' : plain.slice(colon + 1),
    isForced: text.startsWith('+'),
  }
}

/** The destination of a reference according to a spec; `undefined` if the spec does not include it. */
export function mapped(spec: RefSpec, name: string): string | undefined {
  const star = spec.from.indexOf('*')
  if (star === -1) return spec.from === name ? spec.to : undefined
  const [head, tail] = [spec.from.slice(0, star), spec.from.slice(star + 1)]
  if (!name.startsWith(head) || !name.endsWith(tail) || name.length < head.length + tail.length) return undefined
  return spec.to.replace('*', () => name.slice(head.length, name.length - tail.length))
}
