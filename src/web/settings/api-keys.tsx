import { ActionIcon, Button, Modal, TextInput, Tooltip } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { api } from '../api/client.ts'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { formatAgo, formatTime } from '../time/format.ts'
import { SecretNotice } from './secret-notice.tsx'
import styles from './settings-page.module.css'
import { type ApiKey, useKeys, useKeysChange } from './use-keys.ts'

/** API keys of the signed-in user, in all projects. A new key is shown once. */
export function ApiKeys() {
  const keys = useKeys()
  const [name, setName] = useState('')
  const [revoking, setRevoking] = useState<ApiKey>()
  const create = useKeysChange(() => api.call('key_create', { name: name.trim() }))
  const revoke = useKeysChange((key_id: string) => api.call('key_revoke', { key_id }))
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate(undefined, { onSuccess: () => setName('') })
  }
  return (
    <section className={styles.card} aria-labelledby="keys">
      <h2 id="keys">API keys</h2>
      <p className={styles.faint}>
        Programs authenticate with an API key. A key has your permissions in all projects. Create one key per
        program.
      </p>
      <form className={styles.line} aria-label="Create API key" onSubmit={submit}>
        <TextInput
          label="Name"
          placeholder="checkout service"
          value={name}
          maxLength={128}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" loading={create.isPending} leftSection={<Icon name="key" size={14} />}>
          Create API key
        </Button>
      </form>
      {create.isError && <ErrorNotice error={create.error} />}
      {create.data !== undefined && (
        <SecretNotice secret={create.data.key} copyLabel="Copy API key" onDone={() => create.reset()}>
          Copy the key now. It is not shown again.
        </SecretNotice>
      )}
      {keys.isError ? (
        <ErrorNotice error={keys.error} retry={() => void keys.refetch()} />
      ) : (
        <KeyTable
          keys={keys.data?.keys.filter(({ kind }) => kind === 'key') ?? []}
          isLoaded={keys.isSuccess}
          onRevoke={setRevoking}
        />
      )}
      <Modal
        opened={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title="Revoke this API key?"
        size="sm"
      >
        <p className={styles.faint}>
          Programs that use this key lose access immediately. Sessions created with it end.
        </p>
        {revoke.isError && <ErrorNotice error={revoke.error} />}
        <div className={styles.line}>
          <Button variant="default" data-autofocus onClick={() => setRevoking(undefined)}>
            Cancel
          </Button>
          <Button
            color="madder"
            variant="light"
            loading={revoke.isPending}
            onClick={() =>
              revoking !== undefined &&
              revoke.mutate(revoking.key_id, { onSuccess: () => setRevoking(undefined) })
            }
          >
            Revoke key
          </Button>
        </div>
      </Modal>
    </section>
  )
}

interface TableProps {
  readonly keys: readonly ApiKey[]
  readonly isLoaded: boolean
  readonly onRevoke: (key: ApiKey) => void
}

function KeyTable({ keys, isLoaded, onRevoke }: TableProps) {
  if (keys.length === 0) return isLoaded && <p className={styles.faint}>You have no API keys.</p>
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">API keys</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Created</th>
          <th scope="col">Last used</th>
          <th scope="col">
            <span className="visually-hidden">Revoke</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.key_id}>
            <th scope="row">
              <span className="isolate">{visibleText(key.name === '' ? 'Untitled' : key.name)}</span>
            </th>
            <td title={key.created_at}>{formatTime(key.created_at)}</td>
            <td className={styles.faint}>
              {key.last_used_at === null ? 'Never' : formatAgo(key.last_used_at, Date.now())}
            </td>
            <td>
              <Tooltip label="Revoke key">
                <ActionIcon
                  aria-label={`Revoke ${key.name === '' ? key.key_id : key.name}`}
                  onClick={() => onRevoke(key)}
                >
                  <Icon name="trash" size={14} />
                </ActionIcon>
              </Tooltip>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}
