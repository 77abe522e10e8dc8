import { expect, test } from 'vitest'
import { projectHeader } from './otlp-request.ts'

test('the project is in the header project-id, or project_id, which proxies drop', () => {
  expect(projectHeader({ 'project-id': 'acme/bot' })).toBe('acme/bot')
  expect(projectHeader({ project_id: 'acme/bot' })).toBe('acme/bot')
  expect(projectHeader({ 'project-id': 'acme/bot', project_id: 'acme/other' })).toBe('acme/bot')
  expect(projectHeader({})).toBeUndefined()
})

test('an empty header names no project', () => {
  const authorization = `Basic ${Buffer.from('acme/public-key:secret').toString('base64')}`
  expect(projectHeader({ 'project-id': ' ', authorization })).toBe('acme/public-key')
  expect(projectHeader({ 'project-id': '', project_id: 'acme/bot' })).toBe('acme/bot')
})

test('a percent-encoded header is decoded, once', () => {
  expect(projectHeader({ 'project-id': 'acme%2Fbot' })).toBe('acme/bot')
  expect(projectHeader({ 'project-id': 'acme%2Fb%C3%B6t' })).toBe('acme/böt')
  expect(projectHeader({ 'project-id': 'acme/100%25' })).toBe('acme/100%')
  expect(projectHeader({ 'project-id': 'acme/a%252Fb' })).toBe('acme/a%2Fb')
})

test('a percent sign that encodes nothing stays', () => {
  for (const name of ['acme/50%', 'acme/50% more', 'acme/%E9t%E9'])
    expect(projectHeader({ project_id: name })).toBe(name)
})
