import { useMutation } from '@tanstack/react-query'
import { fireEvent, screen, waitFor } from '@testing-library/react'
import { describe, expect, test, vi } from 'vitest'
import { ConfirmDialog } from './dialog.tsx'
import { expectFocus, Opener, renderOnPage } from './test-page.tsx'

const opener = () => screen.getByRole('button', { name: 'Open' })
const confirm = () => screen.getByRole<HTMLButtonElement>('button', { name: 'Delete' })
const cancel = () => screen.getByRole('button', { name: 'Keep' })
const isClosed = () => waitFor(() => expect(screen.queryByRole('dialog')).toBeNull())

/** A page that deletes something, as the pages of the app do. */
function Page(props: { readonly remove: () => Promise<void>; readonly isHarmless?: boolean }) {
  const remove = useMutation({ mutationFn: props.remove })
  return (
    <Opener
      dialog={(isOpen, close) => (
        <ConfirmDialog
          title="Delete it?"
          isOpen={isOpen}
          action="Delete"
          cancel="Keep"
          isHarmless={props.isHarmless === true}
          isPending={remove.isPending}
          error={remove.error}
          onConfirm={() => remove.mutate(undefined, { onSuccess: close })}
          onClose={close}
        >
          It is gone then.
        </ConfirmDialog>
      )}
    />
  )
}

async function open(user: ReturnType<typeof renderOnPage>): Promise<void> {
  await user.click(opener())
  await waitFor(() => expect(screen.getByRole('dialog').contains(document.activeElement)).toBe(true))
}

test('says what will happen, does it, and closes', async () => {
  const remove = vi.fn(async () => {})
  const user = renderOnPage(<Page remove={remove} />)
  await open(user)
  expect(screen.getByRole('dialog', { name: 'Delete it?' }).textContent).toContain('It is gone then.')
  await user.click(confirm())
  await isClosed()
  expect(remove).toHaveBeenCalledTimes(1)
  await expectFocus(opener)
})

describe('Enter', () => {
  test('cancels what cannot be undone', async () => {
    const remove = vi.fn(async () => {})
    const user = renderOnPage(<Page remove={remove} />)
    await open(user)
    expect(document.activeElement).toBe(cancel())
    await user.keyboard('{Enter}')
    await isClosed()
    expect(remove).not.toHaveBeenCalled()
  })

  test('confirms what is harmless', async () => {
    const remove = vi.fn(async () => {})
    const user = renderOnPage(<Page remove={remove} isHarmless />)
    await open(user)
    expect(document.activeElement).toBe(confirm())
    await user.keyboard('{Enter}')
    await isClosed()
    expect(remove).toHaveBeenCalledTimes(1)
  })
})

test('Escape closes it and nothing happens', async () => {
  const remove = vi.fn(async () => {})
  const user = renderOnPage(<Page remove={remove} />)
  await open(user)
  await user.keyboard('{Escape}')
  await isClosed()
  expect(remove).not.toHaveBeenCalled()
  await expectFocus(opener)
})

describe('runs once', () => {
  const never = () => new Promise<void>(() => {})

  test('on a double click', async () => {
    const remove = vi.fn(never)
    const user = renderOnPage(<Page remove={remove} />)
    await open(user)
    await user.dblClick(confirm())
    await waitFor(() => expect(confirm().disabled).toBe(true))
    expect(remove).toHaveBeenCalledTimes(1)
  })

  test('on a double click that comes before the page is rendered', async () => {
    const remove = vi.fn(never)
    const user = renderOnPage(<Page remove={remove} />)
    await open(user)
    const button = confirm()
    fireEvent.click(button, { detail: 1 })
    fireEvent.click(button, { detail: 2 })
    await waitFor(() => expect(confirm().disabled).toBe(true))
    expect(remove).toHaveBeenCalledTimes(1)
  })

  test('while it runs', async () => {
    const remove = vi.fn(never)
    const user = renderOnPage(<Page remove={remove} isHarmless />)
    await open(user)
    await user.keyboard('{Enter}{Enter}')
    await waitFor(() => expect(confirm().disabled).toBe(true))
    await user.click(confirm())
    expect(remove).toHaveBeenCalledTimes(1)
  })
})

describe('an error', () => {
  test('is shown in the open dialog, and can be tried again', async () => {
    const remove = vi.fn(async () => {})
    remove.mockRejectedValueOnce(new Error('the disk is full'))
    const user = renderOnPage(<Page remove={remove} />)
    await open(user)
    expect(screen.queryByRole('alert')).toBeNull()
    await user.click(confirm())
    expect((await screen.findByRole('alert')).textContent).toContain('The disk is full.')
    await user.click(confirm())
    await isClosed()
    expect(remove).toHaveBeenCalledTimes(2)
  })

  test('of an earlier time is not shown when the dialog opens again', async () => {
    const remove = vi.fn(async () => {})
    remove.mockRejectedValueOnce(new Error('the disk is full'))
    remove.mockRejectedValueOnce(new Error('it is in use'))
    const user = renderOnPage(<Page remove={remove} />)
    await open(user)
    await user.click(confirm())
    await screen.findByRole('alert')
    await user.click(cancel())
    await isClosed()
    await open(user)
    expect(screen.queryByRole('alert')).toBeNull()
    await user.click(confirm())
    expect((await screen.findByRole('alert')).textContent).toContain('It is in use.')
  })
})
