import { useSession } from '../api/session.ts'
import { StandalonePage } from '../frame/standalone-page.tsx'
import { Users } from './users.tsx'

/** Settings of the server, for server administrators. */
export function ServerPage() {
  const session = useSession()
  return (
    <StandalonePage title="Server settings">
      {session?.is_server_admin === false ? (
        <section className="card">
          <h2>Users</h2>
          <p className="faint">Only server administrators can manage users.</p>
        </section>
      ) : (
        session !== undefined && <Users me={session.username} />
      )}
    </StandalonePage>
  )
}
