/** The header of OTLP that names the project. `project_id`, as Weave documents it, is accepted too. */
export const PROJECT_HEADER = 'project-id'

/** The value of that header: text beyond ASCII cannot be in one. */
export function encodeProjectHeader(project_id: string): string {
  return project_id.split('/').map(encodeURIComponent).join('/')
}
