// For authors of backends, shells and toolsets: the contracts of ours, and what is needed to run them anywhere.

export { check, checkEqual, CheckError, checkFails } from './check.ts'
export { type ContractCase, type ContractRow, type ContractSubject, type Deviation, runContract } from './contract.ts'
export { createRandom, forSeeds, type Random } from './random.ts'
export type { VfsCapability, VfsCase } from './vfs-contract/context.ts'
export { vfsContract, vfsContractRows } from './vfs-contract/index.ts'
export { shellCases } from './shell-contract/cases.ts'
export {
  judgeShellCase,
  type ShellCase,
  type ShellDeviation,
  type ShellExpectation,
  type ShellHarness,
  unknownDeviations,
} from './shell-contract/contract.ts'
export {
  type OpenToolset,
  type ToolsetCase,
  toolsetContract,
  toolsetContractRows,
  type ToolsetSubject,
} from './toolset-contract/index.ts'
