// Validates the contract with the filesystem that it is modelled on.
import { test } from 'vitest'
import type { Deviation } from '../contract.ts'
import { nodeOracle } from '../node-oracle.ts'
import { vfsContractRows } from './index.ts'

const aboveRoot = "the root is a directory of the machine's, and has one above it"
const deviations: readonly Deviation[] = [
  { case: 'paths.dot-dot-above-root', why: aboveRoot },
  { case: 'symlinks.above-the-root', why: aboveRoot },
]

for (const row of vfsContractRows(nodeOracle, { deviations })) test.skipIf(row.isSkipped)(row.name, row.run)
