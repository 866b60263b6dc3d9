// Scripts of the kinds that coding agents write, run by the machine's bash and by ours: the same output, code and files.
import { describe, expect, it } from 'vitest'
import corpus from '../../testing/bash-corpus/corpus.json' with { type: 'json' }
import { hasBash, runBash, runOurs } from '../../testing/bash-scripts/run-both.ts'

if (!hasBash) console.info('real bash is not asked: there is no bash 5.2 here')

describe.skipIf(!hasBash)('ours answers as bash does', () => {
  it.each(corpus.scripts.map(script => [script] as const))(
    '%s',
    async script => {
      const { output, code, files } = await runBash(script, corpus.files)
      expect(await runOurs(script, corpus.files)).toEqual({ output, code, files })
    },
    30_000,
  )
})
