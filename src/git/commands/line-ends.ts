// `git ls-files --eol`: the line ends of a file in the index and in the work tree, and what its attributes say of them.

import type { IndexEntry } from '../index/git-index.ts'
import type { Repository } from '../repository.ts'
import { modes } from '../store/object-format.ts'
import type { AttributeValues } from '../work/attributes.ts'
import { statsOf } from '../work/convert.ts'

export async function lineEnds(repository: Repository, path: string, entry: IndexEntry | undefined): Promise<string> {
  const tree = await repository.workTree()
  const isFile = entry?.mode === modes.file || entry?.mode === modes.executable
  const indexed = isFile ? kindOf(await repository.objects.readBlob(entry.oid)) : ''
  const stat = await tree.lstat(path)
  const bytes = stat?.kind === 'file' ? await repository.files.read(tree.pathOf(path)) : undefined
  const found = bytes === undefined ? '' : kindOf(bytes)
  const attribute = attributeOf(await repository.attributes().of(path))
  return `i/${indexed.padEnd(5)} w/${found.padEnd(5)} attr/${attribute.padEnd(17)}\t`
}

function kindOf(bytes: Uint8Array): string {
  if (bytes.length === 0) return 'none'
  const { isBinary, crlf, loneLf } = statsOf(bytes)
  if (isBinary) return '-text'
  return crlf > 0 && loneLf > 0 ? 'mixed' : crlf > 0 ? 'crlf' : loneLf > 0 ? 'lf' : 'none'
}

function attributeOf(values: AttributeValues): string {
  const known = (value: string | boolean | undefined): boolean =>
    value === true || value === false || value === 'input' || value === 'auto'
  const text = known(values.get('text')) ? values.get('text') : values.get('crlf')
  if (text === false) return '-text'
  const given = values.get('eol')
  const eol = given === 'lf' || given === 'crlf' ? given : text === 'input' ? 'lf' : undefined
  if (text === 'auto') return eol === undefined ? 'text=auto' : `text=auto eol=${eol}`
  return eol === undefined ? (text === true ? 'text' : '') : `text eol=${eol}`
}
