// How much of a content must be kept, in the forms of options: `50%`, `5` and `0.5` are the same.

import { GitFailure } from '../errors.ts'

export function percent(text: string | undefined, otherwise: number): number {
  if (text === undefined || text === '') return otherwise
  const [, digits = '', sign] = /^(\d+(?:\.\d+)?)(%?)$/.exec(text) ?? []
  if (digits === '') throw new GitFailure(`error: invalid argument to find-renames`, 129)
  if (sign === '%' || digits.includes('.'))
    return digits.includes('.') && sign !== '%' ? Number(digits) * 100 : Math.min(100, Number(digits))
  // Without a sign the digits are decimals.
  return Math.min(100, Number(`0.${digits}`) * 100)
}
