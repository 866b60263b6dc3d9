// The session of the demo, played without a page through the public API. Node and workerd run this same test.
/// <reference types="vite/client" />

import { createWorkspace } from 'anchorage'
import { memory } from 'anchorage/fs/memory'
import { expect, test } from 'vitest'
import { scripts, toolsetNames } from '../demo/scripts/scripts.ts'
import { runSession, textOf, type StepOutcome } from '../demo/scripts/step.ts'
import { limitsPath, testPath, testText } from '../demo/scripts/task.ts'
import { expectedLimits } from './expected-files.ts'

// Read by Vite while it bundles, so that a runtime without files has them too.
const sources: Readonly<Record<string, string>> = import.meta.glob('../src/core/*.ts', {
  query: '?raw',
  import: 'default',
  eager: true,
})
const files = Object.fromEntries(Object.entries(sources).map(([path, text]) => [path.slice('../'.length), text]))

/** The shell's engine is bundled anew for each test run, which takes seconds on a busy machine. */
const timeoutMs = 30_000

/** Declares the tests. */
export function describeSession(): void {
  test.each(toolsetNames)('the session of %s leaves exactly the bytes it should', { timeout: timeoutMs }, async name => {
    const workspace = await createWorkspace({ fs: memory(files), root: '/workspace' })
    try {
      const tools = await workspace.toolset(name)
      const outcomes: StepOutcome[] = []
      await runSession(scripts[name], { tools, fs: workspace.fs, root: workspace.root }, outcome => outcomes.push(outcome))
      expect(outcomes.length).toBe(scripts[name].length)
      // Somebody else's change came in between, and an edit that knew nothing of it was refused.
      expect(outcomes.filter(({ kind }) => kind === 'saved').length).toBe(1)
      expect(outcomes.filter(outcome => outcome.kind === 'called' && outcome.result.isError).length).toBe(1)

      const original = files[limitsPath] ?? ''
      expect(await workspace.fs.readText(`/workspace/${limitsPath}`)).toBe(expectedLimits(original))
      expect(await workspace.fs.readText(`/workspace/${testPath}`)).toBe(testText)
      for (const path of Object.keys(files).filter(other => other !== limitsPath)) {
        expect({ path, text: await workspace.fs.readText(`/workspace/${path}`) }).toEqual({ path, text: files[path] })
      }
    } finally {
      await workspace.dispose()
    }
  })

  test(
    'the stale edit is refused with a code, and the tag it names is the one the next read shows',
    { timeout: timeoutMs },
    async () => {
      const workspace = await createWorkspace({ fs: memory(files), root: '/workspace' })
      try {
        const tools = await workspace.toolset('atomic')
        const results = new Map<string, StepOutcome>()
        await runSession(scripts.atomic, { tools, fs: workspace.fs, root: workspace.root }, outcome =>
          results.set(outcome.step.id, outcome),
        )
        const refusal = results.get('edit-stale')
        const reading = results.get('read-again')
        if (refusal?.kind !== 'called' || reading?.kind !== 'called') throw new Error('The session has other steps now.')
        expect(refusal.result).toMatchObject({ isError: true, details: { error: { code: expect.stringMatching(/^[a-z-]+$/) } } })
        const tag = /#([0-9A-F]{4})\]/.exec(textOf(reading.result))?.[1] ?? 'no tag'
        expect(textOf(refusal.result)).toContain(tag)
        expect(textOf(reading.result)).toContain('bashMaxBytes: 256 * 1024,')
      } finally {
        await workspace.dispose()
      }
    },
  )
}
