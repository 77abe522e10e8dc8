import { describe, expect, it } from 'vitest'
import { RawJson } from '../../contract/raw-json.ts'
import { canonicalJson } from '../json/canonical-json.ts'
import { contentDigest, tableDigest, valueDigest } from './digest.ts'

const digestOf = (json: string): string => valueDigest(RawJson.fromText(json))
const canonical = (json: string): string => canonicalJson(RawJson.fromText(json))

describe('the digest of a value is the one that clients compute', () => {
  it.each([
    ['{"a":1}', 'XdhgKMbg1k4iUYb5astpM4ssWXZN95FiEH9cS7NNExA'],
    ['{"a":1.0}', 'dCYJsgfwkAqOLf866DrEeUGvXCm7brXylYTKfdY9g1Q'],
    ['{"b":1,"a":[1,2,{"c":null}]}', '8HSDE3LYU7hJLrao2AAI70nOyPigxrZx9xNNQwSlEdQ'],
    ['{"ü":"é"}', 'zCVQGSjGQAJvb3Bq6MXbzRzkIXYY9baN7B7kXzfg7oc'],
    ['{"x":"👍"}', '77VijDhtRDOyXVGa3kVAtZ0ow0LMBvCrbL68nneljvI'],
    ['{"n":1e22}', 'N11oqvKf2OCFwcXqy2OMtYVpnXOMCo6oG8NLEu5XhXs'],
    ['{"n":1e-7}', 'bIZjYZYvKL7L2OyucYSzymwPSKL46P0uYSSngxyrKe8'],
    ['{"n":123456789012345678901234567890}', '37AJSVtyt5blHyY53XnuVxXvg90XSej3d6MBS7fdekg'],
    ['{"n":-0.0}', 'rHlqY9Vvzd5hJMWJPTckYp4oFFKXajMn4DEehXqYlsI'],
    ['{"\\uffff":1,"😀":2}', 'uYIYF0bvxz9HxbbuA3nbiwOWh2Yu7bSIYk6aAeKwWCE'],
    ['null', 'dCNOmKYnSYX12vHzasLXiswzlGT5UHA7jAGYkvmCuQs'],
    ['{"id":1,"value":2}', 'mriP98RC2VPGkzk0QeZZ2hq4pUA8fQnhNlsivPxyYYA'],
    ['{"id":2,"value":3}', 'DT31YGNzrm7UClL9NXjXYHGXBhYZJsh4Ct9jjBWY74s'],
    ['{"id":3,"value":4}', '1dMFHVoxulzjLOSTzDQMrTQ5ckPCI3aF2487OjvmxJI'],
  ])('%s', (json, digest) => {
    expect(digestOf(json)).toBe(digest)
  })

  it('does not depend on white space or key order', () => {
    expect(digestOf(' {\n"b" : 1 ,\t"a":[ 1,2, { "c":null} ]}')).toBe(
      digestOf('{"a":[1,2,{"c":null}],"b":1}'),
    )
  })

  it('includes the internal project id of a ref, so that digests of different projects differ', () => {
    const one = digestOf('{"m":"weave:///acme/one/object/m:abc"}')
    expect(one).not.toBe(digestOf('{"m":"weave:///acme/two/object/m:abc"}'))
    expect(one).toBe(digestOf('{"m":"weave-trace-internal:///YWNtZS9vbmU/object/m:abc"}'))
  })
})

describe('the digest of a file and of a table', () => {
  it('is the digest of its bytes', () => {
    expect(contentDigest(Buffer.from('abc'))).toBe('ungWv48BzXpBQUDeXa4iI7ADYaOWF3qctBDYYfIAFa0')
    expect(contentDigest(Buffer.alloc(0))).toBe('47DEQpj8HBSaXYTImWX5JCeuQeRkm5NMpJWZG3hSuFU')
  })

  it('is the digest of its rows in order', () => {
    expect(tableDigest([])).toBe('e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855')
    const rows = ['{"id":1,"value":2}', '{"id":2,"value":3}', '{"id":3,"value":4}'].map(digestOf)
    expect(tableDigest(rows)).toBe('03b86e8588d298a1814945664597d94281cb0dbca3b4ff8b0fcff30a6305d33e')
  })
})

describe('canonical JSON is what Python writes', () => {
  it.each([
    [
      '[1e16,1E15,123456789.125,1e-4,1e-5,1.5e300,5e-324]',
      '[1e+16, 1000000000000000.0, 123456789.125, 0.0001, 1e-05, 1.5e+300, 5e-324]',
    ],
    ['[0.1,100.0,-2.50,0.0,-0,0e5,1e400,-1e400]', '[0.1, 100.0, -2.5, 0.0, 0, 0.0, Infinity, -Infinity]'],
    ['"\\u007f\\u0000/\\/\\"\\\\\\n\\ud800é"', '"\\u007f\\u0000//\\"\\\\\\n\\ud800\\u00e9"'],
    ['{"b":1,"a":2,"b":3}', '{"a": 2, "b": 3}'],
    [
      '{"é":1,"z":2,"":3,"__proto__":4,"10":5,"9":6}',
      '{"": 3, "10": 5, "9": 6, "__proto__": 4, "z": 2, "\\u00e9": 1}',
    ],
    [
      '{"😀😁":1,"😀":2,"😂":3,"\\uffff":4}',
      '{"\\uffff": 4, "\\ud83d\\ude00": 2, "\\ud83d\\ude00\\ud83d\\ude01": 1, "\\ud83d\\ude02": 3}',
    ],
    ['[ [], {} , [ [true,false] ] ]', '[[], {}, [[true, false]]]'],
  ])('%s', (json, text) => {
    expect(canonical(json)).toBe(text)
  })
})
