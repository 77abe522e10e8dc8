/** Splits `acme/demo` into the path parameters of a project route. */
export function projectPath(project_id: string): { entity: string; project: string } {
  const [entity = '', project = ''] = project_id.split('/')
  return { entity, project }
}
