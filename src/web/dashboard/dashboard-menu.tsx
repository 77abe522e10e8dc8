import { Button, Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { projectParams, type Project } from '../api/project.ts'
import { MenuAction } from '../ui/action-menu.tsx'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { LinkMenuItem } from '../ui/link-button.tsx'
import { DashboardNameDialog, type DashboardNaming } from './dashboard-dialogs.tsx'
import { useDashboards } from './use-dashboards.ts'

interface Props {
  readonly project: Project
  /** The time range, which the next dashboard keeps. */
  readonly range: string | undefined
}

/** Menu that opens another dashboard, or creates one. */
export function DashboardMenu({ project, range }: Props) {
  const dashboards = useDashboards(project)
  const navigate = useNavigate()
  const [naming, setNaming] = useState<DashboardNaming>()
  const params = projectParams(project)
  const search = range === undefined ? {} : { range }
  return (
    <>
      <Menu position="bottom-end">
        <Menu.Target>
          <Button variant="default" rightSection={<Icon name="chevronDown" size={12} />}>
            Dashboards
          </Button>
        </Menu.Target>
        <Menu.Dropdown>
          <LinkMenuItem to="/$entity/$project/weave/dashboard" params={params} search={search}>
            Overview
          </LinkMenuItem>
          {dashboards.data?.map(({ object_id, label }) => (
            <LinkMenuItem
              key={object_id}
              to="/$entity/$project/weave/dashboards/$dashboard_id"
              params={{ ...params, dashboard_id: object_id }}
              search={search}
            >
              <span className="isolate">{visibleText(label)}</span>
            </LinkMenuItem>
          ))}
          <Menu.Divider />
          <MenuAction icon="plus" onClick={() => setNaming({ kind: 'new' })}>
            New dashboard
          </MenuAction>
          <LinkMenuItem
            leftSection={<Icon name="table" size={13} />}
            to="/$entity/$project/weave/dashboards"
            params={params}
          >
            All dashboards
          </LinkMenuItem>
        </Menu.Dropdown>
      </Menu>
      <DashboardNameDialog
        project={project}
        naming={naming}
        existing={dashboards.data ?? []}
        onClose={() => setNaming(undefined)}
        onSaved={(dashboard_id) => {
          setNaming(undefined)
          void navigate({
            to: '/$entity/$project/weave/dashboards/$dashboard_id',
            params: { ...params, dashboard_id },
            search,
          })
        }}
      />
    </>
  )
}
