"""Test program: logs 50 calls per second and runs two evaluations while its trace server has an outage.

`outage.py PROJECT SECONDS`; the last line of the output is a JSON report.
"""

import asyncio
import json
import sys
import time

import weave

project, seconds = sys.argv[1], float(sys.argv[2])


@weave.op
def python_tick(n):
    return {"n": n, "text": "x" * 200}


@weave.op
async def python_model(n):
    await asyncio.sleep(seconds / 10)
    return n


@weave.op
def python_scorer(expected, output):
    return {"correct": expected == output}


async def evaluate(name):
    rows = [{"n": n, "expected": n} for n in range(60)]
    evaluation = weave.Evaluation(name=name, dataset=rows, scorers=[python_scorer])
    return await evaluation.evaluate(python_model)


async def tick():
    started, n, slowest = time.monotonic(), 0, 0.0
    while (now := time.monotonic()) < started + seconds:
        if n <= (now - started) * 50:
            python_tick(n)
            n += 1
            slowest = max(slowest, time.monotonic() - now)
        else:
            await asyncio.sleep(0.005)
    return n, slowest


async def main():
    early = asyncio.create_task(evaluate("python-early"))
    ticking = asyncio.create_task(tick())
    await asyncio.sleep(seconds * 0.45)
    late = asyncio.create_task(evaluate("python-late"))
    ticks, slowest = await ticking
    return {"ticks": ticks, "slowest_ms": round(slowest * 1000), "evaluations": [await early, await late]}


client = weave.init(project)
report = asyncio.run(main())
client.flush()
weave.finish()
print(json.dumps(report))
