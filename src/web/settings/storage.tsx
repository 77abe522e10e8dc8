import { Progress } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../api/client.ts'
import { projectParams, type Project } from '../api/project.ts'
import '../charts/series.css'
import { seriesColor } from '../charts/series.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { formatBytes } from '../ui/format.ts'
import styles from './settings-page.module.css'

const PARTS = [
  { key: 'trace_storage_size_bytes', label: 'Calls' },
  { key: 'objects_storage_size_bytes', label: 'Objects' },
  { key: 'tables_storage_size_bytes', label: 'Dataset tables' },
  { key: 'files_storage_size_bytes', label: 'Files' },
] as const

/** Storage used by the project, by kind of data. */
export function Storage({ project }: { readonly project: Project }) {
  const stats = useQuery({
    queryKey: ['stats', project.project_id],
    queryFn: ({ signal }) => api.call('project_stats', { project_id: project.project_id }, signal),
  })
  if (stats.isError) return <ErrorNotice error={stats.error} retry={() => void stats.refetch()} />
  const { data } = stats
  if (data === undefined) return <p className="faint">Loading…</p>
  const total = PARTS.reduce((sum, { key }) => sum + data[key], 0)
  return (
    <section className="card" aria-labelledby="storage">
      <h2 id="storage">Storage</h2>
      <p>
        <span className={styles.total}>{formatBytes(total)}</span>{' '}
        <span className="faint">uncompressed; the size on disk is smaller</span>
      </p>
      <Progress.Root className={styles.shares ?? ''} size={12} radius={6} aria-hidden="true">
        {PARTS.map(({ key }, i) => (
          <Progress.Section
            key={key}
            withAria={false}
            value={total === 0 ? 0 : (data[key] / total) * 100}
            color={`var(${seriesColor(i)})`}
          />
        ))}
      </Progress.Root>
      <dl className={styles.sizes}>
        {PARTS.map(({ key, label }, i) => (
          <Size key={key} label={label} bytes={data[key]} color={seriesColor(i)} />
        ))}
      </dl>
      <p className="faint">
        Model prices are set on the{' '}
        <Link to="/$entity/$project/weave/costs" params={projectParams(project)} search={{}}>
          costs page
        </Link>
        .
      </p>
    </section>
  )
}

interface SizeProps {
  readonly label: string
  readonly bytes: number
  readonly color: string
}

function Size({ label, bytes, color }: SizeProps) {
  return (
    <>
      <span className={styles.swatch} style={{ background: `var(${color})` }} aria-hidden="true" />
      <dt>{label}</dt>
      <dd>{formatBytes(bytes)}</dd>
    </>
  )
}
