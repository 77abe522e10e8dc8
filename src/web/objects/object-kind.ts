import type { BrowserResponse, BrowserInput } from '../../client/browser/client.ts'
import type { IconName } from '../ui/icon.tsx'

/** The kinds of published objects: their labels, icons, API filters and URL segments. */

export type ObjectVersion = BrowserResponse<'objs_query'>['objs'][number]
type ObjectFilter = NonNullable<BrowserInput<'objs_query'>['filter']>

export type KindName = 'ops' | 'prompts' | 'models' | 'datasets' | 'scorers' | 'evaluations' | 'others'

export interface ObjectKind {
  readonly name: KindName
  readonly label: string
  /** The singular noun, in lower case. */
  readonly singular: string
  readonly icon: IconName
  readonly filter: ObjectFilter
}

const CLASSES = {
  prompts: 'Prompt',
  models: 'Model',
  datasets: 'Dataset',
  scorers: 'Scorer',
  evaluations: 'Evaluation',
} as const

/** The class of leaderboards, which the Python SDK publishes. They are among the other objects. */
export const LEADERBOARD_CLASS = 'Leaderboard'

const classFilter = (name: keyof typeof CLASSES): ObjectFilter => ({
  is_op: false,
  base_object_classes: [CLASSES[name]],
})

export const OTHERS: ObjectKind = {
  name: 'others',
  label: 'Other',
  singular: 'object',
  icon: 'objects',
  filter: { is_op: false, exclude_base_object_classes: Object.values(CLASSES) },
}

export const OBJECT_KINDS: readonly ObjectKind[] = [
  { name: 'ops', label: 'Ops', singular: 'op', icon: 'op', filter: { is_op: true } },
  {
    name: 'prompts',
    label: 'Prompts',
    singular: 'prompt',
    icon: 'transcript',
    filter: classFilter('prompts'),
  },
  { name: 'models', label: 'Models', singular: 'model', icon: 'llm', filter: classFilter('models') },
  {
    name: 'datasets',
    label: 'Datasets',
    singular: 'dataset',
    icon: 'table',
    filter: classFilter('datasets'),
  },
  { name: 'scorers', label: 'Scorers', singular: 'scorer', icon: 'check', filter: classFilter('scorers') },
  {
    name: 'evaluations',
    label: 'Evaluations',
    singular: 'evaluation',
    icon: 'sort',
    filter: classFilter('evaluations'),
  },
  OTHERS,
]

export function findKind(name: string | undefined): ObjectKind | undefined {
  return OBJECT_KINDS.find((kind) => kind.name === name)
}

export function objectKind(version: Pick<ObjectVersion, 'kind' | 'base_object_class'>): ObjectKind {
  const entries = Object.entries(CLASSES) as [KindName, string][]
  const name =
    version.kind === 'op' ? 'ops' : entries.find(([, base]) => base === version.base_object_class)?.[0]
  return findKind(name) ?? OTHERS
}

/** The URL segments of kinds. SDKs print links with the first two. */
const SEGMENTS = ['objects', 'ops', 'prompts', 'models', 'datasets', 'scorers'] as const
export type Segment = (typeof SEGMENTS)[number]

export function kindSegment(kind: KindName): Segment {
  return SEGMENTS.find((segment) => segment === kind) ?? 'objects'
}

/** Whether a URL may have this segment in place of the kind. */
export function isSegment(text: string): boolean {
  return SEGMENTS.some((segment) => segment === text) || text === 'evaluations'
}
