import styles from './sql-page.module.css'
import { VIEWS } from './views.ts'

/** Panel with the SQL views and their columns. A click inserts the name into the query. */
export function ViewList({ onPick }: { readonly onPick: (text: string) => void }) {
  return (
    <aside className={styles.views} aria-label="Views and columns">
      {VIEWS.map((view, i) => (
        <details key={view.name} className={styles.view} open={i === 0}>
          <summary>
            <code>{view.name}</code> <span className={styles.about}>{view.about}</span>
          </summary>
          <ul className={styles.names}>
            {view.columns.map((column) => (
              <li key={column}>
                <button type="button" className={styles.name} onClick={() => onPick(column)}>
                  {column}
                </button>
              </li>
            ))}
          </ul>
        </details>
      ))}
    </aside>
  )
}
