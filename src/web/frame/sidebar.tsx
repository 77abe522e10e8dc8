import { ActionIcon, Tooltip } from '@mantine/core'
import { Link, useLocation } from '@tanstack/react-router'
import { BASE_PATH } from '../api/base-path.ts'
import { useProject } from '../api/project.ts'
import { Icon, type IconName } from '../ui/icon.tsx'
import { Logo } from '../ui/logo.tsx'
import { PALETTE_KEYS, paletteOpener } from './palette-opener.ts'
import { KeyCaps } from '../shortcuts/key-caps.tsx'
import { ProjectSwitcher } from './project-switcher.tsx'
import styles from './sidebar.module.css'
import { UserMenu } from './user-menu.tsx'

/** The pages of a project, by what they are for. */
const PAGE_GROUPS = [
  {
    label: 'Observe',
    pages: [
      { to: '/$entity/$project/weave/traces', label: 'Traces', icon: 'traces' },
      { to: '/$entity/$project/weave/threads', label: 'Threads', icon: 'threads' },
      { to: '/$entity/$project/weave/users', label: 'Users', icon: 'smile' },
    ],
  },
  {
    label: 'Improve',
    pages: [
      { to: '/$entity/$project/weave/queues', label: 'Review', icon: 'queue' },
      { to: '/$entity/$project/weave/datasets', label: 'Datasets', icon: 'table' },
      { to: '/$entity/$project/weave/evaluations', label: 'Evaluations', icon: 'evaluations' },
      { to: '/$entity/$project/weave/prompts', label: 'Prompts', icon: 'transcript' },
      { to: '/$entity/$project/weave/objects', label: 'Objects', icon: 'objects' },
    ],
  },
  {
    label: 'Analyze',
    pages: [
      { to: '/$entity/$project/weave/dashboard', label: 'Dashboards', icon: 'chart' },
      { to: '/$entity/$project/weave/costs', label: 'Costs', icon: 'cost' },
      { to: '/$entity/$project/weave/sql', label: 'SQL', icon: 'retrieval' },
    ],
  },
  {
    label: 'Project',
    pages: [
      { to: '/$entity/$project/weave/setup', label: 'Setup', icon: 'key' },
      { to: '/$entity/$project/weave/settings', label: 'Settings', icon: 'settings' },
    ],
  },
] as const satisfies readonly {
  label: string
  pages: readonly { to: string; label: string; icon: IconName }[]
}[]

export const PROJECT_PAGES = PAGE_GROUPS.flatMap(({ pages }) => [...pages])

/** Sub-pages whose URL does not start with that of their page. */
const PAGE_SEGMENTS: ReadonlyMap<string, string> = new Map([
  ['', 'setup'],
  ['calls', 'traces'],
  ['compare', 'traces'],
  ['agents', 'threads'],
  ['dashboards', 'dashboard'],
  ['new-dataset', 'datasets'],
  ['compare-evaluations', 'evaluations'],
  ['ops', 'objects'],
  ['models', 'objects'],
  ['scorers', 'objects'],
])

/** The first segment of the URL of the page in the sidebar that a path belongs to. */
function activeSegment(pathname: string): string {
  const [, , , weave, segment = ''] = pathname.split('/')
  return weave === 'weave' ? (PAGE_SEGMENTS.get(segment) ?? segment) : ''
}

/** The sidebar: project switcher, command palette, pages and account. */
export function Sidebar() {
  const { entity, project } = useProject()
  const active = useLocation({ select: ({ pathname }) => activeSegment(pathname) })
  return (
    <header className={styles.sidebar}>
      <div className={styles.top}>
        <Tooltip label="All projects" position="right">
          <Link to="/projects" className={styles.brand} aria-label="Heddle: all projects">
            <Logo />
            <span className={styles.word}>Heddle</span>
          </Link>
        </Tooltip>
      </div>
      <ProjectSwitcher />
      <button type="button" className={styles.search} title="Go to…" onClick={() => paletteOpener.open()}>
        <Icon name="search" size={14} />
        <span className={styles.label}>Go to…</span>
        <span className={styles.hint} aria-hidden="true">
          <KeyCaps keys={PALETTE_KEYS} />
        </span>
      </button>
      <nav className={styles.nav} aria-label="Project pages">
        {PAGE_GROUPS.map((group) => (
          <div key={group.label} className={styles.group} role="group" aria-label={group.label}>
            <span className={styles.groupLabel} aria-hidden="true">
              {group.label}
            </span>
            {group.pages.map((page) => (
              <Link
                key={page.to}
                to={page.to}
                params={{ entity, project }}
                className={styles.link}
                aria-current={active !== '' && page.to.endsWith(`/${active}`) ? 'page' : undefined}
                // Sub-pages belong to a page too; the router knows only those below its URL.
                activeProps={{}}
                title={page.label}
              >
                <Icon name={page.icon} />
                <span className={styles.label}>{page.label}</span>
              </Link>
            ))}
          </div>
        ))}
      </nav>
      <div className={styles.foot}>
        <UserMenu />
        <Tooltip label="API reference" position="right">
          <ActionIcon
            component="a"
            href={`${BASE_PATH}/docs`}
            target="_blank"
            rel="noreferrer"
            aria-label="API reference"
          >
            <Icon name="external" size={14} />
          </ActionIcon>
        </Tooltip>
      </div>
    </header>
  )
}
