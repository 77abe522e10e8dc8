/** Source code of the ops, as an SDK captures it. */
const SOURCES: Readonly<Record<string, string>> = {
  handle_ticket: `@weave.op
def handle_ticket(ticket: dict) -> dict:
    kind = classify_ticket(ticket["text"])
    policies = search_policies(ticket["text"])
    plan = make_plan(ticket, kind)
    findings = []
    for _ in range(MAX_STEPS):
        step = work_step(ticket, policies, findings)
        if step["is_done"]:
            break
        findings += step["findings"]
    reply = draft_reply(ticket, plan, findings)
    return {"kind": kind, "reply": check_reply(reply)}
`,
  track_parcel: `@weave.op
def track_parcel(parcel_id: str) -> dict:
    response = httpx.get(f"{CARRIER}/parcels/{parcel_id}", timeout=5.0)
    response.raise_for_status()
    return response.json()
`,
  search_policies: `@weave.op
def search_policies(text: str, limit: int = 3) -> list[dict]:
    vector = client.embeddings.create(model=EMBEDDING_MODEL, input=text)
    return rerank(text, nearest_passages(vector, limit * 4))[:limit]
`,
  chat_turn: `@weave.op
def chat_turn(message: str, history: list[dict]) -> str:
    messages = [*prompt.format(), *history, {"role": "user", "content": message}]
    response = client.chat.completions.create(model=MODEL, messages=messages)
    return response.choices[0].message.content
`,
  'ShopAssistant.predict': `class ShopAssistant(weave.Model):
    model_name: str
    temperature: float
    prompt: weave.MessagesPrompt

    @weave.op
    def predict(self, question: str) -> str:
        messages = [*self.prompt.format(), {"role": "user", "content": question}]
        response = client.chat.completions.create(model=self.model_name, messages=messages)
        return response.choices[0].message.content
`,
  mentions_expected: `@weave.op
def mentions_expected(expected: str, output: str) -> dict:
    return {"correct": expected.lower() in output.lower()}
`,
  'Helpfulness.score': `class Helpfulness(weave.Scorer):
    model_name: str

    @weave.op
    def score(self, *, question: str, output: str) -> dict:
        return rate(self.model_name, question, output)
`,
}

export function opSource(op: string): string {
  const name = op.split('.').at(-1) ?? op
  return SOURCES[op] ?? `@weave.op\ndef ${name}(*args, **kwargs):\n    ...\n`
}
