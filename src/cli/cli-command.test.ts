import { expect, test } from 'vitest'
import { cliCommand, withCliCommand } from './cli-command.ts'

test.each([
  ['/app/node_modules/.bin/heddle', 'npx heddle'],
  ['/app/node_modules/heddle/dist/main.js', 'npx heddle'],
  ['/usr/local/bin/heddle', 'heddle'],
  ['/checkout/dist/main.js', 'node dist/main.js'],
  ['/checkout/src/main.ts', 'npx tsx src/main.ts'],
  ['/elsewhere/dist/main.js', 'node /elsewhere/dist/main.js'],
])('%s is run by `%s`', (script, command) => {
  expect(cliCommand(script, '/checkout')).toBe(command)
})

test('commands in a message are those of the installation', () => {
  const message = 'heddle: unknown user; see `heddle users list`'
  expect(withCliCommand(message, 'npx heddle')).toBe('heddle: unknown user; see `npx heddle users list`')
})
