import { z } from 'zod'
import { nullableText } from './fields.ts'
import { operation } from './operation.ts'

const graphqlError = z.object({ message: z.string(), extensions: z.object({ code: z.string() }) })

/**
 * The GraphQL endpoint for the three fixed operations that Weave's SDKs send to W&B before they trace. It is not in
 * the table of operations, because it is not part of the trace API and is served at `/graphql` only.
 */
export const graphqlOperation = operation({
  path: '/graphql',
  summary: "Run one of the three GraphQL operations that Weave's SDKs use: project, upsertModel, viewer.",
  access: 'user',
  request: z.object({
    query: z.string(),
    variables: z.record(z.string(), z.unknown()).nullish(),
    operationName: nullableText,
  }),
  response: z.object({
    data: z.record(z.string(), z.unknown()).nullable(),
    errors: z.array(graphqlError).optional(),
  }),
  projects: () => [],
})

export type GraphqlRequest = z.output<typeof graphqlOperation.request>
export type GraphqlResponse = z.output<typeof graphqlOperation.response>
