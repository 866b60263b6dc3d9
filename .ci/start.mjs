// npm start: the demo at a local address, built first if it is out of date.
import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { answers, freePort } from './local-server.mjs'
import { ensureInstalled } from './install.mjs'
import { bin, root, start } from './run-command.mjs'

try {
  await ensureInstalled()
  const { buildDemo, buildPackage } = await import('./build.mjs')
  if (newest('src', 'package.json', '.ci') > builtAt('dist/index.js')) await buildPackage()
  if (newest('demo', 'vite.config.ts', 'dist') > builtAt('dist-demo/index.html')) await buildDemo()
} catch (error) {
  console.error(error.message)
  process.exit(1)
}

const port = String(await freePort(4173))
const server = start(bin('vite'), ['preview', '--port', port, '--strictPort', '--logLevel', 'warn'], { stdio: 'inherit' })
server.on('close', code => process.exit(code ?? 1))
await answers(`http://localhost:${port}`)
console.log(`\n  The demo is at  http://localhost:${port}\n  Ctrl+C ends it.\n`)
// The page of tools links to the API reference. That takes longer than the demo, so it is built while the demo is already available.
if (newest('src', 'docs', 'README.md', 'dist-demo/index.html') > builtAt('dist-demo/api/index.html')) {
  const reference = start(process.execPath, [join(root, '.ci/docs.mjs')])
  reference.on('close', code => {
    if (code !== 0) console.error('The API reference could not be built. `npm run docs` says why.')
  })
}

function newest(...paths) {
  return Math.max(0, ...paths.map(path => newestIn(join(root, path))))
}

function newestIn(path) {
  if (!existsSync(path)) return 0
  const found = statSync(path)
  if (!found.isDirectory()) return found.mtimeMs
  // A folder's time changes when files are removed.
  return Math.max(found.mtimeMs, ...readdirSync(path).map(name => newestIn(join(path, name))))
}

function builtAt(path) {
  return existsSync(root + path) ? statSync(root + path).mtimeMs : -1
}
