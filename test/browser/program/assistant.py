"""The assistant of a shop for outdoor equipment, traced with `weave`. The browser tests look at what it sends.

The model behind `openai` and `anthropic` is a server on loopback (replies.ts); everything else is what a user would write.
"""

import asyncio
import base64
import io
import json
import os
import sys
import time

import weave
from anthropic import Anthropic
from openai import OpenAI
from PIL import Image, ImageDraw
from weave.flow.leaderboard import Leaderboard, LeaderboardColumn

MODEL_URL = os.environ["MODEL_URL"]
openai = OpenAI(base_url=f"{MODEL_URL}/v1", api_key="none")
anthropic = Anthropic(base_url=MODEL_URL, api_key="none")

ORDERS = {
    "A-1042": {"item": "Trail running shoes", "status": "shipped", "arrives": "2026-11-19", "total": 129.0},
    "A-1077": {"item": "Two-person tent", "status": "packed", "arrives": "2026-11-21", "total": 349.5},
}
ARTICLES = [
    {"title": "Returns", "text": "Unused articles can be returned within 30 days."},
    {"title": "Shipping", "text": "Switzerland: 2 to 3 days, CHF 7.50. Free above CHF 100."},
    {"title": "Waterproofing", "text": "A water column of 3,000 mm keeps heavy rain out."},
]
TOOLS = [
    {
        "type": "function",
        "function": {
            "name": name,
            "description": description,
            "parameters": {"type": "object", "properties": {argument: {"type": "string"}}, "required": [argument]},
        },
    }
    for name, description, argument in [
        ("get_order", "The state of an order", "order_id"),
        ("search_articles", "Searches the help articles", "query"),
        ("refund_order", "Refunds an order", "order_id"),
    ]
]


class RefundRefused(Exception):
    """The payment provider refused."""


@weave.op(kind="tool")
def get_order(order_id: str) -> dict:
    time.sleep(0.02)
    return ORDERS[order_id]


@weave.op(kind="search")
def embed(text: str) -> list[float]:
    return openai.embeddings.create(model="text-embedding-3-small", input=text).data[0].embedding


@weave.op(kind="search")
def search_articles(query: str) -> list[dict]:
    embed(query)
    return [{**article, "score": round(0.91 - rank / 7, 3)} for rank, article in enumerate(ARTICLES)]


@weave.op(kind="tool")
def refund_order(order_id: str) -> dict:
    try:
        raise ConnectionError("payments.example refused the connection")
    except ConnectionError as error:
        raise RefundRefused(f"order {order_id} was not refunded") from error


FUNCTIONS = {"get_order": get_order, "search_articles": search_articles, "refund_order": refund_order}
SYSTEM = weave.MessagesPrompt([{"role": "system", "content": "You help customers of {shop}. Be brief and exact."}])


class Assistant(weave.Model):
    model: str
    temperature: float = 0.2
    shop: str = "Nordwand"

    @weave.op(kind="agent")
    def predict(self, question: str) -> str:
        messages = [*SYSTEM.format(shop=self.shop), {"role": "user", "content": question}]
        for _ in range(4):
            completion = openai.chat.completions.create(
                model=self.model, temperature=self.temperature, messages=messages, tools=TOOLS
            )
            message = completion.choices[0].message
            if not message.tool_calls:
                return message.content
            messages.append(message.model_dump(exclude_none=True))
            for call in message.tool_calls:
                result = FUNCTIONS[call.function.name](**json.loads(call.function.arguments))
                messages.append({"role": "tool", "tool_call_id": call.id, "content": str(result)})
        raise RuntimeError("no reply after four turns")


@weave.op(kind="llm")
def write_summary(text: str) -> str:
    """Streams, as a page that shows words while they arrive."""
    stream = openai.chat.completions.create(
        model="gpt-4o-mini",
        stream=True,
        stream_options={"include_usage": True},
        messages=[{"role": "user", "content": f"Summarize: {text}"}],
    )
    return "".join(chunk.choices[0].delta.content or "" for chunk in stream if chunk.choices)


@weave.op
def suggest_gear(season: str) -> str:
    message = anthropic.messages.create(
        model="claude-sonnet-4-5",
        max_tokens=400,
        system="You know mountains.",
        messages=[{"role": "user", "content": f"What do I pack in {season}?"}],
        tools=[{"name": "weather", "description": "The weather", "input_schema": {"type": "object", "properties": {}}}],
    )
    return message.content[0].text


@weave.op
def draw_label(text: str) -> Image.Image:
    image = Image.new("RGB", (240, 80), "#1f4d3a")
    ImageDraw.Draw(image).text((16, 30), text, fill="white")
    return image


@weave.op
def describe_image(picture: Image.Image) -> str:
    data = io.BytesIO()
    picture.save(data, "PNG")
    url = "data:image/png;base64," + base64.b64encode(data.getvalue()).decode()
    completion = openai.chat.completions.create(
        model="gpt-4o",
        messages=[
            {
                "role": "user",
                "content": [
                    {"type": "text", "text": "What is on this picture?"},
                    {"type": "image_url", "image_url": {"url": url}},
                ],
            }
        ],
    )
    return completion.choices[0].message.content


@weave.op
def checkout(cart: dict) -> dict:
    """Its only failure is one of its descendants, which it handles."""
    try:
        refund_order(cart["order_id"])
    except RefundRefused:
        return {"state": "waiting", "total": 2522.1, "currency": "CHF"}
    return {"state": "refunded"}


class Judge(weave.Scorer):
    model: str = "gpt-4o"

    @weave.op
    def score(self, *, question: str, output: str) -> dict:
        completion = openai.chat.completions.create(
            model=self.model,
            messages=[{"role": "user", "content": f"Rate from 0 to 1.\nQuestion: {question}\nReply: {output}"}],
        )
        return {"helpful": float(completion.choices[0].message.content)}


@weave.op
def mentions(expected: str, output: str) -> dict:
    return {"correct": expected.lower() in output.lower()}


EXAMPLES = [
    {"question": "Where is my order A-1042?", "expected": "2026-11-19", "language": "en"},
    {"question": "Where is my order A-1077?", "expected": "2026-11-21", "language": "en"},
    {"question": "Wie lange dauert der Versand in die Schweiz?", "expected": "2 bis 3 Tage", "language": "de"},
    {"question": "テントは雨に強いですか？", "expected": "3,000", "language": "ja"},
    {"question": "Please refund order A-1042", "expected": "refund", "language": "en"},
]


def converse() -> None:
    assistant = Assistant(name="assistant", model="gpt-4o-mini")
    people = [
        ("lena", "prod", ["Where is my order A-1042?", "Which sizes do your shoes have?", "Thanks, what is your return policy?"]),
        ("kenji", "prod", ["テントは雨に強いですか？", "Where is my order A-1077?"]),
        ("مريم", "staging", ["هل يمكنني إرجاع الحذاء؟", "Please refund order A-1042"]),
    ]
    for user, environment, questions in people:
        with weave.thread(f"chat-{user}"), weave.attributes(
            {"user_id": user, "env": environment, "tags": ["chat", environment], "session_id": f"chat-{user}"}
        ):
            for question in questions:
                try:
                    _, call = assistant.predict.call(assistant, question, __should_raise=True)
                except RefundRefused:
                    continue
                if user == "lena":
                    call.feedback.add_reaction("👍")
                    call.feedback.add_note("**Right**, and short.")
                    call.feedback.add("correctness", {"value": 0.75})


def use_other_ops() -> None:
    label = draw_label("Nordwand · Größe 42")
    describe_image(label)
    write_summary(ARTICLES[1]["text"])
    suggest_gear("winter")
    checkout({"order_id": "A-1077", "items": [{"sku": "tent-2", "amount": 1}]})
    try:
        openai.chat.completions.create(model="no-such-model", messages=[{"role": "user", "content": "Hello"}])
    except Exception as error:
        print(f"expected: {type(error).__name__}", file=sys.stderr)


def evaluate() -> None:
    dataset = weave.Dataset(name="questions", rows=EXAMPLES)
    evaluation = weave.Evaluation(name="quality", dataset=dataset, scorers=[mentions, Judge()])
    for name, model in [("assistant-mini", "gpt-4o-mini"), ("assistant-custom", "nordwand-7b")]:
        asyncio.run(evaluation.evaluate(Assistant(name=name, model=model)))
    columns = [("mentions", "correct.true_fraction", False), ("Judge", "helpful.mean", False), ("model_latency", "mean", True)]
    leaderboard = Leaderboard(
        name="assistants",
        description="Which assistant do we ship?",
        columns=[
            LeaderboardColumn(
                evaluation_object_ref=weave.publish(evaluation).uri,
                scorer_name=scorer,
                summary_metric_path=path,
                should_minimize=is_lower,
            )
            for scorer, path, is_lower in columns
        ],
    )
    weave.publish(leaderboard)


if __name__ == "__main__":
    client = weave.init(sys.argv[1])
    weave.publish(SYSTEM, name="system-prompt")
    converse()
    use_other_ops()
    evaluate()
    weave.finish()
