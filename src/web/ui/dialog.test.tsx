import { Button, Menu, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { type ReactNode, useState } from 'react'
import { describe, expect, test, vi } from 'vitest'
import { BareDialog, Dialog, DialogForm } from './dialog.tsx'
import { expectFocus, Opener, renderOnPage } from './test-page.tsx'

const content = (
  <>
    <input aria-label="First" />
    <button type="button">Last</button>
  </>
)

/** The ways in which pages show a dialog. */
const DIALOGS: Readonly<Record<string, (isOpen: boolean, close: () => void) => ReactNode>> = {
  'a dialog that is opened': (isOpen, close) => (
    <Dialog title="Rename" isOpen={isOpen} onClose={close}>
      {content}
    </Dialog>
  ),
  'a dialog that is mounted': (isOpen, close) =>
    isOpen && (
      <Dialog title="Rename" onClose={close}>
        {content}
      </Dialog>
    ),
  'a dialog without a title bar': (isOpen, close) => (
    <BareDialog label="Rename" isOpen={isOpen} onClose={close}>
      {content}
    </BareDialog>
  ),
}

const opener = () => screen.getByRole('button', { name: 'Open' })
const dialog = () => screen.getByRole('dialog', { name: 'Rename' })
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())
const hasFocus = () => waitFor(() => expect(dialog().contains(document.activeElement)).toBe(true))

describe.each(Object.entries(DIALOGS))('%s', (_, render) => {
  test('is modal, has a name, and takes the focus', async () => {
    const user = renderOnPage(<Opener dialog={render} />)
    expect(screen.queryByRole('dialog')).toBeNull()
    await user.click(opener())
    await hasFocus()
    expect(dialog().getAttribute('aria-modal')).toBe('true')
  })

  test('closes on Escape and returns the focus to what opened it, every time', async () => {
    const user = renderOnPage(<Opener dialog={render} />)
    for (let i = 0; i < 2; i++) {
      await user.click(opener())
      await hasFocus()
      await user.keyboard('{Escape}')
      await isClosed()
      await expectFocus(opener)
    }
  })

  test('keeps the focus: Tab goes round', async () => {
    const user = renderOnPage(<Opener dialog={render} />)
    await user.click(opener())
    await hasFocus()
    for (const shift of [false, true]) {
      const seen = new Set<Element | null>()
      for (let i = 0; i < 4; i++) {
        await user.tab({ shift })
        expect(dialog().contains(document.activeElement)).toBe(true)
        seen.add(document.activeElement)
      }
      expect(seen).toContain(screen.getByRole('textbox', { name: 'First' }))
      expect(seen).toContain(screen.getByRole('button', { name: 'Last' }))
    }
  })

  test('leaves the focus where a closing dialog put it', async () => {
    const user = renderOnPage(
      <Opener
        dialog={(isOpen, close) =>
          render(isOpen, () => {
            close()
            screen.getByRole('button', { name: 'After' }).focus()
          })
        }
      />,
    )
    await user.click(opener())
    await hasFocus()
    await user.keyboard('{Escape}')
    await isClosed()
    // Longer than what returns the focus waits.
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(document.activeElement).toBe(screen.getByRole('button', { name: 'After' }))
  })

  test('has new content each time it opens', async () => {
    const user = renderOnPage(<Opener dialog={render} />)
    await user.click(opener())
    await hasFocus()
    await user.type(screen.getByRole('textbox', { name: 'First' }), 'draft')
    await user.keyboard('{Escape}')
    // While it is still fading.
    await user.click(opener())
    expect((await screen.findByRole<HTMLInputElement>('textbox', { name: 'First' })).value).toBe('')
  })

  test('returns the focus to the button of the menu that opened it', async () => {
    const user = renderOnPage(<MenuOpener>{render}</MenuOpener>)
    const button = () => screen.getByRole('button', { name: 'Actions' })
    await user.click(button())
    await expectFocus(() => screen.getByRole('menu', { hidden: true }).firstElementChild as Element)
    await user.keyboard('{ArrowDown}{Enter}')
    await hasFocus()
    await waitFor(() => expect(screen.queryByRole('menu', { hidden: true })).toBeNull())
    await user.keyboard('{Escape}')
    await isClosed()
    await expectFocus(button)
  })
})

test('a dialog has a button that closes it', async () => {
  const user = renderOnPage(
    <Opener
      dialog={(isOpen, close) => (
        <Dialog title="Rename" isOpen={isOpen} onClose={close}>
          {content}
        </Dialog>
      )}
    />,
  )
  await user.click(opener())
  await user.click(await screen.findByRole('button', { name: 'Close' }))
  await isClosed()
  await expectFocus(opener)
})

describe('the form of a dialog', () => {
  test('begins in its first field and is submitted by Enter', async () => {
    const onSubmit = vi.fn()
    const user = renderOnPage(<NameForm isReady isPending={false} error={null} onSubmit={onSubmit} />)
    await expectFocus(() => screen.getByRole('textbox', { name: 'Name' }))
    await user.keyboard('bo{Enter}')
    expect(onSubmit).toHaveBeenCalledTimes(1)
  })

  test.each([
    ['incomplete', { isReady: false, isPending: false }],
    ['being sent', { isReady: true, isPending: true }],
  ])('cannot be submitted while it is %s', async (_, state) => {
    const onSubmit = vi.fn()
    const user = renderOnPage(<NameForm {...state} error={undefined} onSubmit={onSubmit} />)
    await user.type(screen.getByRole('textbox', { name: 'Name' }), 'bo{Enter}')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(onSubmit).not.toHaveBeenCalled()
    expect(screen.getByRole<HTMLButtonElement>('button', { name: 'Save' }).disabled).toBe(true)
  })

  test('shows why it failed, and can be sent again', async () => {
    const send = vi.fn(() => Promise.reject(new Error('the name is taken')))
    const user = renderOnPage(<SendingForm send={send} />)
    expect(screen.queryByRole('alert')).toBeNull()
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect((await screen.findByRole('alert')).textContent).toContain('The name is taken.')
    await user.click(screen.getByRole('button', { name: 'Save' }))
    expect(send).toHaveBeenCalledTimes(2)
  })

  test('does not show an error from before it opened', () => {
    renderOnPage(<NameForm isReady isPending={false} error={new Error('taken')} onSubmit={() => {}} />)
    expect(screen.queryByRole('alert')).toBeNull()
  })

  test('is not submitted by Cancel', async () => {
    const onSubmit = vi.fn()
    const onCancel = vi.fn()
    const user = renderOnPage(
      <NameForm isReady isPending={false} error={null} onSubmit={onSubmit} onCancel={onCancel} />,
    )
    await user.click(screen.getByRole('button', { name: 'Cancel' }))
    expect([onCancel.mock.calls.length, onSubmit.mock.calls.length]).toEqual([1, 0])
  })

  test('is sent once by a double click, also when both clicks come before the page is rendered', async () => {
    const send = vi.fn(() => new Promise<never>(() => {}))
    const user = renderOnPage(<SendingForm send={send} />)
    const save = screen.getByRole('button', { name: 'Save' })
    fireEvent.click(save, { detail: 1 })
    fireEvent.click(save, { detail: 2 })
    await user.dblClick(save)
    expect(send).toHaveBeenCalledTimes(1)
  })
})

interface FormProps {
  readonly isReady: boolean
  readonly isPending: boolean
  readonly error: unknown
  readonly onSubmit: () => void
  readonly onCancel?: () => void
}

function NameForm({ onCancel = () => {}, ...props }: FormProps) {
  return (
    <Dialog title="Rename" onClose={() => {}}>
      <DialogForm action="Save" label="Rename" onCancel={onCancel} {...props}>
        <TextInput data-autofocus label="Name" />
      </DialogForm>
    </Dialog>
  )
}

function SendingForm({ send }: { readonly send: () => Promise<never> }) {
  const save = useMutation({ mutationFn: send })
  return <NameForm isReady isPending={save.isPending} error={save.error} onSubmit={() => save.mutate()} />
}

function MenuOpener(props: { readonly children: (isOpen: boolean, close: () => void) => ReactNode }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Menu>
        <Menu.Target>
          <Button>Actions</Button>
        </Menu.Target>
        <Menu.Dropdown>
          <Menu.Item onClick={() => setOpen(true)}>Rename</Menu.Item>
        </Menu.Dropdown>
      </Menu>
      {props.children(isOpen, () => setOpen(false))}
    </>
  )
}
