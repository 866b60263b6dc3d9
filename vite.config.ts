// One file for Vite and Vitest, which differ in their root: Vite serves and builds the demo, Vitest runs the tests
// that lie beside the sources.
import { availableParallelism } from 'node:os'
import { fileURLToPath } from 'node:url'
import { defineConfig, type UserConfig } from 'vite'
import { packProject } from './demo/pack-project.ts'
import { referencePage } from './demo/reference-page.ts'
import { strictPage } from './demo/strict-page.ts'
import { connectTimeout, isolation, testProjects } from './src/testing/vitest-projects.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
// Vite would print how long each plugin took, which does not interest a person who starts the demo.
const checks = { pluginTimings: false }
const isTest = process.env['VITEST'] !== undefined

const config: Promise<UserConfig> = (async () =>
  defineConfig({
    root: here(isTest ? '.' : 'demo'),
    // Relative, so that the built demo can be served from any folder.
    base: './',
    server: { headers: isolation },
    preview: { headers: isolation },
    plugins: isTest ? [] : [packProject(), referencePage(), strictPage()],
    worker: { format: 'es', rolldownOptions: { checks } },
    build: {
      outDir: here('dist-demo'),
      emptyOutDir: true,
      target: 'es2023',
      // The engines of SQLite and PDF are one file each, loaded on first use.
      chunkSizeWarningLimit: 2000,
      rolldownOptions: { checks, input: ['index', 'reference', 'ide'].map(page => here(`demo/${page}.html`)) },
    },
    // By default Vitest leaves one core free, which is half of a machine with two.
    ...(isTest
      ? {
          test: {
            projects: await testProjects(),
            maxWorkers: Math.max(2, availableParallelism() - 1),
            browser: { enabled: false, connectTimeout },
          },
        }
      : {}),
  }))()

export default config
