// The summary after a merge: a bar for each file, the totals, and created, deleted and renamed files.

import { decodeText } from '../../shell/byte-text.ts'
import { CallOutput } from '../call.ts'
import { DiffRenderer } from '../diff/render.ts'
import { readDiffSettings } from '../diff/settings.ts'
import { diffOptionRows } from '../diff/option-rows.ts'
import { diffTrees } from '../diff/tree-diff.ts'
import { parseOptions } from '../options.ts'
import type { Repository } from '../repository.ts'
import type { ObjectId } from '../store/object-format.ts'

/** `short` leaves out the bars. Ends with a line feed; '' if nothing changed. */
export async function changeSummary(
  repository: Repository,
  before: ObjectId | undefined,
  after: ObjectId,
  form: 'long' | 'short',
): Promise<string> {
  const options = parseOptions(
    { rows: diffOptionRows, usage: '' },
    form === 'long' ? ['--stat', '--summary'] : ['--shortstat', '--summary', '-M'],
  )
  const settings = await readDiffSettings(options, { format: undefined, config: repository.config(), prefix: '' })
  const renderer = new DiffRenderer(repository, { ...settings, relative: undefined })
  const parts: string[] = []
  const output = new CallOutput({
    write: data => void parts.push(typeof data === 'string' ? data : decodeText(data)),
  })
  await renderer.write(output, await renderer.pairs(await diffTrees(repository, before, after)))
  await output.flush()
  return parts.join('')
}
