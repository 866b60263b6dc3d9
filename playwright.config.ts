import { defineConfig, type PlaywrightTestConfig } from '@playwright/test'
import { isDeep } from './e2e/depth.ts'

// E2E_PORT is chosen free by the caller (.ci/test.mjs), so that two runs on one machine never adopt each other's server.
const port = process.env['E2E_PORT'] ?? '4173'
const baseURL = `http://localhost:${port}`

const config: PlaywrightTestConfig = defineConfig({
  testDir: 'e2e',
  // Vitest has its own tests there.
  testMatch: '*.spec.ts',
  outputDir: 'test-results',
  // Mostly waiting: two pages at once take half the time of one after the other.
  workers: 2,
  forbidOnly: true,
  // A machine that does other work takes several times as long. What hangs still fails, and what must be quick says so itself.
  timeout: 300_000,
  expect: { timeout: 60_000 },
  reporter: 'list',
  // A trace doubles the time of the whole run; `npx playwright test --trace on` records one.
  use: { baseURL, trace: 'off', screenshot: 'only-on-failure', video: 'off' },
  projects: [
    {
      name: 'chromium',
      ...(isDeep ? {} : { grep: /@quick/ }),
      use: { browserName: 'chromium', launchOptions: { executablePath: process.env['CHROMIUM'] ?? '/usr/bin/chromium' } },
    },
    {
      // The stock Firefox over WebDriver BiDi; Playwright's own patched build is not needed.
      name: 'firefox',
      ...(isDeep ? {} : { grep: /@everywhere/ }),
      use: {
        browserName: 'firefox',
        channel: 'moz-firefox',
        launchOptions: { executablePath: process.env['FIREFOX'] ?? '/usr/bin/firefox-esr' },
      },
    },
  ],
  webServer: {
    // Listed first, because the preview server of a demo that is not built answers with 404 and says nothing of the reason.
    command: `ls dist-demo/index.html && node_modules/.bin/vite preview --port ${port} --strictPort`,
    url: baseURL,
    reuseExistingServer: false,
    timeout: 300_000,
  },
})

export default config
