// The browsers that the tests drive: Debian's own packages, or whatever CHROMIUM and FIREFOX name.
import { existsSync } from 'node:fs'

export const browsers = [
  { name: 'Chromium', package: 'chromium', variable: 'CHROMIUM', path: process.env.CHROMIUM ?? '/usr/bin/chromium' },
  { name: 'Firefox', package: 'firefox-esr', variable: 'FIREFOX', path: process.env.FIREFOX ?? '/usr/bin/firefox-esr' },
]

export const missingBrowsers = () => browsers.filter(browser => !existsSync(browser.path))

export function explainMissing(missing) {
  const each = missing.map(({ name, path, variable }) => `${name} is not at ${path}; install it or set ${variable} to its path.`)
  return [
    ...each,
    `On Debian: apt-get install -y --no-install-recommends ${missing.map(browser => browser.package).join(' ')}`,
  ].join('\n')
}

/**
 * Vitest's global setup: without this, a missing browser shows as a time-out far from its cause.
 * @public named in src/vitest.projects.ts by path
 */
export function setup() {
  const missing = missingBrowsers()
  if (missing.length > 0) throw new Error(explainMissing(missing))
}
