import { expect, test } from 'vitest'
import { type ContractCase, runContract } from './contract.ts'

const holds: ContractCase<string> = { id: 'holds', run: async () => {} }
const breaks: ContractCase<string> = {
  id: 'breaks',
  run: async () => {
    throw new Error('broken')
  },
}
const asks: ContractCase<string> = { id: 'asks', needs: ['wings'], run: async () => {} }

function rowsOf(cases: readonly ContractCase<string>[], deviations: readonly string[] = [], closed: string[] = []) {
  return runContract(cases, {
    open: async () => ({
      context: 'x',
      close: async () => {
        closed.push('closed')
      },
    }),
    can: () => false,
    deviations: deviations.map(id => ({ case: id, why: 'because' })),
  })
}

test('a case that holds passes, one that does not fails, and both are closed', async () => {
  const closed: string[] = []
  const [good, bad] = rowsOf([holds, breaks], [], closed)
  await good?.run()
  await expect(bad?.run()).rejects.toThrow('broken')
  expect(closed).toHaveLength(2)
})

test('a deviation passes while its case fails, and fails once it holds', async () => {
  const [stale, true_] = rowsOf([holds, breaks], ['holds', 'breaks'])
  await expect(stale?.run()).rejects.toThrow('holds is declared to differ, but it holds')
  await expect(true_?.run()).resolves.toBeUndefined()
  expect(true_?.name).toBe('breaks (differs: because)')
})

test('a missing capability skips in the open', () => {
  expect(rowsOf([asks]).map(({ name, isSkipped }) => ({ name, isSkipped }))).toEqual([
    { name: 'asks (it has no wings)', isSkipped: true },
  ])
})

test('ids that make no sense are errors', () => {
  expect(() => rowsOf([holds], ['hold'])).toThrow('a deviation names the case hold')
  expect(() => rowsOf([holds, holds])).toThrow('two cases have the id holds')
})
