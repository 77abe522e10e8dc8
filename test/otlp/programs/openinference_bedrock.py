"""OpenInference for Amazon Bedrock."""

import os

import boto3
import chat
from botocore.exceptions import ClientError
from openinference.instrumentation import using_attributes
from openinference.instrumentation.bedrock import BedrockInstrumentor
from telemetry import provider

BedrockInstrumentor().instrument(tracer_provider=provider)
SYSTEM, USER = (message["content"] for message in chat.MESSAGES)
client = boto3.client(
    "bedrock-runtime",
    endpoint_url=os.environ["MODEL_URL"],
    region_name="us-east-1",
    aws_access_key_id="unused",
    aws_secret_access_key="unused",
)
SCHEMA = {"json": {"type": "object", "properties": {"city": {"type": "string"}}}}


def converse(messages, model="anthropic.claude-3-5-sonnet-20241022-v2:0"):
    return client.converse(
        modelId=model,
        system=[{"text": SYSTEM}],
        messages=messages,
        toolConfig={"tools": [{"toolSpec": {"name": "get_weather", "inputSchema": SCHEMA}}]},
    )["output"]["message"]


with using_attributes(session_id="s1", user_id="u1"), provider.get_tracer("app").start_as_current_span("ask"):
    question = {"role": "user", "content": [{"text": USER}]}
    answer = converse([question])
    call = answer["content"][0]["toolUse"]
    result = {"toolUseId": call["toolUseId"], "content": [{"text": chat.result(call["input"])}]}
    converse([question, answer, {"role": "user", "content": [{"toolResult": result}]}])
    try:
        converse([question], "no-such-model")
    except ClientError:
        pass
provider.shutdown()
