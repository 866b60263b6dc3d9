import { createFsFromVolume, Volume } from 'memfs'
import { describe, expect, test } from 'vitest'
import { parsePath } from '../../core/path.ts'
import type { VfsSync } from '../../vfs/backend.ts'
import { vfsContractRows } from '../../testing/vfs-contract/index.ts'
import { memfs } from './index.ts'
import { hostDeviations as deviations } from '../../testing/vfs-contract/host-deviations.ts'

const path = parsePath
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

describe('on a volume of the host', () => {
  for (const row of vfsContractRows(() => memfs(new Volume()), { deviations })) test.skipIf(row.isSkipped)(row.name, row.run)
})

describe('on the fs that memfs makes of a volume', () => {
  for (const row of vfsContractRows(() => memfs(createFsFromVolume(new Volume())), { deviations }))
    test.skipIf(row.isSkipped)(row.name, row.run)
})

describe('on a volume of its own', () => {
  for (const row of vfsContractRows(() => memfs(), { deviations })) test.skipIf(row.isSkipped)(row.name, row.run)
})

describe('beside its owner', () => {
  type Foreign = readonly [what: string, act: (volume: Volume) => void]
  const foreign: readonly Foreign[] = [
    ['writes the same number of bytes in the same millisecond', volume => volume.writeFileSync('/f', 'b')],
    ['appends', volume => volume.appendFileSync('/f', 'b')],
    ['sets the mode', volume => volume.chmodSync('/f', 0o700)],
    ['removes it and makes another, which gets its number', volume => (volume.unlinkSync('/f'), volume.writeFileSync('/f', 'b'))],
    ['moves another over it', volume => (volume.writeFileSync('/g', 'b'), volume.renameSync('/g', '/f'))],
  ]
  test.each(foreign)('a write on an old revision is refused when the owner %s', (_what, act) => {
    const volume = new Volume()
    const { sync } = memfs(volume)
    const before = sync?.write(path('/f'), bytes('a'))
    expect(sync?.lookup(path('/f'))).toEqual(before)
    act(volume)
    expect(() => sync?.write(path('/f'), bytes('c'), { ifRev: before?.rev ?? 0 })).toThrow('ESTALE')
  })

  test('its changes are told, ours once', async () => {
    const volume = new Volume()
    const fs = memfs(volume)
    const told: string[] = []
    fs.watch?.(path('/'), ({ changes }) => told.push(...changes.map(change => `${change.type} ${change.path}`)))
    volume.mkdirSync('/d')
    fs.sync?.write(path('/d/ours'), bytes('a'))
    volume.renameSync('/d/ours', '/theirs')
    await fs.flush()
    expect(told).toEqual(['create /d', 'create /d/ours', 'move /theirs'])
    await fs.close()
    volume.unlinkSync('/theirs')
    await fs.flush()
    expect(told).toHaveLength(3)
  })

  test('its links and modes come through', () => {
    const volume = Volume.fromJSON({ '/secret/f': 'text' })
    volume.chmodSync('/secret/f', 0o640)
    volume.chmodSync('/secret', 0)
    volume.symlinkSync('secret/f', '/l')
    const { sync } = memfs(volume)
    expect(new TextDecoder().decode(sync?.read(path('/l')))).toBe('text')
    expect(sync?.lookup(path('/secret')).mode).toBe(0)
    expect(sync?.lookup(path('/secret/f')).mode).toBe(0o640)
    expect(volume.statSync('/secret').mode & 0o777).toBe(0)
  })

  type Own = readonly [what: string, act: (sync: VfsSync) => void, at: string, mode: number]
  const own: readonly Own[] = [
    ['a rename', sync => sync.rename(path('/closed/f'), path('/moved')), '/moved', 0o644],
    ['a rename in it', sync => sync.rename(path('/closed/f'), path('/closed/g')), '/closed/g', 0o644],
    ['a rename of a directory', sync => sync.rename(path('/closed/d'), path('/moved')), '/moved', 0o700],
    ['a hard link', sync => sync.link(path('/closed/f'), path('/linked')), '/linked', 0o644],
    ['the removal of another name', sync => sync.remove(path('/closed/f'), 'file'), '/other', 0o644],
    ['a rename onto another name', sync => sync.rename(path('/from'), path('/closed/f')), '/other', 0o644],
    ['a new file that nobody may use', sync => sync.write(path('/closed/n'), new Uint8Array([1]), { mode: 0 }), '/closed/n', 0],
    ['setting the mode', sync => sync.setattr(path('/closed/f'), { mode: 0o777 }), '/closed/f', 0o777],
    ['setting the time', sync => sync.setattr(path('/closed/f'), { mtimeMs: 5 }), '/closed/f', 0o644],
  ]
  test.each(own)('%s in a directory that memfs may not search leaves the modes that were set', (_what, act, at, mode) => {
    const volume = Volume.fromJSON({ '/closed/f': 'text', '/from': 'new' })
    volume.mkdirSync('/closed/d', { mode: 0o700 })
    volume.chmodSync('/closed/f', 0o644)
    volume.linkSync('/closed/f', '/other')
    volume.chmodSync('/closed', 0o600)
    const { sync } = memfs(volume)
    if (sync === undefined) throw new Error('a given volume is synchronous')
    act(sync)
    expect(sync.lookup(path(at)).mode.toString(8)).toBe(mode.toString(8))
    expect(sync.lookup(path('/closed')).mode).toBe(0o600)
  })

  test('a directory that was replaced can be removed: memfs itself would count it as full', () => {
    const volume = Volume.fromJSON({ '/d/a': '1', '/d/b': '2' })
    const { sync } = memfs(volume)
    sync?.rename(path('/d/a'), path('/d/b'))
    sync?.remove(path('/d/b'), 'file')
    sync?.remove(path('/d'), 'directory')
    expect(volume.readdirSync('/')).toEqual([])
  })
})
