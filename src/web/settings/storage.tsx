import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api } from '../api/client.ts'
import { inPath, type Project } from '../api/project.ts'
import '../charts/series.css'
import { seriesColor } from '../charts/series.ts'
import { Failure } from '../ui/failure.tsx'
import { formatBytes } from '../ui/format.ts'
import styles from './settings-page.module.css'

const PARTS = [
  { key: 'trace_storage_size_bytes', label: 'Calls' },
  { key: 'objects_storage_size_bytes', label: 'Objects' },
  { key: 'tables_storage_size_bytes', label: 'Tables of datasets' },
  { key: 'files_storage_size_bytes', label: 'Files' },
] as const

/** How much the project has stored. */
export function Storage({ project }: { readonly project: Project }) {
  const stats = useQuery({
    queryKey: ['stats', project.project_id],
    queryFn: ({ signal }) => api.call('project_stats', { project_id: project.project_id }, signal),
  })
  if (stats.isError) return <Failure error={stats.error} retry={() => void stats.refetch()} />
  const { data } = stats
  if (data === undefined) return <p className={styles.faint}>Measuring…</p>
  const total = PARTS.reduce((sum, { key }) => sum + data[key], 0)
  return (
    <section className={styles.card} aria-labelledby="storage">
      <h2 id="storage">Storage</h2>
      <p>
        <span className={styles.total}>{formatBytes(total)}</span>{' '}
        <span className={styles.faint}>as it was sent; on disk it is compressed to a part of it</span>
      </p>
      <div className={styles.shares} aria-hidden="true">
        {PARTS.map(({ key }, i) => (
          <span
            key={key}
            style={{
              width: `${total === 0 ? 0 : (data[key] / total) * 100}%`,
              background: `var(${seriesColor(i)})`,
            }}
          />
        ))}
      </div>
      <dl className={styles.sizes}>
        {PARTS.map(({ key, label }, i) => (
          <Size key={key} label={label} bytes={data[key]} color={seriesColor(i)} />
        ))}
      </dl>
      <p className={styles.faint}>
        What models cost is set on the page of{' '}
        <Link to="/$entity/$project/weave/costs" params={inPath(project)} search={{}}>
          costs
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
