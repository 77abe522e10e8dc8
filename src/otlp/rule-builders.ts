import { count, text } from './readers.ts'
import type { AttributeRule, UsageField } from './rules.ts'

/** Short forms of rules that most dialects have. */

/** A text or value of the same meaning, in the attributes of the call. */
export function attribute(name: string, ...from: readonly string[]): AttributeRule {
  return { field: `attributes.${name}`, from }
}

export function textAttribute(name: string, ...from: readonly string[]): AttributeRule {
  return { field: `attributes.${name}`, from, read: text }
}

export function parameter(name: string, ...from: readonly string[]): AttributeRule {
  return { field: `inputs.parameters.${name}`, from }
}

export function usage(name: UsageField, ...from: readonly string[]): AttributeRule {
  return { field: `summary.usage.${name}`, from, read: count }
}

/** The presence of an attribute tells the kind. */
export function kindIs(kind: string, ...from: readonly string[]): AttributeRule {
  return { field: 'kind', from, read: () => kind }
}
