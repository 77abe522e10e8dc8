import type { Project } from '../api/project.ts'
import { DASHBOARD_CLASS } from '../named-objects/classes.ts'
import {
  type NamedObject,
  readNamedObjects,
  useNamedObjects,
  useSaveNamedObject,
} from '../named-objects/use-named-objects.ts'
import {
  changeCharts,
  type ChartDefinition,
  type ChartsChange,
  type Dashboard,
  parseDashboard,
} from './definition.ts'

const parseAll = (objects: readonly NamedObject[]): readonly Dashboard[] => objects.map(parseDashboard)

/** The dashboards that people defined, sorted by name. */
export function useDashboards(project: Project) {
  return useNamedObjects(project, DASHBOARD_CLASS, true, parseAll)
}

/** A dashboard to save: a new one, or a change of an existing one. */
interface DashboardChange {
  readonly object_id?: string
  readonly label?: string
  /** The charts of a new dashboard. */
  readonly charts?: readonly ChartDefinition[]
  readonly change?: ChartsChange
}

/** Saves a dashboard. A change applies to the newest version on the server, which somebody else may have saved. */
export function useSaveDashboard(project: Project) {
  return useSaveNamedObject(
    project,
    DASHBOARD_CLASS,
    async ({ object_id, label = '', charts = [], change }: DashboardChange) => {
      if (object_id === undefined) return { label, members: { charts } }
      const object = (await readNamedObjects(project, DASHBOARD_CLASS)).find(
        (each) => each.object_id === object_id,
      )
      if (object === undefined) throw new Error('the dashboard was deleted by somebody else')
      const before = parseDashboard(object)
      return {
        object_id,
        label: label === '' ? before.label : label,
        members: {
          ...Object.fromEntries(before.members),
          charts: change === undefined ? before.charts : changeCharts(before.charts, change),
        },
      }
    },
  )
}
