/**
 * JSON Schema of a rule between optional fields, for the OpenAPI document: all fields of exactly one group are set, and
 * the others are absent or null.
 */
export function exactlyOneOf(
  type: 'string' | 'object',
  ...groups: (readonly string[])[]
): { oneOf: object[] } {
  const names = groups.flat()
  return {
    oneOf: groups.map((group) => ({
      required: group,
      properties: Object.fromEntries(
        names.map((name) => [name, { type: group.includes(name) ? type : 'null' }]),
      ),
    })),
  }
}
