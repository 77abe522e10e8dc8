import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { VERSION } from '../../src/app/deps.ts'

const read = (path: string): string => readFileSync(new URL(`../../deploy/${path}`, import.meta.url), 'utf8')

test('the Helm chart has the version of the package', () => {
  const chart = read('helm/heddle/Chart.yaml')
  expect(/^version: (.*)$/m.exec(chart)?.[1]).toBe(VERSION)
  expect(/^appVersion: (.*)$/m.exec(chart)?.[1]).toBe(VERSION)
})
