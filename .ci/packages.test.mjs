// npm prints a warning for each package that asks for a newer Node than there is, and a newcomer reads it as a fault.
import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

const read = name => JSON.parse(readFileSync(new URL(`../${name}`, import.meta.url), 'utf8'))

const numbers = version => version.split('.').map(Number)
const isAtMost = ([major, minor = 0, patch = 0], [otherMajor, otherMinor = 0, otherPatch = 0]) =>
  (major - otherMajor || minor - otherMinor || patch - otherPatch) <= 0

const lowest = numbers(read('package.json').engines.node.replace('>=', ''))
// A range such as "^18.18.0 || ^20.9.0 || >=21.1": one of its parts must begin at or below ours.
const allowsOurs = range =>
  range.split('||').some(part => {
    const version = part.match(/\d+(\.\d+)*/)?.[0]
    return (
      version === undefined || (isAtMost(numbers(version), lowest) && (!/[\^~]/.test(part) || numbers(version)[0] === lowest[0]))
    )
  })

it('installs no package that asks for a newer Node than ours', () => {
  const asking = Object.entries(read('package-lock.json').packages).filter(([, { engines }]) => !allowsOurs(engines?.node ?? '*'))
  // This one runs with ours. Where npm wrote `engines` back into package-lock.json, delete the entry there.
  expect(asking.map(([path, { engines }]) => `${path}: ${engines.node}`)).toEqual([])
})
