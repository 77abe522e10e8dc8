import { Menu } from '@mantine/core'
import { useNavigate } from '@tanstack/react-router'
import { useProject } from '../api/project.ts'
import { useProjectName, useProjects } from '../api/projects.ts'
import { MenuAction } from '../ui/action-menu.tsx'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import styles from './project-switcher.module.css'

/** The menu that shows the current project and switches to another. */
export function ProjectSwitcher() {
  const currentProject = useProject()
  const navigate = useNavigate()
  const projects = useProjects()
  const name = useProjectName(currentProject)
  const readable = projects.data?.projects ?? []
  return (
    <Menu position="bottom-start" width={280}>
      <Menu.Target>
        <button type="button" className={styles.switcher}>
          <span className="visually-hidden">Project {currentProject.project_id}, switch project</span>
          <span className="initial" aria-hidden="true">
            {name.slice(0, 1).toUpperCase()}
          </span>
          <span className={styles.names} aria-hidden="true">
            <span className={styles.project}>{name}</span>
            <span className={styles.entity}>
              {name === currentProject.project ? currentProject.entity : currentProject.project_id}
            </span>
          </span>
          <span className={styles.arrow}>
            <Icon name="chevronDown" size={14} />
          </span>
        </button>
      </Menu.Target>
      <Menu.Dropdown className={styles.dropdown}>
        <Menu.Label>Projects</Menu.Label>
        {readable.slice(0, 12).map(({ project_id, display_name }) => {
          const [entity = '', project = ''] = project_id.split('/')
          return (
            <Menu.Item
              key={project_id}
              leftSection={
                <Icon name={project_id === currentProject.project_id ? 'check' : 'traces'} size={14} />
              }
              onClick={() => void navigate({ to: '/$entity/$project/weave', params: { entity, project } })}
            >
              {display_name === '' ? project_id : `${visibleText(display_name)} (${project_id})`}
            </Menu.Item>
          )
        })}
        <Menu.Divider />
        <MenuAction icon="home" onClick={() => void navigate({ to: '/projects' })}>
          All projects
        </MenuAction>
      </Menu.Dropdown>
    </Menu>
  )
}
