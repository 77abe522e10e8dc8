import { Button, Menu } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { projectParams, type Project } from '../api/project.ts'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
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
          <Menu.Item
            renderRoot={(props) => (
              <Link {...props} to="/$entity/$project/weave/dashboard" params={params} search={search} />
            )}
          >
            Overview
          </Menu.Item>
          {dashboards.data?.map(({ object_id, label }) => (
            <Menu.Item
              key={object_id}
              renderRoot={(props) => (
                <Link
                  {...props}
                  to="/$entity/$project/weave/dashboards/$dashboard_id"
                  params={{ ...params, dashboard_id: object_id }}
                  search={search}
                />
              )}
            >
              <span className="isolate">{visibleText(label)}</span>
            </Menu.Item>
          ))}
          <Menu.Divider />
          <Menu.Item leftSection={<Icon name="plus" size={13} />} onClick={() => setNaming({ kind: 'new' })}>
            New dashboard
          </Menu.Item>
          <Menu.Item
            leftSection={<Icon name="table" size={13} />}
            renderRoot={(props) => (
              <Link {...props} to="/$entity/$project/weave/dashboards" params={params} />
            )}
          >
            All dashboards
          </Menu.Item>
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
