// The browsers that the tests use: Debian's packages, or the paths in CHROMIUM and FIREFOX.
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
 * Vitest's global setup: without this, a missing browser causes a time-out that does not show the reason.
 * @public src/testing/vitest-projects.ts refers to it by path
 */
export function setup() {
  const missing = missingBrowsers()
  if (missing.length > 0) throw new Error(explainMissing(missing))
}
