// What a WebContainer's frame answers, without its service: the repository's stand-in as one script, served where the client looks for it.

import { fileURLToPath } from 'node:url'
import type { Page } from '@playwright/test'
import { build } from 'esbuild'

const root = fileURLToPath(new URL('..', import.meta.url))

// The stand-in judges scripts by the syntax tree of just-bash, which expects Node's Buffer and zlib, and uses neither here.
const script = `
  import { Buffer } from 'buffer/'
  globalThis.Buffer = Buffer
  const { serveHeadless } = await import('./src/testing/webcontainer/headless.ts')
  const { port1, port2 } = new MessageChannel()
  serveHeadless(port1, { seed: 3, off: ['failing-boots'] })
  window.parent.postMessage({ type: 'init' }, '*', [port2])
`

let bundled: Promise<string> | undefined

async function bundle(): Promise<string> {
  const { outputFiles } = await build({
    stdin: { contents: script, resolveDir: root, loader: 'ts' },
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'browser',
    target: 'es2023',
    external: ['node:*'],
    define: { 'process.env': '{}' },
    plugins: [
      {
        name: 'no-zlib',
        setup(api) {
          api.onResolve({ filter: /^node:zlib$/ }, ({ path }) => ({ path, namespace: 'no-zlib' }))
          api.onLoad({ filter: /.*/, namespace: 'no-zlib' }, () => ({
            contents:
              'export const constants = {}\nexport const [gunzipSync, gzipSync] = [1, 2].map(() => () => { throw new Error("no zlib") })',
          }))
        },
      },
    ],
  })
  return outputFiles[0]?.text ?? ''
}

/** Serves the stand-in in place of the service's page, and nothing else of it. */
export async function serveStandIn(page: Page): Promise<void> {
  const body = await (bundled ??= bundle())
  const headers = {
    'Cross-Origin-Embedder-Policy': 'require-corp',
    'Cross-Origin-Resource-Policy': 'cross-origin',
    'Content-Type': 'text/html; charset=utf-8',
  }
  await page.route('https://stackblitz.com/**', route =>
    route.request().url().startsWith('https://stackblitz.com/headless')
      ? route.fulfill({ headers, body: '<!doctype html><script type="module" src="/stand-in.js"></script>' })
      : route.request().url() === 'https://stackblitz.com/stand-in.js'
        ? route.fulfill({ headers: { ...headers, 'Content-Type': 'text/javascript' }, body })
        : route.abort(),
  )
}
