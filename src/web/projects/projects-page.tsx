import { Button, TextInput } from '@mantine/core'
import { Link, useNavigate } from '@tanstack/react-router'
import { type FormEvent, useState } from 'react'
import { useProjects } from '../api/projects.ts'
import { useSession } from '../api/session.ts'
import { StandalonePage } from '../frame/standalone-page.tsx'
import { EmptyState } from '../ui/empty-state.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { formatAgo } from '../time/format.ts'
import styles from './projects-page.module.css'

/** Lists the projects that the user can read. */
export function ProjectsPage() {
  const projects = useProjects()
  const [text, setText] = useState('')
  const known = projects.data?.projects ?? []
  const shown = known.filter(({ project_id, display_name }) =>
    `${display_name} ${project_id}`.toLowerCase().includes(text.toLowerCase()),
  )
  return (
    <StandalonePage title="Projects" isHome>
      {projects.isError && <ErrorNotice error={projects.error} retry={() => void projects.refetch()} />}
      {known.length > 8 && (
        <TextInput
          aria-label="Find a project"
          placeholder="Find a project"
          size="sm"
          leftSection={<Icon name="search" size={14} />}
          value={text}
          onChange={(event) => setText(event.target.value)}
        />
      )}
      {shown.length > 0 && (
        <ul className={`${styles.list} rows`} aria-label="Projects">
          {shown.map(({ project_id, display_name, created_at, is_deleting, role }) => {
            const [entity = '', project = ''] = project_id.split('/')
            return (
              <li key={project_id}>
                <Link to="/$entity/$project/weave" params={{ entity, project }} className={styles.row}>
                  <span className="initial" aria-hidden="true">
                    {(display_name === '' ? project : display_name).slice(0, 1).toUpperCase()}
                  </span>
                  <span className={styles.name}>
                    {display_name === '' ? (
                      <>
                        <span className={styles.entity}>{entity}/</span>
                        {project}
                      </>
                    ) : (
                      <>
                        {visibleText(display_name)} <span className={styles.entity}>{project_id}</span>
                      </>
                    )}
                  </span>
                  <span className="hint">{is_deleting ? 'being deleted' : role}</span>
                  <span className="hint">{formatAgo(created_at, Date.now())}</span>
                  <Icon name="chevronRight" size={14} />
                </Link>
              </li>
            )
          })}
        </ul>
      )}
      {projects.isSuccess && known.length === 0 && (
        <EmptyState icon="objects" title="No projects yet">
          The first call sent to a project creates it. Enter a name below to get the setup code.
        </EmptyState>
      )}
      {projects.isSuccess && <NewProject />}
    </StandalonePage>
  )
}

/** Opens the setup page of a new project. Nothing is created: the first call creates the project. */
function NewProject() {
  const session = useSession()
  const navigate = useNavigate()
  const [entity, setEntity] = useState<string>()
  const [project, setProject] = useState('')
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const params = { entity: (entity ?? session?.username ?? '').trim(), project: project.trim() }
    if (params.entity !== '' && params.project !== '') {
      void navigate({ to: '/$entity/$project/weave/setup', params })
    }
  }
  return (
    <form className={styles.new} onSubmit={submit} aria-label="New project">
      <TextInput
        label="Entity"
        size="sm"
        value={entity ?? session?.username ?? ''}
        onChange={(event) => setEntity(event.target.value)}
      />
      <TextInput
        label="New project"
        size="sm"
        placeholder="my-agent"
        value={project}
        onChange={(event) => setProject(event.target.value)}
      />
      <Button type="submit" size="sm" variant="default" disabled={project.trim() === ''}>
        Create project
      </Button>
    </form>
  )
}
