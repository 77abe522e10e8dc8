import { ApiKeys } from './api-keys.tsx'
import { PasswordForm } from './password-form.tsx'
import { Sessions } from './sessions.tsx'
import { StandalonePage } from '../frame/standalone-page.tsx'

/** The account of the signed-in user: password, sessions and API keys. */
export function AccountPage() {
  return (
    <StandalonePage title="Account">
      <PasswordForm />
      <Sessions />
      <ApiKeys />
    </StandalonePage>
  )
}
