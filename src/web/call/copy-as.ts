/** A call as lines to paste, for whoever wants to go on elsewhere. */
export interface CallAddress {
  readonly origin: string
  readonly project_id: string
  readonly call_id: string
}

export function asCurl({ origin, project_id, call_id }: CallAddress): string {
  const body = JSON.stringify({ project_id, id: call_id })
  return `curl -u "api:$WANDB_API_KEY" ${shell(`${origin}/call/read`)} -d ${shell(body)}`
}

export function asPython({ origin, project_id, call_id }: CallAddress): string {
  return `import os
import weave

os.environ["WANDB_BASE_URL"] = ${JSON.stringify(origin)}
client = weave.init(${JSON.stringify(project_id)})
call = client.get_call(${JSON.stringify(call_id)})
print(call.inputs, call.output)
`
}

export function asTypeScript({ origin, project_id, call_id }: CallAddress): string {
  return `const response = await fetch(${JSON.stringify(`${origin}/call/read`)}, {
  method: 'POST',
  headers: { authorization: 'Basic ' + btoa('api:' + process.env.WANDB_API_KEY) },
  body: JSON.stringify({ project_id: ${JSON.stringify(project_id)}, id: ${JSON.stringify(call_id)} }),
})
const { call } = await response.json()
console.log(call.inputs, call.output)
`
}

/** Names come from whoever made the call: in a command they must stay data. */
function shell(text: string): string {
  return `'${text.replaceAll("'", String.raw`'\''`)}'`
}
