import { ActionIcon, Menu, Tooltip } from '@mantine/core'
import { useState } from 'react'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { copyText } from '../ui/clipboard.ts'
import { Icon } from '../ui/icon.tsx'
import { asCurl, asPython, asTypeScript, type CallAddress } from './copy-as.ts'

/** The call in the form somebody needs it in. */
export function CopyMenu({ project, callId }: { readonly project: Project; readonly callId: string }) {
  const [said, setSaid] = useState('Copy')
  const address: CallAddress = {
    origin: window.location.origin,
    project_id: project.project_id,
    call_id: callId,
  }
  const copy = async (text: string | Promise<string>): Promise<void> => {
    try {
      await copyText(await text)
      setSaid('Copied')
    } catch {
      setSaid('The browser refused')
    }
    setTimeout(() => setSaid('Copy'), 1500)
  }
  const json = (): Promise<string> => api.text('call_read', { project_id: project.project_id, id: callId })
  const ways: readonly (readonly [string, () => string | Promise<string>])[] = [
    ['Link', () => window.location.href],
    ['Id', () => callId],
    ['JSON', json],
    ['curl', () => asCurl(address)],
    ['Python', () => asPython(address)],
    ['TypeScript', () => asTypeScript(address)],
  ]
  return (
    <Menu position="bottom-end">
      <Menu.Target>
        <Tooltip label={said}>
          <ActionIcon aria-label="Copy the call as">
            <Icon name={said === 'Copied' ? 'check' : 'copy'} size={14} />
          </ActionIcon>
        </Tooltip>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>Copy as</Menu.Label>
        {ways.map(([name, make]) => (
          <Menu.Item key={name} onClick={() => void copy(make())}>
            {name}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}
