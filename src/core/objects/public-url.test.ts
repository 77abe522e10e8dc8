import { expect, test } from 'vitest'
import { isPublicUrl } from './public-url.ts'

test('a URL is public by its scheme and host', () => {
  for (const url of [
    'https://api.example.com/v1',
    'HTTP://8.8.8.8:80/',
    'https://[2606:4700::1111]/',
    'https://localhost.example.com',
  ])
    expect([url, isPublicUrl(url)]).toEqual([url, true])
  for (const url of [
    '',
    'example.com',
    'ftp://example.com',
    'https://example.com?',
    'https://example.com/#a',
    'http://localhost:11434',
    'http://a.localhost.',
    'http://10.0.0.1',
    'http://0x7f.1',
    'http://2130706433',
    'http://169.254.169.254',
    'http://100.100.100.200',
    'http://metadata.google.internal',
    'http://[::1]',
    'http://[::ffff:8.8.8.8]',
    'http://[fd00::1]',
    'http://[2001:db8::1]',
  ])
    expect([url, isPublicUrl(url)]).toEqual([url, false])
})
