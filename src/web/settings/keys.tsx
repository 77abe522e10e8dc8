import { ActionIcon, Button, Modal, TextInput, Tooltip } from '@mantine/core'
import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query'
import { type FormEvent, useState } from 'react'
import type { BrowserAnswer } from '../../client/browser/client.ts'
import { api } from '../api/client.ts'
import { CopyButton } from '../ui/copy-button.tsx'
import { Failure } from '../ui/failure.tsx'
import { Icon } from '../ui/icon.tsx'
import { visibleText } from '../ui/visible-text.ts'
import { formatTime } from '../time/format.ts'
import styles from './settings-page.module.css'

type Key = BrowserAnswer<'keys_list'>['keys'][number]

const KEYS = ['keys']

/** The keys and the sessions of whoever is signed in, in all projects. A key is shown when it is made, and never again. */
export function Keys() {
  const queries = useQueryClient()
  const keys = useQuery({ queryKey: KEYS, queryFn: ({ signal }) => api.call('keys_list', {}, signal) })
  const [name, setName] = useState('')
  const [doomed, setDoomed] = useState<Key>()
  const make = useMutation({
    mutationFn: () => api.call('key_create', { name: name.trim() }),
    onSuccess: async () => {
      setName('')
      await queries.invalidateQueries({ queryKey: KEYS })
    },
  })
  const revoke = useMutation({
    mutationFn: (key_id: string) => api.call('key_revoke', { key_id }),
    onSuccess: async () => {
      setDoomed(undefined)
      await queries.invalidateQueries({ queryKey: KEYS })
    },
  })
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    make.mutate()
  }
  return (
    <section className={styles.card} aria-labelledby="keys">
      <h2 id="keys">API keys</h2>
      <p className={styles.faint}>
        Programs sign in with a key. It may do what you may do, in all projects; give each program one of its
        own.
      </p>
      <form className={styles.line} aria-label="Make a key" onSubmit={submit}>
        <TextInput
          label="What is it for?"
          placeholder="checkout service"
          value={name}
          maxLength={128}
          onChange={(event) => setName(event.target.value)}
        />
        <Button type="submit" loading={make.isPending} leftSection={<Icon name="key" size={14} />}>
          Make a key
        </Button>
      </form>
      {make.isError && <Failure error={make.error} />}
      {make.data !== undefined && (
        <div className={styles.made} role="status">
          <div className={styles.secret}>
            <code>{make.data.key}</code>
            <CopyButton text={make.data.key} label="Copy the key" />
          </div>
          <p>Keep it now: it is not shown again.</p>
          <div>
            <Button variant="default" onClick={() => make.reset()}>
              I have kept it
            </Button>
          </div>
        </div>
      )}
      {keys.isError ? (
        <Failure error={keys.error} retry={() => void keys.refetch()} />
      ) : (
        <KeyTable keys={keys.data?.keys ?? []} onRevoke={setDoomed} />
      )}
      <Modal
        opened={doomed !== undefined}
        onClose={() => setDoomed(undefined)}
        title={doomed?.kind === 'session' ? 'End this session?' : 'Revoke this key?'}
        size="sm"
      >
        <p className={styles.faint}>
          {doomed?.kind === 'session'
            ? 'The browser that it belongs to has to sign in again.'
            : 'Whatever uses it is refused from now on, and the sessions that were begun with it end.'}
        </p>
        {revoke.isError && <Failure error={revoke.error} />}
        <div className={styles.line}>
          <Button variant="default" data-autofocus onClick={() => setDoomed(undefined)}>
            Keep
          </Button>
          <Button
            color="madder"
            variant="light"
            loading={revoke.isPending}
            onClick={() => doomed !== undefined && revoke.mutate(doomed.key_id)}
          >
            {doomed?.kind === 'session' ? 'End it' : 'Revoke it'}
          </Button>
        </div>
      </Modal>
    </section>
  )
}

interface TableProps {
  readonly keys: readonly Key[]
  readonly onRevoke: (key: Key) => void
}

function KeyTable({ keys, onRevoke }: TableProps) {
  return (
    <table className={styles.table}>
      <caption className="visually-hidden">API keys and sessions</caption>
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Kind</th>
          <th scope="col">Made</th>
          <th scope="col">Ends</th>
          <th scope="col">
            <span className="visually-hidden">Revoke</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {keys.map((key) => (
          <tr key={key.key_id}>
            <th scope="row">
              <span className="foreign">{visibleText(key.name === '' ? 'without a name' : key.name)}</span>
              {key.is_current && <span className={styles.here}>this browser</span>}
            </th>
            <td>{key.kind === 'session' ? 'session of a browser' : 'key'}</td>
            <td title={key.created_at}>{formatTime(key.created_at)}</td>
            <td className={styles.faint}>
              {key.expires_at === null ? 'when it is revoked' : formatTime(key.expires_at)}
            </td>
            <td>
              <Tooltip label={key.kind === 'session' ? 'End the session' : 'Revoke the key'}>
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
