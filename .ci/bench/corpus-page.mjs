// A page of Chromium that can fetch a corpus of files from a server of this process.
import { mkdtempSync, rmSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { chromium } from '@playwright/test'
import { browsers } from '../browsers.mjs'

/**
 * `others` are further answers of the server by address: type and body. The page loads the script `/page.js` if it is one of them. With
 * `isKept` its profile is on the disk, as a person's is; otherwise it is a private window, which keeps its files in another process.
 */
export async function openCorpusPage(files, others, { isKept = false } = {}) {
  const answers = {
    '/': ['text/html', `<!doctype html>${'/page.js' in others ? '<script type="module" src="/page.js"></script>' : ''}`],
    '/corpus': ['application/octet-stream', Buffer.concat(files.map(({ bytes }) => bytes))],
    '/table': ['application/json', JSON.stringify(files.map(({ name, bytes }) => [name, bytes.length]))],
    ...others,
  }
  const server = createServer((request, response) => {
    const [type, body] = answers[request.url] ?? []
    response.writeHead(type === undefined ? 404 : 200, type === undefined ? {} : { 'content-type': type }).end(body)
  })
  await new Promise(resolve => server.listen(0, '127.0.0.1', resolve))
  const { path } = browsers.find(({ name }) => name === 'Chromium')
  const options = { executablePath: path, args: ['--js-flags=--max-old-space-size=4096'] }
  const profile = isKept ? mkdtempSync(join(tmpdir(), 'bench-profile-')) : undefined
  const browser = await (profile === undefined ? chromium.launch(options) : chromium.launchPersistentContext(profile, options))
  const close = async () => {
    await browser.close()
    if (profile !== undefined) rmSync(profile, { recursive: true, force: true })
    server.closeAllConnections()
    await new Promise(resolve => server.close(resolve))
  }
  try {
    const page = await browser.newPage()
    await page.goto(`http://127.0.0.1:${server.address().port}/`)
    return { browser, page, close }
  } catch (error) {
    await close()
    throw error
  }
}
