import { Menu } from '@mantine/core'
import { useState } from 'react'
import { BASE_PATH } from '../api/base-path.ts'
import { api } from '../api/client.ts'
import type { Project } from '../api/project.ts'
import { ActionMenu } from '../ui/action-menu.tsx'
import { copyText } from '../ui/clipboard.ts'
import { curlSnippet, pythonSnippet, typescriptSnippet, type CallReference } from './call-snippets.ts'

/** Menu that copies the call as a link, id, JSON or code snippet. */
export function CopyMenu({ project, callId }: { readonly project: Project; readonly callId: string }) {
  const [tooltip, setTooltip] = useState('Copy')
  const reference: CallReference = {
    origin: window.location.origin + BASE_PATH,
    project_id: project.project_id,
    call_id: callId,
  }
  const copy = async (text: string | Promise<string>): Promise<void> => {
    try {
      await copyText(await text)
      setTooltip('Copied')
    } catch {
      setTooltip('Copy failed')
    }
    setTimeout(() => setTooltip('Copy'), 1500)
  }
  const json = (): Promise<string> => api.text('call_read', { project_id: project.project_id, id: callId })
  const formats: readonly (readonly [string, () => string | Promise<string>])[] = [
    ['Link', () => window.location.href],
    ['ID', () => callId],
    ['JSON', json],
    ['curl', () => curlSnippet(reference)],
    ['Python', () => pythonSnippet(reference)],
    ['TypeScript', () => typescriptSnippet(reference)],
  ]
  return (
    <ActionMenu icon={tooltip === 'Copied' ? 'check' : 'copy'} label="Copy call as" tooltip={tooltip}>
      <Menu.Label>Copy as</Menu.Label>
      {formats.map(([name, getText]) => (
        <Menu.Item key={name} onClick={() => void copy(getText())}>
          {name}
        </Menu.Item>
      ))}
    </ActionMenu>
  )
}
