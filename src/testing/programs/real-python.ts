// CPython, if it is installed.

import { spawnSync } from 'node:child_process'

import type { RealProgram } from './compare-program.ts'

export const realPython: RealProgram = {
  path: '/usr/bin/python3',
  env: { PYTHONDONTWRITEBYTECODE: '1', PYTHONUTF8: '1' },
  hasSameComplaints: true,
}

/** Empty if CPython is there. */
export const whyNoPython: string =
  spawnSync(realPython.path, ['--version']).status === 0 ? '' : `${realPython.path} is not installed`
