import { CopyButton } from '../ui/copy-button.tsx'
import { visibleText } from '../ui/visible-text.ts'
import styles from './media-view.module.css'

/** Media on another machine: its address as text. */
export function RemoteAddress({ address }: { readonly address: string }) {
  return (
    <div className={styles.media}>
      <div className={styles.facts}>
        <code className={`${styles.address} foreign`}>{visibleText(address.slice(0, 2000))}</code>
        <CopyButton text={address} label="Copy the address" />
      </div>
      <p className={styles.note}>
        It is not fetched: whoever answers there would learn who reads this trace.
      </p>
    </div>
  )
}
