import { ActionIcon, Button, Modal, TextInput, Tooltip } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { BrowserResponse } from '../../client/browser/client.ts'
import { api } from '../api/client.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { formatTime } from '../time/format.ts'
import styles from './settings-page.module.css'

type ApiKey = BrowserResponse<'keys_list'>['keys'][number]

const KEYS_QUERY_KEY = ['keys']

/** API keys and sessions of the signed-in user, in all projects. A new key is shown once. */
export function ApiKeys() {
  const queries = useQueryClient()
  const keys = useQuery({
    queryKey: KEYS_QUERY_KEY,
    queryFn: ({ signal }) => api.call('keys_list', {}, signal),
  })
  const [name, setName] = useState('')
  const [revoking, setRevoking] = useState<ApiKey>()
  const create = useMutation({
    mutationFn: () => api.call('key_create', { name: name.trim() }),
    onSuccess: async () => {
      setName('')
      await queries.invalidateQueries({ queryKey: KEYS_QUERY_KEY })
    },
  })
  const revoke = useMutation({
    mutationFn: (key_id: string) => api.call('key_revoke', { key_id }),
    onSuccess: async () => {
      setRevoking(undefined)
      await queries.invalidateQueries({ queryKey: KEYS_QUERY_KEY })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    create.mutate()
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
        <div className={styles.created} role="status">
          <div className={styles.secret}>
            <code>{create.data.key}</code>
            <CopyButton text={create.data.key} label="Copy API key" />
          </div>
          <p>Copy the key now. It is not shown again.</p>
          <div>
            <Button variant="default" onClick={() => create.reset()}>
              Done
            </Button>
          </div>
        </div>
      )}
      {keys.isError ? (
        <ErrorNotice error={keys.error} retry={() => void keys.refetch()} />
      ) : (
        <KeyTable keys={keys.data?.keys ?? []} onRevoke={setRevoking} />
      )}
      <Modal
        opened={revoking !== undefined}
        onClose={() => setRevoking(undefined)}
        title={revoking?.kind === 'session' ? 'End this session?' : 'Revoke this API key?'}
        size="sm"
      >
        <p className={styles.faint}>
          {revoking?.kind === 'session'
            ? 'The browser of this session must sign in again.'
            : 'Programs that use this key lose access immediately. Sessions created with it end.'}
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
            onClick={() => revoking !== undefined && revoke.mutate(revoking.key_id)}
          >
            {revoking?.kind === 'session' ? 'End session' : 'Revoke key'}
          </Button>
        </div>
      </Modal>
    </section>
  )
}

interface TableProps {
  readonly keys: readonly ApiKey[]
  readonly onRevoke: (key: ApiKey) => void
}

function KeyTable({ keys, onRevoke }: TableProps) {
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">API keys and sessions</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Type</th>
          <th scope="col">Created</th>
          <th scope="col">Expires</th>
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
              {key.is_current && <span className={styles.badge}>this browser</span>}
            </th>
            <td>{key.kind === 'session' ? 'Browser session' : 'API key'}</td>
            <td title={key.created_at}>{formatTime(key.created_at)}</td>
            <td className={styles.faint}>
              {key.expires_at === null ? 'Never expires' : formatTime(key.expires_at)}
            </td>
            <td>
              <Tooltip label={key.kind === 'session' ? 'End session' : 'Revoke key'}>
                <ActionIcon
                  aria-label={`${key.kind === 'session' ? 'End' : 'Revoke'} ${key.name === '' ? key.key_id : key.name}`}
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
