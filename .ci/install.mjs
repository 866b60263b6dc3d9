// Updates node_modules to match package-lock.json, and does nothing if it already does.
import { existsSync, readFileSync } from 'node:fs'
import { root, run } from './run-command.mjs'

export function ensureInstalled() {
  return ensureInstalledIn(root, [])
}

/** Packages that only benchmarks need. Some require a newer Node and would print a warning at every installation. */
export async function ensureBenchPackages() {
  await ensureInstalledIn(benchPackages, ['--loglevel=error'])
}

export const benchPackages = `${root}.ci/bench-packages/`

/** The SDKs that the adapters are tested with. Some of them ask for a newer Node and run with ours. */
export async function ensureSdkPackages() {
  await ensureInstalledIn(sdkPackages, ['--loglevel=error'])
}

export const sdkPackages = `${root}.ci/sdk-packages/`

/** The editors that their bindings are tested with, where they are too large for the quick run. */
export async function ensureEditorPackages() {
  await ensureInstalledIn(`${root}.ci/editor-packages/`, ['--loglevel=error'])
}

async function ensureInstalledIn(folder, options) {
  if (isInstalled(folder)) return
  console.log('Installing packages (npm ci) …')
  const { code } = await run('npm', ['ci', ...options], { cwd: folder, live: true })
  if (code !== 0) throw new Error('npm ci failed; its output is above.')
}

// File times are unreliable after a checkout, so the two lists themselves are compared.
function isInstalled(folder) {
  const installedList = `${folder}node_modules/.package-lock.json`
  if (!existsSync(installedList)) return false
  const installed = packagesOf(installedList)
  return Object.entries(packagesOf(`${folder}package-lock.json`)).every(
    ([path, wanted]) =>
      path === '' ||
      (installed[path] ? installed[path].version === wanted.version : wanted.optional || wanted.devOptional || wanted.peer),
  )
}

const packagesOf = lockfile => JSON.parse(readFileSync(lockfile, 'utf8')).packages
