// A session of rye, and the IDs that its read shows.

import { objectOf, openToolSession, type ToolSession, type ToolSessionOptions } from './tool-session.ts'

export type Files = Readonly<Record<string, string | Uint8Array | null>>

export function openRye(files: Files = {}, options: ToolSessionOptions = {}): Promise<ToolSession> {
  return openToolSession(files, { ...options, name: 'rye' })
}

export async function idsOf(session: ToolSession, path: string): Promise<readonly string[]> {
  const { output } = await objectOf(session, 'read', { file_path: path })
  return String(output)
    .split('\n')
    .map(row => row.slice(5, 11))
}

export const indexFolder: string = '/workspace/.ai/cache/tools/read/line_index'
