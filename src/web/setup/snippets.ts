/** Code snippets that make a program send its calls to this server. */
export interface SetupTarget {
  readonly origin: string
  readonly project_id: string
  /** Undefined until a key is created; the snippets then show a placeholder. */
  readonly key: string | undefined
}

export interface Snippet {
  readonly name: string
  readonly steps: readonly { readonly about: string; readonly code: string }[]
}

const KEY_PLACEHOLDER = 'your-api-key'

export function snippets(target: SetupTarget): readonly Snippet[] {
  const { origin, project_id } = target
  const key = target.key ?? KEY_PLACEHOLDER
  const environment = `export WANDB_BASE_URL=${origin}\nexport WANDB_API_KEY=${key}`
  return [
    {
      name: 'Python',
      steps: [
        { about: 'Install the SDK', code: 'pip install weave' },
        { about: 'Configure the server', code: environment },
        {
          about: 'Trace a function',
          code: `import weave

weave.init(${JSON.stringify(project_id)})

@weave.op
def answer(question: str) -> str:
    return "On its way."

answer("Where is my order?")`,
        },
      ],
    },
    {
      name: 'TypeScript',
      steps: [
        { about: 'Install the SDK', code: 'npm install weave' },
        {
          about: 'Configure the server',
          code: `${environment}\nexport WF_TRACE_SERVER_URL=${origin}/traces`,
        },
        {
          about: 'Trace a function',
          code: `import * as weave from 'weave'

await weave.init(${JSON.stringify(project_id)})

const answer = weave.op(async function answer(question: string) {
  return 'On its way.'
})

await answer('Where is my order?')`,
        },
      ],
    },
    {
      name: 'curl',
      steps: [
        {
          about: 'Send one call',
          code: curlCommand(origin, project_id, key),
        },
      ],
    },
  ]
}

function curlCommand(origin: string, project_id: string, key: string): string {
  const body = `{"start": {"project_id": "${project_id}", "op_name": "hello",
  "started_at": "'$(date -u +%FT%TZ)'", "attributes": {}, "inputs": {"question": "Is anybody there?"}}}`
  return `curl -u api:${key} ${origin}/call/start -d '${body}'`
}

/** Prompt for a coding agent that performs the setup. */
export function agentPrompt(target: SetupTarget): string {
  const { origin, project_id } = target
  return `Add tracing to this repository with the W&B Weave SDK, sending to our self-hosted Heddle server.

1. Install the SDK: \`pip install weave\` for Python, \`npm install weave\` for TypeScript.
2. Set these where the program reads its environment (never commit the key):
   WANDB_BASE_URL=${origin}
   WF_TRACE_SERVER_URL=${origin}/traces   (for TypeScript)
   WANDB_API_KEY=${target.key ?? '<API key from the setup page>'}
3. Call weave.init(${JSON.stringify(project_id)}) once, where the program starts.
4. Decorate the entry point, each tool and each step of the agent with @weave.op (Python), or wrap them with
   weave.op (TypeScript). Calls of OpenAI, Anthropic and other clients are traced automatically.
5. Run the program once and check that the trace arrived:
   curl -s -u api:$WANDB_API_KEY ${origin}/calls/query -d '{"project_id": ${JSON.stringify(project_id)}, "limit": 1}'
6. Tell me the link of the trace: ${origin}/${project_id}/weave/traces

If the program already sends OpenTelemetry, or uses a framework that does, skip the SDK and set instead:
   OTEL_EXPORTER_OTLP_ENDPOINT=${origin}
   OTEL_EXPORTER_OTLP_PROTOCOL=http/protobuf
   OTEL_EXPORTER_OTLP_HEADERS=authorization=Bearer%20<API key>,project-id=${project_id}
`
}
