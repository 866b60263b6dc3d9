// The same comparison in a page, where the workspace lives. memfs is the build that this package ships for pages. Memory is not
// compared here: a page cannot see what its arrays take outside the heap.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { build } from 'esbuild'
import { browsers } from '../browsers.mjs'
import { root } from '../run-command.mjs'
import { engineText } from '../vendor-bundles.mjs'

/** Returns whether ours kept its budgets. */
export async function compareInChromium(sizes, fileBytes, roundsOf) {
  const script = await pageScript()
  const { path } = browsers.find(({ name }) => name === 'Chromium')
  const browser = await chromium.launch({ executablePath: path, args: ['--js-flags=--expose-gc --max-old-space-size=4096'] })
  try {
    const page = await browser.newPage()
    const failures = []
    page.on('pageerror', error => failures.push(error))
    await page.exposeFunction('print', line => console.log(line))
    await page.addScriptTag({ content: script })
    if (failures.length > 0) throw failures[0]
    console.log(`Chromium ${browser.version()}`)
    const plan = sizes.map(size => ({ size, rounds: roundsOf(size) }))
    return await page.evaluate(given => globalThis.compareFilesystems(given, globalThis.print), { plan, fileBytes })
  } finally {
    await browser.close()
  }
}

async function pageScript() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-fs-'))
  try {
    writeFileSync(join(folder, 'memfs.js'), await engineText('backends/memfs'))
    const { outputFiles } = await build({
      absWorkingDir: root,
      stdin: {
        resolveDir: `${root}.ci/bench`,
        contents: `
          import { createWorkspace } from 'anchorage'
          import { memory } from 'anchorage/fs/memory'
          import * as zenfs from '@zenfs/core'
          import { InMemoryFs } from 'just-bash/browser'
          import { createVolume } from ${JSON.stringify(join(folder, 'memfs.js'))}
          import { compare } from './fs-report.mjs'
          import { peersOf } from './fs-peers.mjs'
          globalThis.compareFilesystems = ({ plan, fileBytes }, print) =>
            compare(peersOf({ createWorkspace, memory, createVolume, zenfs, InMemoryFs }), {
              sizes: plan.map(({ size }) => size),
              fileBytes,
              now: () => performance.now(),
              rounds: size => plan.find(entry => entry.size === size).rounds,
              isBudgeted: size => size >= 100_000,
              print,
              collect: () => globalThis.gc?.(),
            })`,
      },
      bundle: true,
      write: false,
      format: 'iife',
      platform: 'browser',
      target: 'es2022',
      alias: { 'node:zlib': `${root}src/backends/just-bash/zlib-shim.ts` },
      define: { 'process.env': '{}' },
      tsconfigRaw: '{}',
      logLevel: 'error',
    })
    return outputFiles[0].text
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
