/** Code snippets that read one call, for the copy menu. */
export interface CallReference {
  readonly origin: string
  readonly project_id: string
  readonly call_id: string
}

export function curlSnippet({ origin, project_id, call_id }: CallReference): string {
  const body = JSON.stringify({ project_id, id: call_id })
  return `curl -u "api:$WANDB_API_KEY" ${shellQuote(`${origin}/call/read`)} -d ${shellQuote(body)}`
}

export function pythonSnippet({ origin, project_id, call_id }: CallReference): string {
  return `import os
import weave

os.environ["WANDB_BASE_URL"] = ${JSON.stringify(origin)}
client = weave.init(${JSON.stringify(project_id)})
call = client.get_call(${JSON.stringify(call_id)})
print(call.inputs, call.output)
`
}

export function typescriptSnippet({ origin, project_id, call_id }: CallReference): string {
  return `const response = await fetch(${JSON.stringify(`${origin}/call/read`)}, {
  method: 'POST',
  headers: { authorization: 'Basic ' + btoa('api:' + process.env.WANDB_API_KEY) },
  body: JSON.stringify({ project_id: ${JSON.stringify(project_id)}, id: ${JSON.stringify(call_id)} }),
})
const { call } = await response.json()
console.log(call.inputs, call.output)
`
}

/** Quotes a shell argument. Ids come from clients and must not be interpreted by the shell. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
