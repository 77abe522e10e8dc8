import { BUCKETS } from './buckets.ts'

interface Props {
  readonly bucket: string | undefined
  readonly onChange: (bucket: string | undefined) => void
}

/** Selects the bucket size of charts over time. */
export function BucketSelect({ bucket, onChange }: Props) {
  return (
    <label>
      <span className="visually-hidden">Bucket size</span>
      <select
        className="native-input"
        value={bucket ?? ''}
        onChange={(event) => onChange(event.target.value === '' ? undefined : event.target.value)}
      >
        <option value="">auto</option>
        {BUCKETS.map((each) => (
          <option key={each} value={each}>
            per {each}
          </option>
        ))}
      </select>
    </label>
  )
}
