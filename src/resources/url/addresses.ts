// Which network addresses are public. All others are refused, because a server that fetches what a model names must not
// give access to its own network. Sources: IANA IPv4 and IPv6 Special-Purpose Address Registries, 2024.

/** First address and length of the prefix. */
const closedIpv4: readonly (readonly [first: string, bits: number])[] = [
  ['0.0.0.0', 8],
  ['10.0.0.0', 8],
  ['100.64.0.0', 10],
  ['127.0.0.0', 8],
  ['169.254.0.0', 16],
  ['172.16.0.0', 12],
  ['192.0.0.0', 24],
  ['192.0.2.0', 24],
  ['192.31.196.0', 24],
  ['192.52.193.0', 24],
  ['192.88.99.0', 24],
  ['192.168.0.0', 16],
  ['192.175.48.0', 24],
  ['198.18.0.0', 15],
  ['198.51.100.0', 24],
  ['203.0.113.0', 24],
  ['224.0.0.0', 4],
  ['240.0.0.0', 4],
]

/** Only this range is global unicast; everything outside (mapped, translated, local, multicast) is refused. */
const openIpv6: readonly [first: string, bits: number] = ['2000::', 3]
const closedIpv6: readonly (readonly [first: string, bits: number])[] = [
  // Teredo, benchmarks, ORCHID and other protocols.
  ['2001::', 23],
  ['2001:db8::', 32],
  // 6to4 contains an IPv4 address, which may be private.
  ['2002::', 16],
  ['2620:4f:8000::', 48],
  ['3fff::', 20],
]

/** Four numbers, or `undefined` for a text that is not an address in the usual notation. */
export function parseIpv4(text: string): readonly number[] | undefined {
  const match = /^(\d{1,3})\.(\d{1,3})\.(\d{1,3})\.(\d{1,3})$/.exec(text)
  const parts = match?.slice(1).map(Number)
  return parts?.every(part => part <= 255) === true ? parts : undefined
}

/** Sixteen numbers; without brackets and zone. */
export function parseIpv6(text: string): readonly number[] | undefined {
  const [head = '', tail, ...more] = text.split('::')
  if (more.length > 0) return undefined
  const [left, right] = [groupsOf(head), tail === undefined ? [] : groupsOf(tail)]
  if (left === undefined || right === undefined) return undefined
  const missing = 16 - left.length - right.length
  if (tail === undefined ? missing !== 0 : missing < 2) return undefined
  return [...left, ...Array.from({ length: missing }, () => 0), ...right]
}

function groupsOf(text: string): readonly number[] | undefined {
  if (text === '') return []
  const groups = text.split(':')
  const bytes: number[] = []
  for (const [index, group] of groups.entries()) {
    const embedded = index === groups.length - 1 && group.includes('.') ? parseIpv4(group) : undefined
    if (embedded !== undefined) bytes.push(...embedded)
    else if (/^[0-9a-f]{1,4}$/i.test(group)) bytes.push(Number.parseInt(group, 16) >> 8, Number.parseInt(group, 16) & 255)
    else return undefined
  }
  return bytes
}

/** Whether an IPv4 or IPv6 address is public. False for a text that is not an address. */
export function isPublicAddress(text: string): boolean {
  const ipv4 = parseIpv4(text)
  if (ipv4 !== undefined) return !closedIpv4.some(([first, bits]) => startsAlike(ipv4, parseIpv4(first), bits))
  const ipv6 = parseIpv6(text.replace(/%.*$/, ''))
  if (ipv6 === undefined || text.includes('%')) return false
  const [openFirst, openBits] = openIpv6
  if (!startsAlike(ipv6, parseIpv6(openFirst), openBits)) return false
  return !closedIpv6.some(([first, bits]) => startsAlike(ipv6, parseIpv6(first), bits))
}

function startsAlike(address: readonly number[], first: readonly number[] | undefined, bits: number): boolean {
  for (let bit = 0; bit < bits; bit += 8) {
    const mask = bits - bit >= 8 ? 255 : (255 << (8 - (bits - bit))) & 255
    if (((address[bit / 8] ?? 0) & mask) !== ((first?.[bit / 8] ?? 0) & mask)) return false
  }
  return true
}
