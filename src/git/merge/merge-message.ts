// The prepared message of a merge: `Merge branch 'x' into y`, the text of merged tags, and the subjects of merged commits.

import { compileWildcard, matchesWildcard } from '../../search/wildmatch.ts'
import { encodeText } from '../../shell/byte-text.ts'
import type { Repository } from '../repository.ts'
import { shortRefName } from '../store/refs.ts'
import type { MergeHead } from './merge-heads.ts'

const kinds = ['branch ', 'remote-tracking branch ', 'tag ']

/** Without a line feed at the end. */
export async function mergeMessage(repository: Repository, heads: readonly MergeHead[], intoName?: string): Promise<string> {
  // Names of one place are listed together, by kind.
  const places = new Map<string, string[]>()
  for (const { described } of heads) {
    const [what = '', place] = described.split(' of ')
    const key = place ?? what
    places.set(key, [...(places.get(key) ?? []), place === undefined ? '' : what])
  }
  const parts = [...places].map(([place, names]) => {
    const listed = kinds.flatMap(kind => joined(kind, names))
    const others = joined(
      'commit ',
      names.filter(name => name !== '' && !kinds.some(kind => name.startsWith(kind))),
      '',
    )
    const all = [...(names.includes('') && listed.length > 0 ? ['HEAD'] : []), ...listed, ...others].join(', ')
    return all === '' ? place : place === '.' ? all : `${all} of ${place}`
  })
  return `Merge ${parts.join('; ')}${await intoText(repository, intoName)}`
}

function joined(kind: string, names: readonly string[], prefix: string = kind): readonly string[] {
  const own = names.filter(name => name !== '' && name.startsWith(prefix)).map(name => name.slice(prefix.length))
  const last = own.at(-1)
  if (last === undefined) return []
  const plural = kind.replace(/(ch)? $/, (_, hiss?: string) => (hiss === undefined ? 's ' : 'ches '))
  return [own.length === 1 ? kind + last : `${plural}${own.slice(0, -1).join(', ')} and ${last}`]
}

/** The text of annotated tags among what is merged. */
export async function tagTexts(repository: Repository, heads: readonly MergeHead[], mark: string): Promise<string> {
  const tags = heads.filter(({ tag }) => tag !== undefined)
  let texts = ''
  for (const { tag, described } of tags) {
    const { message } = await repository.objects.readTag(tag ?? '')
    const name = `${mark} ${originOf(described)}\n`
    const [text = '', signature] = message.split(/(?=^-----BEGIN [A-Z ]+-----$)/m)
    const shownSignature =
      signature === undefined ? '' : `\n${signature.replaceAll(/^(?=[^\n])/gm, `${mark} `).replaceAll(/^(?=\n)/gm, mark)}`
    texts += `\n${tags.length > 1 ? name : ''}${text.endsWith('\n') ? text : `${text}\n`}${shownSignature}`
  }
  return texts
}

/** What a list of merged commits is headed with. */
export function originOf(described: string): string {
  const [what = '', place = '.'] = described.split(' of ')
  const name = what.replace(/^(?:remote-tracking )?branch /, '')
  return place === '.' ? name.replace(/^'(.*)'$/, '$1') : `${name} of ${place}`
}

/** ` into x`, or nothing for the branches in `merge.suppressDest`. */
async function intoText(repository: Repository, intoName?: string): Promise<string> {
  const { branch } = await repository.head()
  const into = intoName ?? (branch === undefined ? 'HEAD' : shortRefName(branch))
  const configured = repository.config().all('merge.suppressdest')
  const hidden = configured.length === 0 ? ['main', 'master'] : configured.slice(configured.lastIndexOf('') + 1)
  return hidden.some(pattern => matchesWildcard(compileWildcard(encodeText(pattern), true), encodeText(into)))
    ? ''
    : ` into ${into}`
}
