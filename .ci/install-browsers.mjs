// Installs Debian's Chromium and Firefox if the machine has none; on other systems prints what to install. If possible, it also installs
// ripgrep and fd, with which tests compare search and find; without them, the tests report that they are skipped.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { explainMissing, missingBrowsers } from './browsers.mjs'
import { run } from './run-command.mjs'

export async function ensureBrowsers() {
  const missing = missingBrowsers()
  if (missing.length === 0) return await installPeers()
  // A path in a variable is wrong, and installing a package would not correct it.
  if (missing.some(browser => process.env[browser.variable])) throw new Error(explainMissing(missing))
  const asRoot = await privilege()
  if (!onPath('apt-get') || !asRoot) throw new Error(explainMissing(missing))
  const packages = [...missing.map(browser => browser.package), ...missingPeers()]
  console.log(`Installing ${packages.join(' and ')} (apt-get) …`)
  await apt(asRoot, ['update'])
  // Another installation may hold the lock; apt-get fails at once unless told to wait.
  await apt(asRoot, ['-o', 'DPkg::Lock::Timeout=600', 'install', '-y', '--no-install-recommends', ...packages])
  if (missingBrowsers().length > 0) throw new Error(explainMissing(missingBrowsers()))
}

/** Packages of commands that tests compare with. */
function missingPeers() {
  return [...(onPath('rg') ? [] : ['ripgrep']), ...(onPath('fd') || onPath('fdfind') ? [] : ['fd-find'])]
}

async function installPeers() {
  const packages = missingPeers()
  const asRoot = packages.length === 0 || !onPath('apt-get') ? undefined : await privilege()
  if (asRoot === undefined) return
  console.log(`Installing ${packages.join(' and ')} (apt-get) …`)
  try {
    await apt(asRoot, ['update'])
    await apt(asRoot, ['-o', 'DPkg::Lock::Timeout=600', 'install', '-y', '--no-install-recommends', ...packages])
  } catch (error) {
    console.log(
      `${error.message.trimEnd()}\nGoing on without: the tests that compare with ${packages.join(' and ')} are skipped.`,
    )
  }
}

async function privilege() {
  if (process.getuid?.() === 0) return []
  if (onPath('sudo') && (await run('sudo', ['-n', 'true'])).code === 0) return ['sudo', '-n']
  return undefined
}

async function apt(asRoot, args) {
  const [command, ...rest] = [...asRoot, 'env', 'DEBIAN_FRONTEND=noninteractive', 'apt-get', ...args]
  const { code, output } = await run(command, rest)
  if (code !== 0) throw new Error(`${output}\napt-get ${args.join(' ')} failed.\n${explainMissing(missingBrowsers())}`)
}

// A package may contain another program of the same name.
const folders = (process.env.PATH ?? '').split(delimiter).filter(folder => !/node_modules[\\/]\.bin[\\/]?$/.test(folder))
const onPath = name => folders.some(folder => existsSync(join(folder, name)))
