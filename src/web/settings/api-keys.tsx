import { TextInput } from '@mantine/core'
import { type FormEvent, useState } from 'react'
import { api } from '../api/client.ts'
import { IconButton } from '../ui/icon-button.tsx'
import { ActionButton } from '../ui/action-button.tsx'
import { ConfirmDialog } from '../ui/dialog.tsx'
import { ErrorNotice } from '../ui/error-notice.tsx'
import { SimpleTable } from '../ui/simple-table.tsx'
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
    <section className="card" aria-labelledby="keys">
      <h2 id="keys">API keys</h2>
      <p className="faint">
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
        <ActionButton type="submit" loading={create.isPending} icon="key">
          Create API key
        </ActionButton>
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
      <ConfirmDialog
        title="Revoke this API key?"
        isOpen={revoking !== undefined}
        action="Revoke key"
        isPending={revoke.isPending}
        error={revoke.error}
        onConfirm={() =>
          revoking !== undefined &&
          revoke.mutate(revoking.key_id, { onSuccess: () => setRevoking(undefined) })
        }
        onClose={() => setRevoking(undefined)}
      >
        Programs that use this key lose access immediately. Sessions created with it end.
      </ConfirmDialog>
    </section>
  )
}

interface TableProps {
  readonly keys: readonly ApiKey[]
  readonly isLoaded: boolean
  readonly onRevoke: (key: ApiKey) => void
}

function KeyTable({ keys, isLoaded, onRevoke }: TableProps) {
  if (keys.length === 0) return isLoaded && <p className="faint">You have no API keys.</p>
  return (
    <SimpleTable
      caption="API keys"
      isRoomy
      rows={keys}
      rowKey={({ key_id }) => key_id}
      columns={[
        {
          label: 'Name',
          isRowHeader: true,
          cell: ({ name }) => <span className="isolate">{visibleText(name === '' ? 'Untitled' : name)}</span>,
        },
        {
          label: 'Created',
          title: ({ created_at }) => created_at,
          cell: ({ created_at }) => formatTime(created_at),
        },
        {
          label: 'Last used',
          className: 'faint',
          cell: ({ last_used_at }) => (last_used_at === null ? 'Never' : formatAgo(last_used_at, Date.now())),
        },
        {
          label: 'Revoke',
          isLabelHidden: true,
          cell: (key) => (
            <IconButton
              icon="trash"
              label={`Revoke ${key.name === '' ? key.key_id : key.name}`}
              tooltip="Revoke key"
              onClick={() => onRevoke(key)}
            />
          ),
        },
      ]}
    />
  )
}
