import type { useNavigate } from '@tanstack/react-router'
import type { Project } from '../api/project.ts'
import type { IconName } from '../ui/icon.tsx'
import { openSheet } from './sheet-opener.ts'
import { PAGES } from './sidebar.tsx'

export interface Command {
  readonly id: string
  readonly label: string
  readonly kind: string
  readonly icon: IconName
  readonly run: () => void
}

interface World {
  readonly text: string
  readonly here: Project
  readonly projects: readonly { readonly project_id: string }[]
  /** The saved views of the list of traces. */
  readonly views: readonly { readonly object_id: string; readonly label: string }[]
  readonly navigate: ReturnType<typeof useNavigate>
  readonly setColorScheme: (scheme: 'light' | 'dark' | 'auto') => void
}

/** What the palette offers for a text: what it may be itself, then all whose names hold it. */
export function commandsFor(world: World): Command[] {
  const text = world.text.trim()
  const words = text.toLowerCase().split(/\s+/)
  const named = [...pages(world), ...views(world), ...projects(world), ...actions(world)].filter(
    ({ label, kind }) => {
      const name = `${label} ${kind}`.toLowerCase()
      return words.every((word) => name.includes(word))
    },
  )
  return [...(text === '' ? [] : literally(world, text)), ...named].slice(0, 50)
}

function literally({ here, navigate }: World, text: string): Command[] {
  const params = { entity: here.entity, project: here.project }
  const search: Command = {
    id: 'search',
    label: `Search calls for “${text}”`,
    kind: 'Search',
    icon: 'search',
    run: () =>
      void navigate({ to: '/$entity/$project/weave/traces', params, search: { text, range: 'all' } }),
  }
  if (!/^[\w-]{16,}$/.test(text)) return [search]
  const call: Command = {
    id: 'call',
    label: `Open the call ${text}`,
    kind: 'Call',
    icon: 'traces',
    run: () =>
      void navigate({
        to: '/$entity/$project/weave/calls/$call_id',
        params: { ...params, call_id: text },
        search: {},
      }),
  }
  return [call, search]
}

function pages({ here, navigate }: World): Command[] {
  const params = { entity: here.entity, project: here.project }
  return PAGES.map((page) => ({
    id: page.to,
    label: page.label,
    kind: 'Page',
    icon: page.icon,
    run: () => void navigate({ to: page.to, params }),
  }))
}

function views({ views, here, navigate }: World): Command[] {
  const params = { entity: here.entity, project: here.project }
  return views.map(({ object_id, label }) => ({
    id: `view ${object_id}`,
    label,
    kind: 'View',
    icon: 'bookmark',
    run: () => void navigate({ to: '/$entity/$project/weave/traces', params, search: { open: object_id } }),
  }))
}

function projects({ projects, here, navigate }: World): Command[] {
  return projects
    .filter(({ project_id }) => project_id !== here.project_id)
    .map(({ project_id }) => {
      const [entity = '', project = ''] = project_id.split('/')
      return {
        id: `project ${project_id}`,
        label: project_id,
        kind: 'Project',
        icon: 'home' as const,
        run: () => void navigate({ to: '/$entity/$project/weave', params: { entity, project } }),
      }
    })
}

function actions({ navigate, setColorScheme }: World): Command[] {
  const scheme = (value: 'light' | 'dark' | 'auto', label: string, icon: IconName): Command => ({
    id: `colours ${value}`,
    label,
    kind: 'Colours',
    icon,
    run: () => setColorScheme(value),
  })
  return [
    {
      id: 'projects',
      label: 'All projects',
      kind: 'Page',
      icon: 'home',
      run: () => void navigate({ to: '/projects' }),
    },
    { id: 'keys', label: 'Keyboard shortcuts', kind: 'Help', icon: 'keyboard', run: () => openSheet.open() },
    {
      id: 'docs',
      label: 'API reference',
      kind: 'Help',
      icon: 'external',
      run: () => void window.open('/docs', '_blank', 'noreferrer'),
    },
    scheme('light', 'Light colours', 'sun'),
    scheme('dark', 'Dark colours', 'moon'),
    scheme('auto', 'Colours as the system', 'screen'),
  ]
}
