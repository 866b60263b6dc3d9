// Revisions that are not arguments: the lines of stdin, and both sides of a conflict.

import { fatal } from '../errors.ts'
import { Options } from '../options.ts'
import type { Repository } from '../repository.ts'
import { mergeBases } from '../revs/merge-base.ts'
import type { RevisionArguments } from '../revs/revision-arguments.ts'

/** The lines of the input are revisions; those after `--` are paths. */
export function withStdin(input: string, options: Options): Options {
  const lines = input.split('\n').filter(line => line !== '')
  const dashes = lines.indexOf('--')
  const words = dashes === -1 ? lines : lines.slice(0, dashes)
  if (words.some(word => word.startsWith('-'))) throw fatal('options not supported in --stdin mode')
  const paths = dashes === -1 ? options.paths : [...(options.paths ?? []), ...lines.slice(dashes + 1)]
  return new Options(options.given, [...options.words, ...words], paths)
}

/** `--merge`: the changes of both sides to the files in conflict. */
export async function ofConflict(repository: Repository, args: RevisionArguments): Promise<RevisionArguments> {
  const [ours, theirs] = [await repository.refs.idOf('HEAD'), await repository.refs.idOf('MERGE_HEAD')]
  if (ours === undefined) throw fatal('--merge without HEAD?')
  if (theirs === undefined) throw fatal('--merge without MERGE_HEAD?')
  const bases = await mergeBases(repository, ours, [theirs])
  const conflicts = (await repository.readIndex()).conflicts()
  return {
    revisions: [
      ...args.revisions,
      { oid: ours, text: 'HEAD', isExcluded: false },
      { oid: theirs, text: 'MERGE_HEAD', isExcluded: false },
      ...bases.map(oid => ({ oid, text: oid, isExcluded: true })),
    ],
    symmetric: { left: ours, right: theirs, bases },
    paths: [...args.paths, ...conflicts.map(path => `:(top,literal)${path}`)],
  }
}
