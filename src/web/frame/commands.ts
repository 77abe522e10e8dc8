import type { useNavigate } from '@tanstack/react-router'
import { BASE_PATH } from '../api/base-path.ts'
import type { Project } from '../api/project.ts'
import { kindSegment, objectKind, type ObjectVersion } from '../objects/object-kind.ts'
import type { IconName } from '../ui/icon.tsx'
import { shortcutSheetOpener } from './shortcut-sheet-opener.ts'
import { PROJECT_PAGES } from './sidebar.tsx'

export interface Command {
  readonly id: string
  readonly label: string
  readonly kind: string
  readonly icon: IconName
  readonly run: () => void
}

interface CommandContext {
  readonly text: string
  readonly currentProject: Project
  readonly projects: readonly { readonly project_id: string }[]
  /** The saved views of the trace list. */
  readonly views: readonly { readonly object_id: string; readonly label: string }[]
  readonly dashboards: readonly { readonly object_id: string; readonly label: string }[]
  /** The latest version of each published object. */
  readonly objects: readonly ObjectVersion[]
  readonly navigate: ReturnType<typeof useNavigate>
  readonly setColorScheme: (scheme: 'light' | 'dark' | 'auto') => void
}

/** The commands for a text: a search or a call id first, then all commands whose names contain every word. */
export function commandsFor(context: CommandContext): Command[] {
  const text = context.text.trim()
  const terms = text.toLowerCase().split(/\s+/)
  const matching = [
    ...pageCommands(context),
    ...viewCommands(context),
    ...dashboardCommands(context),
    ...projectCommands(context),
    // All of them are too many to browse.
    ...(text === '' ? [] : objectCommands(context)),
    ...actionCommands(context),
  ].filter(({ label, kind }) => {
    const name = `${label} ${kind}`.toLowerCase()
    return terms.every((word) => name.includes(word))
  })
  return [...(text === '' ? [] : textCommands(context, text)), ...matching].slice(0, 50)
}

function textCommands({ currentProject, navigate }: CommandContext, text: string): Command[] {
  const params = { entity: currentProject.entity, project: currentProject.project }
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
    label: `Open call ${text}`,
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

function pageCommands({ currentProject, navigate }: CommandContext): Command[] {
  const params = { entity: currentProject.entity, project: currentProject.project }
  return PROJECT_PAGES.map((page) => ({
    id: page.to,
    label: page.label,
    kind: 'Page',
    icon: page.icon,
    run: () => void navigate({ to: page.to, params }),
  }))
}

function viewCommands({ views, currentProject, navigate }: CommandContext): Command[] {
  const params = { entity: currentProject.entity, project: currentProject.project }
  return views.map(({ object_id, label }) => ({
    id: `view ${object_id}`,
    label,
    kind: 'View',
    icon: 'bookmark',
    run: () => void navigate({ to: '/$entity/$project/weave/traces', params, search: { open: object_id } }),
  }))
}

function dashboardCommands({ dashboards, currentProject, navigate }: CommandContext): Command[] {
  const { entity, project } = currentProject
  return dashboards.map(({ object_id, label }) => ({
    id: `dashboard ${object_id}`,
    label,
    kind: 'Dashboard',
    icon: 'chart',
    run: () =>
      void navigate({
        to: '/$entity/$project/weave/dashboards/$dashboard_id',
        params: { entity, project, dashboard_id: object_id },
        search: {},
      }),
  }))
}

function projectCommands({ projects, currentProject, navigate }: CommandContext): Command[] {
  return projects
    .filter(({ project_id }) => project_id !== currentProject.project_id)
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

function objectCommands({ objects, currentProject, navigate }: CommandContext): Command[] {
  return objects.map((version) => {
    const kind = objectKind(version)
    const params = {
      entity: currentProject.entity,
      project: currentProject.project,
      kind: kindSegment(kind.name),
      name: version.object_id,
      digest: version.digest,
    }
    return {
      id: `object ${kind.name} ${version.object_id}`,
      label: version.object_id,
      kind: kind.singular.charAt(0).toUpperCase() + kind.singular.slice(1),
      icon: kind.icon,
      run: () =>
        void navigate({
          to: '/$entity/$project/weave/$kind/$name/versions/$digest',
          params,
          search: {},
        }),
    }
  })
}

function actionCommands({ navigate, setColorScheme }: CommandContext): Command[] {
  const themeCommand = (value: 'light' | 'dark' | 'auto', label: string, icon: IconName): Command => ({
    id: `theme ${value}`,
    label,
    kind: 'Theme',
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
    {
      id: 'keys',
      label: 'Keyboard shortcuts',
      kind: 'Help',
      icon: 'keyboard',
      run: () => shortcutSheetOpener.open(),
    },
    {
      id: 'docs',
      label: 'API reference',
      kind: 'Help',
      icon: 'external',
      run: () => void window.open(`${BASE_PATH}/docs`, '_blank', 'noreferrer'),
    },
    themeCommand('light', 'Light theme', 'sun'),
    themeCommand('dark', 'Dark theme', 'moon'),
    themeCommand('auto', 'System theme', 'screen'),
  ]
}
