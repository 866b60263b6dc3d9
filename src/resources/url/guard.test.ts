// 100,000 addresses, compared with Node's list of blocked networks as an independent classifier.

import { BlockList, isIP } from 'node:net'

import { describe, expect, test } from 'vitest'

import { seeds } from '../../testing/depth.ts'
import { createRandom, type Random } from '../../testing/random.ts'
import { isPublicAddress, parseIpv6 } from './addresses.ts'
import { urlProblem } from './guard.ts'

const closed = new BlockList()
for (const network of '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12 192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24 198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4'.split(
  ' ',
)) {
  const [first = '', bits] = network.split('/')
  closed.addSubnet(first, Number(bits), 'ipv4')
}
const open = new BlockList()
open.addSubnet('2000::', 3, 'ipv6')
const special = new BlockList()
for (const network of '2001::/23 2001:db8::/32 2002::/16 2620:4f:8000::/48 3fff::/20'.split(' ')) {
  const [first = '', bits] = network.split('/')
  special.addSubnet(first, Number(bits), 'ipv6')
}

const isOpen4 = (address: string): boolean => !closed.check(address, 'ipv4')
const isOpen6 = (address: string): boolean => open.check(address, 'ipv6') && !special.check(address, 'ipv6')

/** Near the borders of networks more often than by chance. */
function randomIpv4(random: Random): readonly number[] {
  const first = random.chance(0.7)
    ? random.pick([0, 10, 100, 127, 169, 172, 192, 198, 203, 224, 239, 240, 255, 8])
    : random.below(256)
  const second = random.chance(0.6)
    ? random.pick([0, 2, 15, 16, 18, 19, 31, 51, 52, 63, 64, 88, 127, 128, 168, 175, 254])
    : random.below(256)
  const third = random.chance(0.5) ? random.pick([0, 2, 48, 99, 100, 113, 193, 196]) : random.below(256)
  return [first, second, third, random.below(256)]
}

/** All notations of an address that programs write. */
function writtenIpv4(random: Random, [a = 0, b = 0, c = 0, d = 0]: readonly number[]): string {
  const number = (value: number): string =>
    random.pick([String(value), `0x${value.toString(16)}`, `0${value.toString(8)}`, `0X${value.toString(16).toUpperCase()}`])
  switch (random.below(5)) {
    case 0:
      return [a, b, c, d].join('.')
    case 1:
      return [a, b, c, d].map(number).join('.')
    case 2:
      return number(((a * 256 + b) * 256 + c) * 256 + d)
    case 3:
      return `${number(a)}.${number((b * 256 + c) * 256 + d)}`
    default:
      return `${number(a)}.${number(b)}.${number(c * 256 + d)}`
  }
}

function randomIpv6(random: Random, ipv4: readonly number[]): string {
  const group = (): string => (random.chance(0.4) ? '0' : random.below(65_536).toString(16))
  const tail = `${((ipv4[0] ?? 0) * 256 + (ipv4[1] ?? 0)).toString(16)}:${((ipv4[2] ?? 0) * 256 + (ipv4[3] ?? 0)).toString(16)}`
  const start = random.pick([
    '2001',
    '2002',
    '2606',
    '2620:4f:8000',
    '3fff',
    '3ffe',
    'fe80',
    'fec0',
    'fc00',
    'fd12',
    'ff02',
    '64:ff9b',
    '100',
    '5f00',
    '2a00',
    '4000',
    group(),
  ])
  switch (random.below(5)) {
    case 0:
      return `::ffff:${ipv4.join('.')}`
    case 1:
      return `::${tail}`
    case 2:
      return `${start}::${tail}`
    case 3:
      return `${start}::${group()}`
    default:
      return [start, ...Array.from({ length: 8 - start.split(':').length }, group)].join(':')
  }
}

test('no random address is judged otherwise', { timeout: 600_000 }, () => {
  const random = createRandom(17)
  const count = seeds({ quick: 5_000, deep: 400_000 })
  for (let round = 0; round < count; round++) {
    const ipv4 = randomIpv4(random)
    if (random.chance(0.5)) {
      const written = writtenIpv4(random, ipv4)
      const problem = urlProblem(new URL(`http://${written}/x`), {})
      expect(problem === undefined, `seed 17, round ${round}: ${written}`).toBe(isOpen4(ipv4.join('.')))
    } else {
      const written = randomIpv6(random, ipv4)
      expect(isIP(written), written).toBe(6)
      expect(isPublicAddress(written), `seed 17, round ${round}: ${written}`).toBe(isOpen6(written))
      expect(urlProblem(new URL(`http://[${written}]:8080/`), {}) === undefined, written).toBe(isOpen6(written))
    }
  }
})

describe('names', () => {
  const rows: readonly [url: string, isRefused: boolean][] = [
    ['http://localhost/', true],
    ['http://LOCALHOST./', true],
    ['http://a.localhost:8080/', true],
    ['http://metadata.google.internal/computeMetadata', true],
    ['http://printer.local/', true],
    ['http://127.0.0.1.nip.example/', false],
    ['https://example.com/', false],
    ['https://user:word@example.com/', true],
    ['ftp://example.com/', true],
    ['https://xn--lcalhost-54a.example/', false],
    ['http://①②⑦.0.0.1/', true],
    ['http://127。0。0。1/', true],
    ['http://[::]/', true],
    ['http://[::ffff:8.8.8.8]/', true],
  ]
  test.each(rows)('%s', (url, isRefused) => {
    expect(urlProblem(new URL(url), {}) !== undefined).toBe(isRefused)
  })

  test('allow opens nothing else, and private hosts in it; deny goes before', () => {
    const problem = (url: string, rules: Parameters<typeof urlProblem>[1]): boolean =>
      urlProblem(new URL(url), rules) !== undefined
    expect(problem('http://127.0.0.1:3000/', { allow: ['127.0.0.1'] })).toBe(false)
    expect(problem('https://example.com/', { allow: ['127.0.0.1'] })).toBe(true)
    expect(problem('https://a.example.com/', { allow: ['*.example.com'] })).toBe(false)
    expect(problem('https://example.com/', { allow: ['*.example.com'] })).toBe(true)
    expect(problem('https://badexample.com/', { allow: ['*.example.com'] })).toBe(true)
    expect(problem('https://a.example.com/', { deny: ['*.example.com'] })).toBe(true)
    expect(problem('https://a.example.com/', { allow: ['a.example.com'], deny: ['*.example.com'] })).toBe(true)
  })
})

test('what is no address is not parsed as one', () => {
  for (const text of ['', ':', '1::2::3', '12345::', 'g::', '1:2:3', '1:2:3:4:5:6:7:8:9', '::1.2.3', '::1.2.3.256']) {
    expect(parseIpv6(text), text).toBeUndefined()
  }
})
