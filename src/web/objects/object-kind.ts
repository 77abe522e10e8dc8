import type { BrowserAnswer, BrowserInput } from '../../client/browser/client.ts'
import type { IconName } from '../ui/icon.tsx'

/** What was published, by what it is for. */

export type ObjectVersion = BrowserAnswer<'objs_query'>['objs'][number]
type ObjectFilter = NonNullable<BrowserInput<'objs_query'>['filter']>

export type KindName = 'ops' | 'prompts' | 'models' | 'datasets' | 'scorers' | 'evaluations' | 'others'

export interface ObjectKind {
  readonly name: KindName
  readonly label: string
  /** One of them. */
  readonly one: string
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

const ofClass = (name: keyof typeof CLASSES): ObjectFilter => ({
  is_op: false,
  base_object_classes: [CLASSES[name]],
})

export const OTHERS: ObjectKind = {
  name: 'others',
  label: 'Others',
  one: 'object',
  icon: 'objects',
  filter: { is_op: false, exclude_base_object_classes: Object.values(CLASSES) },
}

export const OBJECT_KINDS: readonly ObjectKind[] = [
  { name: 'ops', label: 'Ops', one: 'op', icon: 'op', filter: { is_op: true } },
  { name: 'prompts', label: 'Prompts', one: 'prompt', icon: 'transcript', filter: ofClass('prompts') },
  { name: 'models', label: 'Models', one: 'model', icon: 'llm', filter: ofClass('models') },
  { name: 'datasets', label: 'Datasets', one: 'dataset', icon: 'table', filter: ofClass('datasets') },
  { name: 'scorers', label: 'Scorers', one: 'scorer', icon: 'check', filter: ofClass('scorers') },
  {
    name: 'evaluations',
    label: 'Evaluations',
    one: 'evaluation',
    icon: 'sort',
    filter: ofClass('evaluations'),
  },
  OTHERS,
]

export function findKind(name: string | undefined): ObjectKind | undefined {
  return OBJECT_KINDS.find((kind) => kind.name === name)
}

export function kindOf(version: Pick<ObjectVersion, 'kind' | 'base_object_class'>): ObjectKind {
  const entries = Object.entries(CLASSES) as [KindName, string][]
  const name =
    version.kind === 'op' ? 'ops' : entries.find(([, base]) => base === version.base_object_class)?.[0]
  return findKind(name) ?? OTHERS
}

/** The word for it in addresses; SDKs print links with the first two. */
const SEGMENTS = ['objects', 'ops', 'prompts', 'models', 'datasets', 'scorers'] as const
export type Segment = (typeof SEGMENTS)[number]

export function segmentOf(kind: KindName): Segment {
  return SEGMENTS.find((segment) => segment === kind) ?? 'objects'
}

/** Whether an address may have it in place of a kind. */
export function isSegment(text: string): boolean {
  return SEGMENTS.some((segment) => segment === text) || text === 'evaluations'
}
