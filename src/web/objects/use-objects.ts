import { keepPreviousData, queryOptions, useInfiniteQuery, useQuery } from '@tanstack/react-query'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import type { ObjectKind } from './object-kind.ts'

const PAGE_SIZE = 200
const NEWEST_FIRST = [{ field: 'created_at' as const, direction: 'desc' as const }]

/** The latest version of each object, without its value. */
export function useObjectList(project: Project, kind: ObjectKind | undefined) {
  return useInfiniteQuery({
    queryKey: ['objects', project.project_id, kind?.name],
    queryFn: async ({ pageParam, signal }) => {
      const { objs } = await api.call(
        'objs_query',
        {
          project_id: project.project_id,
          filter: { ...kind?.filter, latest_only: true },
          sort_by: NEWEST_FIRST,
          metadata_only: true,
          include_tags_and_aliases: true,
          limit: PAGE_SIZE,
          offset: pageParam,
        },
        signal,
      )
      return { objs, next: objs.length < PAGE_SIZE ? null : pageParam + PAGE_SIZE }
    },
    initialPageParam: 0,
    getNextPageParam: (page) => page.next,
    placeholderData: keepPreviousData,
  })
}

/** Objects beyond this are found on the objects page only. */
const MAX_NAMES = 2000

/** The latest version of each object, newest first, to find one by name. */
export function useObjectNames(project: Project, isEnabled: boolean) {
  return useQuery({
    queryKey: ['objects', project.project_id, 'names'],
    queryFn: async ({ signal }) => {
      const { objs } = await api.call(
        'objs_query',
        {
          project_id: project.project_id,
          filter: { latest_only: true },
          sort_by: NEWEST_FIRST,
          metadata_only: true,
          limit: MAX_NAMES,
        },
        signal,
      )
      return objs
    },
    enabled: isEnabled,
  })
}

/** The versions of one object, newest first. */
export function useVersions(project: Project, name: string) {
  return useQuery({
    queryKey: ['objects', project.project_id, 'versions', name],
    queryFn: async ({ signal }) => {
      const { objs } = await api.call(
        'objs_query',
        {
          project_id: project.project_id,
          filter: { object_ids: [name] },
          metadata_only: true,
          include_storage_size: true,
          include_tags_and_aliases: true,
          limit: 1000,
        },
        signal,
      )
      return objs.sort((a, b) => b.version_index - a.version_index)
    },
  })
}

function versionQuery(project: Project, name: string, digest: string) {
  return queryOptions({
    queryKey: ['objects', project.project_id, 'version', name, digest],
    queryFn: async ({ signal }) => {
      const { obj } = await api.call(
        'obj_read',
        { project_id: project.project_id, object_id: name, digest, include_tags_and_aliases: true },
        signal,
      )
      return obj
    },
    // A comparison has no digest until the user selects a version.
    enabled: digest !== '',
  })
}

export function useVersion(project: Project, name: string, digest: string) {
  return useQuery(versionQuery(project, name, digest))
}
