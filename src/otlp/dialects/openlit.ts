import type { Dialect } from '../rules.ts'

/** OpenLIT; the rest of its attributes follow the GenAI conventions. */
export const openlit: Dialect = {
  name: 'openlit',
  title: 'OpenLIT',
  applies: ({ scope }) => scope.name.startsWith('openlit.'),
  rules: [
    {
      field: 'excludes_cache',
      from: ['gen_ai.provider.name', 'gen_ai.system'],
      // It repeats what the provider reports, and its total leaves out cached tokens too.
      read: ({ text }) => text === 'anthropic' || undefined,
    },
  ],
}
