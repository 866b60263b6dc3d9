// The same comparison in a page, where workspaces usually run. memfs is the bundle that this package ships for pages. Memory is not
// compared here, because a page cannot measure the memory of its arrays outside the heap.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { build } from 'esbuild'
import { browsers } from '../browsers.mjs'
import { benchPackages } from '../install.mjs'
import { root } from '../run-command.mjs'
import { engineText } from '../vendor-bundles.mjs'
import { compare } from './fs-report.mjs'

/** Returns whether ours kept its budgets. Each turn has a separate page, and so a separate heap. */
export async function compareInChromium({ namesOf, roundsOf, ...given }) {
  const script = await pageScript()
  const { path } = browsers.find(({ name }) => name === 'Chromium')
  const browser = await chromium.launch({ executablePath: path, args: ['--js-flags=--expose-gc --max-old-space-size=4096'] })
  try {
    console.log(`Files of ${given.fileBytes} bytes, Chromium ${browser.version()}, time on the wall`)
    const peers = await onPage(browser, script, () => globalThis.namesOfPeers())
    const measure = ({ how, name, size }) =>
      onPage(browser, script, asked => globalThis.takeTurnOf(asked), {
        how,
        name,
        size,
        fileBytes: given.fileBytes,
        rounds: roundsOf(size),
      })
    return await compare(namesOf(peers), { ...given, measure })
  } finally {
    await browser.close()
  }
}

async function onPage(browser, script, act, given) {
  const page = await browser.newPage()
  try {
    const failures = []
    page.on('pageerror', error => failures.push(error))
    await page.addScriptTag({ content: script })
    if (failures.length > 0) throw failures[0]
    return await page.evaluate(act, given)
  } finally {
    await page.close()
  }
}

async function pageScript() {
  const folder = mkdtempSync(join(tmpdir(), 'bench-fs-'))
  try {
    writeFileSync(join(folder, 'memfs.js'), await engineText('backends/memfs'))
    const { outputFiles } = await build({
      absWorkingDir: root,
      nodePaths: [`${benchPackages}node_modules`],
      stdin: {
        resolveDir: `${root}.ci/bench`,
        contents: `
          import { createWorkspace } from 'anchorage'
          import { memory } from 'anchorage/fs/memory'
          import * as zenfs from '@zenfs/core'
          import { InMemoryFs } from 'just-bash/browser'
          import { createVolume } from ${JSON.stringify(join(folder, 'memfs.js'))}
          import { peersOf } from './fs-peers.mjs'
          import { takeTurn } from './fs-turn.mjs'
          const peers = peersOf({ createWorkspace, memory, createVolume, zenfs, InMemoryFs })
          globalThis.namesOfPeers = () =>
            Object.fromEntries(Object.entries(peers).map(([how, group]) => [how, Object.fromEntries(Object.keys(group).map(name => [name, true]))]))
          globalThis.takeTurnOf = ({ how, name, ...given }) =>
            takeTurn(peers[how][name], { ...given, now: () => performance.now(), collect: () => globalThis.gc?.() })`,
      },
      bundle: true,
      write: false,
      format: 'iife',
      platform: 'browser',
      target: 'es2022',
      // What just-bash imports of it is never called here.
      alias: { 'node:zlib': `${root}src/backends/just-bash/gzip.ts` },
      define: { 'process.env': '{}' },
      tsconfigRaw: '{}',
      logLevel: 'error',
    })
    return outputFiles[0].text
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
