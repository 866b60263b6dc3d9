// Forks in random order with work outside of them: every line that somebody wrote is somewhere after the merge, and what could not be merged
// is named.

import { expect, test } from 'vitest'
import { memory } from '../backends/memory/index.ts'
import { seeds } from '../testing/depth.ts'
import { forSeeds, type Random } from '../testing/random.ts'
import type { Vfs } from '../vfs/vfs.ts'
import { createWorkspace } from './create-workspace.ts'

const rounds = seeds({ quick: 25, deep: 2_000 })
const isIn = (path: string, place: string): boolean => path === place || path.startsWith(`${place}/`)

test(`${rounds} forks with work on both sides: nothing is silently lost`, async () => {
  const seen = { merged: 0, conflicts: 0, clean: 0 }
  await forSeeds(rounds, async random => {
    const base = ['a', 'b', 'd/c', 'd/e'].map(name => [
      name,
      Array.from({ length: 8 }, (_, index) => `base ${name} ${index}\n`).join(''),
    ])
    const workspace = await createWorkspace({ fs: memory(Object.fromEntries(base)), shell: 'none', history: true })
    const fork = await workspace.fork({ actor: { kind: 'agent', name: 'helper' } })
    const token = tokens()
    for (let merge = 0; merge < 2; merge++) {
      for (let step = random.below(10); step >= 0; step--) {
        const isFork = random.chance(0.5)
        await act(random, isFork ? fork.fs : workspace.fs, `${isFork ? 'fork' : 'main'} ${token()}`)
      }
      const [main, forked] = [await contents(workspace.fs), await contents(fork.fs)]
      const isRefusing = random.chance(0.2)
      const result = await fork.merge({ onConflict: isRefusing ? 'refuse' : 'leave' })
      const after = await contents(workspace.fs)
      seen.merged += result.merged.length
      seen.conflicts += result.conflicts.length
      if (result.conflicts.length === 0) seen.clean++
      if (result.outcome === 'conflict') {
        expect(result.conflicts.length).toBeGreaterThan(0)
        expect(after).toEqual(main)
        continue
      }
      // What was written outside of the fork is there.
      expect(missing(linesOf(main, 'main'), after)).toEqual([])
      // So is what was written in it, unless the file that held it is named.
      for (const [path, text] of forked) {
        const lost = missing(linesOf(new Map([[path, text]]), 'fork'), after)
        if (lost.length === 0) continue
        const named = result.conflicts.map(conflict => conflict.path as string)
        expect([lost, named.length > 0]).toEqual([lost, true])
      }
      // Paths that neither applied, merged nor conflicting are as they were.
      const told = [...result.applied, ...result.merged, ...result.conflicts.map(conflict => conflict.path as string)]
      for (const [path, text] of main) {
        if (!told.some(place => isIn(path, place)) && after.has(path)) expect([path, after.get(path)]).toEqual([path, text])
      }
    }
    await fork.dispose()
    await workspace.dispose()
  })
  expect(Math.min(seen.merged, seen.conflicts, seen.clean)).toBeGreaterThan(rounds / 20)
})

function tokens(): () => number {
  let last = 0
  return () => ++last
}

function linesOf(files: ReadonlyMap<string, string>, side: string): readonly string[] {
  return [...files.values()].flatMap(text => text.split('\n').filter(line => line.startsWith(side)))
}

function missing(lines: readonly string[], files: ReadonlyMap<string, string>): readonly string[] {
  const there = new Set([...files.values()].flatMap(text => text.split('\n')))
  return lines.filter(line => !there.has(line))
}

async function act(random: Random, fs: Vfs, mark: string): Promise<void> {
  const paths = [...(await contents(fs)).keys()]
  const name = mark.replace(' ', '-')
  if (paths.length === 0 || random.chance(0.15)) return void (await fs.writeFile(`/workspace/${name}`, `${mark}\n`))
  const path = random.pick(paths)
  const text = await fs.readText(path)
  switch (random.below(7)) {
    case 0:
      return await fs.rename(path, `/workspace/moved-${name}`)
    case 1:
      return (await fs.exists('/workspace/d')) ? await fs.rename('/workspace/d', `/workspace/d-${name}`) : undefined
    case 2:
      // Removing what others wrote would lose it on purpose.
      return /main|fork/.test(text) ? undefined : await fs.rm(path)
    default: {
      const lines = text.split('\n').slice(0, -1)
      const at = random.below(lines.length + 1)
      if (random.chance(0.7)) lines.splice(at, 0, mark)
      else if (lines[at]?.startsWith('base') === true) lines[at] = mark
      await fs.writeFile(path, lines.map(line => `${line}\n`).join(''))
    }
  }
}

async function contents(fs: Vfs): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>()
  for await (const { path, kind } of fs.walk('/workspace')) if (kind === 'file') found.set(path, await fs.readText(path))
  return found
}
