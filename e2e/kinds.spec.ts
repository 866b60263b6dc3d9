// What a path can name besides text, as a newcomer tries it: the calls that samples/README.md lists, and a web page.

import { readFile } from 'node:fs/promises'

import { expect, test } from './demo-page.ts'

const shown: Readonly<Record<string, RegExp>> = {
  'samples/notes.zip': /notes\//,
  'samples/notes.zip:notes/monday.md': /The wind turned at noon\./,
  'samples/boats.db': /\{"table":"boats","rows":3\}/,
  'samples/boats.db:boats?order=length_m:desc': /^\{"id":2,"name":"Curlew"/,
  'samples/boats.db?q=select name, depth_m from boats join moorings on moorings.id = mooring':
    /\{"name":"Petrel","depth_m":3\.5\}/,
  'samples/tides.ipynb': /# %% \[code\] cell:1/,
  'samples/report.pdf:page 2': /<!-- Page 2 -->[^]*Next inspection: 12 March\./,
  'samples/budget.xlsx:sheet 1': /\| Ropes \| 120\.5 \| 2026-02-01 \|/,
  'samples/boat.tif': /\[Image: samples\/boat\.tif, shown as PNG\]/,
}

test('every path of the samples shows what is inside', async ({ demo, page }) => {
  const readme = await readFile(new URL('../demo/samples/README.md', import.meta.url), 'utf8')
  const listed = [...readme.matchAll(/^\| `(.+?)` \|/gm)].map(([, path]) => path)
  expect(listed).toEqual(Object.keys(shown))
  for (const [path, pattern] of Object.entries(shown)) {
    await test.step(path, async () => {
      const entry = await demo.call('read', { path })
      await expect(demo.outcome(entry)).toHaveText('ok')
      expect(await demo.resultText(entry)).toMatch(pattern)
    })
  }
  const picture = demo.entries().last().locator('img')
  await expect.poll(() => picture.evaluate(image => (image as HTMLImageElement).naturalWidth)).toBe(240)

  const written = await demo.call('write', { path: 'samples/boats.db:boats:2', content: "{name: 'Whimbrel'}" })
  await expect(demo.outcome(written)).toHaveText('ok')
  await demo.call('write', { path: 'samples/notes.zip:notes/monday.md', content: 'Calm.\n' })
  expect(await demo.resultText(await demo.call('read', { path: 'samples/boats.db:boats:2' }))).toContain('Whimbrel')
  await expect(page.getByTestId('change-count')).toHaveText('2')
})

test('a page that its server keeps to itself is explained', async ({ demo, page }) => {
  // Playwright answers as if every origin might read, unless the answer names one.
  const headers = { 'access-control-allow-origin': 'https://friend.example' }
  await page
    .context()
    .route('https://elsewhere.example/**', route => route.fulfill({ contentType: 'text/plain', body: 'kept', headers }))
  const entry = await demo.call('read', { path: 'https://elsewhere.example/page.txt' })
  await expect(demo.outcome(entry)).toHaveText('refused')
  expect(await demo.resultText(entry)).toMatch(/could not be fetched[^]*\(CORS\)[^]*`fetch` to createWorkspace/)
  // The browser says it on the console, too.
  demo.complaints.splice(0)
})
