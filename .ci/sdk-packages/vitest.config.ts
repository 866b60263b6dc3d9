// Run by `.ci/adapters.mjs`. The package is named as its users name it, and is the built one.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'

const dist = fileURLToPath(new URL('../../dist/', import.meta.url))

export default defineConfig({
  root: fileURLToPath(new URL('.', import.meta.url)),
  resolve: {
    alias: [
      { find: /^anchorage$/, replacement: `${dist}index.js` },
      { find: /^anchorage\/adapters\/(.*)$/, replacement: `${dist}adapters/$1/index.js` },
      { find: 'anchorage/fs/memory', replacement: `${dist}backends/memory/index.js` },
    ],
  },
  test: {
    name: 'adapters',
    include: ['*.test.ts'],
    testTimeout: 240_000,
    hookTimeout: 240_000,
    expect: { poll: { timeout: 120_000 } },
  },
})
