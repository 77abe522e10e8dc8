import { CopyButton } from '../ui/copy-button.tsx'
import { visibleText } from '../ui/visible-text.ts'
import styles from './media-view.module.css'

/** Remote media, shown as its URL only. */
export function RemoteUrl({ url }: { readonly url: string }) {
  return (
    <div className={styles.media}>
      <div className={styles.caption}>
        <code className={`${styles.url} isolate`}>{visibleText(url.slice(0, 2000))}</code>
        <CopyButton text={url} label="Copy URL" />
      </div>
      <p className="faint wrap">Remote media is not loaded: the request would reveal who reads this trace.</p>
    </div>
  )
}
