import type { Shape } from '../src/core/json/shape.ts'

/** The positions of a request that its schema checks, and copies of the request with another value at one of them. */

export type Path = readonly (string | number)[]

export interface Position {
  readonly path: Path
  readonly shape: Shape
}

/** Every position of an example that its schema checks, with the shape expected there. */
export function positions(shape: Shape, value: unknown, path: Path = []): Position[] {
  const here = path.length === 0 ? [] : [{ path, shape }]
  if (shape.kind === 'object' && typeof value === 'object' && value !== null) {
    return [
      ...here,
      ...Object.entries(value).flatMap(([key, member]) => {
        const field = shape.keys.get(key)
        return field === undefined ? [] : positions(field, member, [...path, key])
      }),
    ]
  }
  if (shape.kind === 'array' && Array.isArray(value)) {
    return [...here, ...value.slice(0, 2).flatMap((item, i) => positions(shape.item, item, [...path, i]))]
  }
  if (shape.kind === 'record' && typeof value === 'object' && value !== null) {
    return [
      ...here,
      ...Object.entries(value).flatMap(([key, member]) => positions(shape.value, member, [...path, key])),
    ]
  }
  return here
}

/** A copy of the value with another value at the path. */
export function replaceAt<T>(value: T, path: Path, by: unknown): T {
  const [key, ...rest] = path
  if (key === undefined) return by as T
  if (Array.isArray(value))
    return value.map((item: unknown, i) => (i === key ? replaceAt(item, rest, by) : item)) as T
  return { ...value, [key]: replaceAt((value as Record<string, unknown>)[key], rest, by) }
}

export function valueAt(value: unknown, path: Path): unknown {
  return path.reduce<unknown>((inner, key) => (inner as Record<string | number, unknown>)[key], value)
}
