import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'

import { pinnedFetch } from './pinned-fetch.ts'

let server: Server
let port = 0
const asked: (string | undefined)[] = []

beforeAll(async () => {
  server = createServer((request, response) => {
    asked.push(`${request.headers.host} ${request.headers.accept}`)
    response.writeHead(302, { location: '/next', 'x-two': ['a', 'b'] }).end('here')
  })
  await new Promise<void>(resolve => server.listen(0, resolve))
  port = (server.address() as AddressInfo).port
})

afterAll(() => new Promise(resolve => server.close(resolve)))

const request = { headers: { accept: 'text/html' }, signal: new AbortController().signal }

it('asks no server under a name whose address is not public', async () => {
  await expect(pinnedFetch(`http://localhost:${port}/`, request, () => false)).rejects.toThrow(
    /localhost leads to .*, a private, local or reserved address/,
  )
  expect(asked).toEqual([])
})

it('asks the address that was looked at, by its name, and follows no redirect', async () => {
  const seen: string[] = []
  const isPublic = (address: string): boolean => seen.push(address) > 0
  const { status, headers, body } = await pinnedFetch(`http://localhost:${port}/`, request, isPublic)
  expect(await new Response(body).text()).toBe('here')
  expect([status, headers.get('Location'), headers.get('x-two'), headers.get('none')]).toEqual([302, '/next', 'a, b', null])
  expect(asked).toEqual([`localhost:${port} text/html`])
  expect(seen.join()).toMatch(/127\.0\.0\.1|::1/)
})

it('rejects for a name that has no address', async () => {
  await expect(pinnedFetch('http://nothing.invalid/', request, () => true)).rejects.toThrow(Error)
})
