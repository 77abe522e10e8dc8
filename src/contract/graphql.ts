import { z } from 'zod'
import { nullableText } from './fields.ts'
import { operation } from './operation.ts'

const graphqlError = z.object({ message: z.string(), extensions: z.object({ code: z.string() }) })

/**
 * What Weave's SDKs ask W&B before they trace: three fixed operations. It stands beside the table of operations,
 * because it is no part of the trace API and answers at `/graphql` alone.
 */
export const graphqlOperation = operation({
  path: '/graphql',
  summary: "The three GraphQL operations of Weave's SDKs: project, upsertModel, viewer. Nothing else.",
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
export type GraphqlAnswer = z.output<typeof graphqlOperation.response>
