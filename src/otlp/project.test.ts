import { expect, test } from 'vitest'
import { projectId } from '../contract/fields.ts'
import { projectOf } from './project.ts'
import { attributesOf } from '../../test/otlp/span-fixture.ts'

const find = (attributes: Record<string, string>, header?: string) =>
  projectOf({ attributes: attributesOf(attributes), schemaUrl: '' }, header, 'team')

function project(attributes: Record<string, string>, header?: string): string {
  return find(attributes, header).project_id
}

test('the project is in the header, or in the resource', () => {
  const attributes = {
    'wandb.entity': 'acme',
    'wandb.project': 'bot',
    'openinference.project.name': 'phoenix',
    'service.name': 'api',
  }
  expect(project(attributes, 'other/bot')).toBe('other/bot')
  expect(project(attributes, 'bot2')).toBe('team/bot2')
  expect(project(attributes)).toBe('acme/bot')
  expect(project({ ...attributes, 'wandb.entity': '' })).toBe('team/bot')
  expect(project({ ...attributes, 'wandb.project': '' })).toBe('team/phoenix')
  expect(project({ 'service.name': 'api' })).toBe('team/api')
  expect(project({})).toBe('team/default')
})

test('the name of a service, and the default, are guesses', () => {
  expect(find({}, 'bot').isNamed).toBe(true)
  expect(find({ 'wandb.project': 'bot' }).isNamed).toBe(true)
  expect(find({ 'openinference.project.name': 'phoenix' }).isNamed).toBe(true)
  expect(find({ 'service.name': 'api' }).isNamed).toBe(false)
  expect(find({}, ' ').isNamed).toBe(false)
})

test('a name from the resource is made valid', () => {
  expect(project({ 'service.name': 'shop/cart\n' })).toBe('team/shop-cart-')
  expect(projectId.safeParse(project({ 'service.name': 'x'.repeat(10_000) })).success).toBe(true)
})

test('an invalid header is left for the caller to reject', () => {
  expect(project({}, 'a/b/c')).toBe('a/b/c')
})
