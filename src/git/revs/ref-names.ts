// The shortest unambiguous name of a reference.

import type { Repository } from '../repository.ts'

const places = ['refs/heads/', 'refs/tags/', 'refs/remotes/', 'refs/'] as const
const rules = ['', 'refs/', 'refs/tags/', 'refs/heads/', 'refs/remotes/'] as const

export async function shortestRef(repository: Repository, full: string): Promise<string> {
  for (const place of places) {
    if (!full.startsWith(place)) continue
    const short = full.slice(place.length)
    let isTaken = false
    for (const rule of rules) {
      const other = rule + short
      if (other === full) continue
      if (rule === '' && !/^(refs\/.|[A-Z_]+$)/.test(other)) continue
      if ((await repository.refs.read(other)) !== undefined) isTaken = true
    }
    if (!isTaken) return short
    return full.replace(/^refs\//, '')
  }
  return full
}
