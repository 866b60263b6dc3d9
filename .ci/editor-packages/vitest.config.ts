// The bindings of editors with the real editors that are too large for the quick run: the tests of browsers, with these files.
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitest/config'
import { connectTimeout, testProjects } from '../../src/testing/vitest-projects.ts'

const include = ['.ci/editor-packages/*.browser.test.ts']

export default defineConfig(async () => {
  const projects = (await testProjects()).filter(({ test }) => test?.name === 'browser')
  return {
    root: fileURLToPath(new URL('../../', import.meta.url)),
    test: {
      browser: { enabled: false, connectTimeout },
      projects: projects.map(project => ({ ...project, test: { ...project.test, include, exclude: [] } })),
    },
  }
})
