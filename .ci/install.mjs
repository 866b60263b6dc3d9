// Brings node_modules in line with package-lock.json, and leaves it alone when it already is.
import { existsSync, readFileSync } from 'node:fs'
import { root, run } from './run-command.mjs'

export async function ensureInstalled() {
  if (isInstalled()) return
  console.log('Installing packages (npm ci) …')
  const { code } = await run('npm', ['ci'], { live: true })
  if (code !== 0) throw new Error('npm ci failed; its output is above.')
}

// File times lie after a checkout, so the two lists themselves are compared.
function isInstalled() {
  const installedList = `${root}node_modules/.package-lock.json`
  if (!existsSync(installedList)) return false
  const installed = packagesOf(installedList)
  return Object.entries(packagesOf(`${root}package-lock.json`)).every(
    ([path, wanted]) =>
      path === '' ||
      (installed[path] ? installed[path].version === wanted.version : wanted.optional || wanted.devOptional || wanted.peer),
  )
}

const packagesOf = lockfile => JSON.parse(readFileSync(lockfile, 'utf8')).packages
