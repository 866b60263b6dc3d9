// Fetches the project that was packed beside the page.

import type { PackedProject } from './pack-project.ts'

/** relative path → text, or bytes if it is not text */
export type Project = Readonly<Record<string, string | Uint8Array>>

export interface ProjectSize {
  readonly fileCount: number
  readonly sizeBytes: number
}

/** The packed project. Throws an `Error` whose message says what to do. */
export async function fetchProject(): Promise<Project> {
  const response = await fetch(new URL('project.json', document.baseURI))
  if (!response.ok) {
    throw new Error(
      `The project's files could not be fetched: ${response.url} answered ${response.status}. Build the demo again.`,
    )
  }
  const packed: unknown = await response.json()
  if (!isPacked(packed)) throw new Error(`${response.url} does not hold files. Build the demo again.`)
  return Object.fromEntries(
    Object.entries(packed).map(([path, content]) => [path, typeof content === 'string' ? content : bytesOf(content.base64)]),
  )
}

function bytesOf(base64: string): Uint8Array {
  return Uint8Array.from(atob(base64), character => character.charCodeAt(0))
}

export function sizeOf(project: Project): ProjectSize {
  const encoder = new TextEncoder()
  const sizes = Object.values(project).map(content => (typeof content === 'string' ? encoder.encode(content) : content).length)
  return { fileCount: sizes.length, sizeBytes: sizes.reduce((sum, size) => sum + size, 0) }
}

function isPacked(value: unknown): value is PackedProject {
  return typeof value === 'object' && value !== null && Object.values(value).every(isContent)
}

function isContent(value: unknown): boolean {
  return typeof value === 'string' || (typeof value === 'object' && value !== null && 'base64' in value)
}
