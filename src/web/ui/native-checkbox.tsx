import { type ChangeEvent, useEffect, useRef } from 'react'
import styles from './native-checkbox.module.css'

interface Props {
  readonly 'aria-label': string
  readonly checked: boolean
  readonly indeterminate?: boolean
  readonly tabIndex?: number
  readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void
}

/** A native checkbox for tables, where hundreds of Mantine checkboxes would be slow. */
export function NativeCheckbox({ indeterminate = false, ...props }: Props) {
  const ref = useRef<HTMLInputElement>(null)
  useEffect(() => {
    if (ref.current !== null) ref.current.indeterminate = indeterminate
  }, [indeterminate])
  return <input ref={ref} type="checkbox" className={styles.checkbox} {...props} />
}
