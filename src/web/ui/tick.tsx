import { type ChangeEvent, useEffect, useRef } from 'react'
import styles from './tick.module.css'

interface Props {
  readonly 'aria-label': string
  readonly checked: boolean
  readonly indeterminate?: boolean
  readonly tabIndex?: number
  readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void
}

/** A checkbox of the browser's own, for tables: hundreds of them cost nothing. */
export function Tick({ indeterminate = false, ...props }: Props) {
  const ref = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (ref.current !== null) ref.current.indeterminate = indeterminate
  }, [indeterminate])
  return <input ref={ref} type="checkbox" className={styles.tick} {...props} />
}
