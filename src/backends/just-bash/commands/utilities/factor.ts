// factor: prints the prime factors of integers.

import { decodeText } from '../../../../shell/byte-text.ts'
import { readAll, type ShellCommandContext } from '../../../../shell/commands.ts'
import { parseArguments } from '../options.ts'
import { complain } from '../program.ts'
import { paceOf, unitsPerItem } from '../pace.ts'
import { letOthersRun } from '../stop.ts'

/** The limit on trial divisions, beyond which the command would take minutes. */
const mostSteps = 50_000_000

export async function factor(context: ShellCommandContext): Promise<number> {
  const parsed = parseArguments(context.args, {})
  if (typeof parsed === 'string') return complain(context, 'factor', parsed)
  const { operands } = parsed
  const numbers =
    operands.length > 0
      ? operands
      : decodeText(await readAll(context.stdin))
          .split(/\s+/)
          .filter(Boolean)
  let code = 0
  const pace = paceOf(context.signal)
  for (const text of numbers) {
    // At most a few hundred steps of division are not counted.
    if (pace.isDue(64 * unitsPerItem)) await pace.rest()
    if (!/^ *\+?\d+$/.test(text)) {
      code = await complain(context, 'factor', `‘${text}’ is not a valid positive integer`)
      continue
    }
    const number = BigInt(text.trim().replace('+', ''))
    const found = await factorsOf(number, context.signal)
    if (found === undefined) code = await complain(context, 'factor', `${number}: the number is too large to factor here`)
    else await context.stdout.write(`${number}:${found.map(prime => ` ${prime}`).join('')}\n`)
  }
  return code
}

async function factorsOf(number: bigint, signal: AbortSignal): Promise<readonly bigint[] | undefined> {
  const factors: bigint[] = []
  let rest = number
  while (rest > 1n && rest % 2n === 0n) {
    factors.push(2n)
    rest /= 2n
  }
  let steps = 0
  for (let divisor = 3; rest > 1n; divisor += 2) {
    // Arithmetic with numbers is much faster than with bigints, so it is used once the remaining factor is small enough.
    const small = rest <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(rest) : undefined
    if (small === undefined ? BigInt(divisor) * BigInt(divisor) > rest : divisor * divisor > small) {
      factors.push(rest)
      break
    }
    while (small === undefined ? rest % BigInt(divisor) === 0n : rest > 1n && Number(rest) % divisor === 0) {
      factors.push(BigInt(divisor))
      rest /= BigInt(divisor)
    }
    steps += 1
    if (steps > mostSteps) return undefined
    if (steps % 8192 === 0) await letOthersRun(signal)
  }
  return factors
}
