import { describe, expect, it } from 'vitest'
import { gnuCases, gnuFiles } from '../../testing/gnu/gnu-cases.ts'
import { runGnuCase } from '../../testing/gnu/run-gnu-case.ts'

describe('our commands answer as GNU does', () => {
  it.each(gnuCases)('%s', async (script, output, exitCode) => {
    expect(await runGnuCase(script, gnuFiles)).toEqual({ output, exitCode })
  })
})
