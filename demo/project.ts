// Fetches the project that was packed beside the page.

/** relative path → text */
export type Project = Readonly<Record<string, string>>

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
  const project: unknown = await response.json()
  if (!isProject(project)) throw new Error(`${response.url} does not hold files as text. Build the demo again.`)
  return project
}

export function sizeOf(project: Project): ProjectSize {
  const encoder = new TextEncoder()
  const texts = Object.values(project)
  return { fileCount: texts.length, sizeBytes: texts.reduce((sum, text) => sum + encoder.encode(text).length, 0) }
}

function isProject(value: unknown): value is Project {
  return typeof value === 'object' && value !== null && Object.values(value).every(text => typeof text === 'string')
}
