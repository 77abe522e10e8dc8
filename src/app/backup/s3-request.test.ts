import { expect, test } from 'vitest'
import { signedHeaders } from './s3-request.ts'

// The example "GET Bucket (List Objects)" in the documentation of Signature Version 4.
test('a request is signed with all parts that S3 checks', () => {
  const disk = {
    url: 'https://examplebucket.s3.amazonaws.com/',
    region: 'us-east-1',
    accessKeyId: 'AKIAIOSFODNN7EXAMPLE',
    secretAccessKey: 'wJalrXUtnFEMI/K7MDENG/bPxRfiCYEXAMPLEKEY',
  }
  const url = new URL('https://examplebucket.s3.amazonaws.com/?max-keys=2&prefix=J')
  const headers = signedHeaders(disk, { method: 'GET', url }, new Date('2013-05-24T00:00:00.000Z'))
  expect(headers['x-amz-date']).toBe('20130524T000000Z')
  expect(headers['x-amz-content-sha256']).toBe(
    'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855',
  )
  expect(headers['authorization']).toBe(
    'AWS4-HMAC-SHA256 Credential=AKIAIOSFODNN7EXAMPLE/20130524/us-east-1/s3/aws4_request, SignedHeaders=host;x-amz-content-sha256;x-amz-date, Signature=34b48302e7b5fa45bde8084f4b7868a86f0a534bc59db6670ed5711ef69dc6f7',
  )
})
