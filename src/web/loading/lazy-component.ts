import { type ComponentType, lazy, type LazyExoticComponent } from 'react'
import { loadPatiently } from './load-module.ts'

/** A part of a page whose code is loaded when it is first shown. Its fallback stays until it can be loaded. */
export function lazyComponent<Name extends string, Props>(
  load: () => Promise<Readonly<Record<Name, ComponentType<Props>>>>,
  name: Name,
): LazyExoticComponent<ComponentType<Props>> {
  return lazy(async () => ({ default: (await loadPatiently(load))[name] }))
}
