// Scripts of the kinds that coding agents write, run by the machine's bash and by ours: the same output, code and files.
import { expect, it } from 'vitest'
import corpus from '../../testing/bash-corpus/corpus.json' with { type: 'json' }
import { isDeep } from '../../testing/depth.ts'
import { hasBash, runBash, runOurs } from '../../testing/bash-scripts/run-both.ts'
import { describeUnless, whyNotInstalled } from '../../testing/suites.ts'

// A script starts a real bash, so the quick run has every sixth.
const scripts = corpus.scripts.filter((_script, index) => isDeep || index % 6 === 0)

describeUnless(whyNotInstalled(hasBash, 'bash 5.2'), 'ours answers as bash does', () => {
  it.each(scripts.map(script => [script] as const))('%s', async script => {
    const { output, code, files } = await runBash(script, corpus.files)
    expect(await runOurs(script, corpus.files)).toEqual({ output, code, files })
  })
})
