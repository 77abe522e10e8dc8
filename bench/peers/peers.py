"""Sends the same spans to Heddle, Phoenix and MLflow: accepted and readable per second, CPU per span.

    npm run build
    python3 -m venv phoenix && phoenix/bin/pip install arize-phoenix
    python3 -m venv mlflow && mlflow/bin/pip install mlflow
    npx tsx bench/peers/write-bodies.ts bodies 100
    python3 bench/peers/peers.py heddle bodies . --seconds 10
    python3 bench/peers/peers.py phoenix bodies phoenix/bin --seconds 10
    python3 bench/peers/peers.py mlflow bodies mlflow/bin --seconds 10

Each server runs with its defaults (Heddle: embedded ClickHouse; the others: SQLite). The CPU time is that of all processes of
the server, its database included. A span is readable when the server's own API counts it.
"""

import argparse
import http.client
import json
import os
import secrets
import signal
import subprocess
import tempfile
import threading
import time
from pathlib import Path

PORT = 9371
CONNECTIONS = 4
READABLE_TIMEOUT_SECONDS = 120
HEADERS = {"content-type": "application/x-protobuf"}


def request(method, path, body=None, headers=None):
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=60)
    connection.request(method, path, body, headers or {})
    response = connection.getresponse()
    return response.status, response.read()


class Heddle:
    path = "/v1/traces"
    key = "hd_" + secrets.token_hex(24)
    project = "bench/bench"
    headers = {**HEADERS, "authorization": f"Bearer {key}", "project_id": project}

    def command(self, directory):
        return ["node", f"{directory}/dist/main.js", "serve", "--port", str(PORT)]

    def environment(self, data):
        return {
            "HEDDLE_DATA": f"{data}/heddle",
            "HEDDLE_INIT_ADMIN_PASSWORD": secrets.token_hex(16),
            "HEDDLE_INIT_API_KEY": self.key,
            "HEDDLE_OTLP_GRPC_PORT": "off",
        }

    def prepare(self):
        pass

    def readable(self):
        headers = {
            "content-type": "application/json",
            "authorization": self.headers["authorization"],
        }
        body = json.dumps({"project_id": self.project})
        return json.loads(request("POST", "/calls/query_stats", body, headers)[1])["count"]


class Phoenix:
    path = "/v1/traces"
    headers = HEADERS

    def command(self, bin_directory):
        return [f"{bin_directory}/phoenix", "serve"]

    def environment(self, data):
        return {
            "PHOENIX_PORT": str(PORT),
            "PHOENIX_HOST": "127.0.0.1",
            "PHOENIX_GRPC_PORT": str(PORT + 1),
            "PHOENIX_WORKING_DIR": data,
            "PHOENIX_TELEMETRY_ENABLED": "false",
        }

    def prepare(self):
        pass

    def readable(self):
        query = {"query": "{ projects { edges { node { recordCount } } } }"}
        _, body = request(
            "POST", "/graphql", json.dumps(query), {"content-type": "application/json"}
        )
        edges = json.loads(body)["data"]["projects"]["edges"]
        return sum(edge["node"]["recordCount"] for edge in edges)


class MLflow:
    path = "/v1/traces"

    def command(self, bin_directory):
        return [f"{bin_directory}/mlflow", "server", "--host", "127.0.0.1", "--port", str(PORT)]

    def environment(self, data):
        return {
            "MLFLOW_BACKEND_STORE_URI": f"sqlite:///{data}/mlflow.db",
            "MLFLOW_DEFAULT_ARTIFACT_ROOT": f"{data}/artifacts",
            "MLFLOW_DISABLE_TELEMETRY": "true",
        }

    def prepare(self):
        _, body = request(
            "POST",
            "/api/2.0/mlflow/experiments/create",
            json.dumps({"name": "bench"}),
            {"content-type": "application/json"},
        )
        self.experiment = json.loads(body)["experiment_id"]
        self.headers = {**HEADERS, "x-mlflow-experiment-id": self.experiment}

    def readable(self):
        """Every span of the bench is a trace of its own."""
        count = 0
        token = None
        while True:
            location = {"mlflow_experiment": {"experiment_id": self.experiment}}
            search = {
                "locations": [{"type": "MLFLOW_EXPERIMENT", **location}],
                "max_results": 500,
                **({"page_token": token} if token else {}),
            }
            _, body = request(
                "POST",
                "/api/3.0/mlflow/traces/search",
                json.dumps(search),
                {"content-type": "application/json"},
            )
            found = json.loads(body)
            count += len(found.get("traces", []))
            token = found.get("next_page_token")
            if not token:
                return count


SERVERS = {"heddle": Heddle, "phoenix": Phoenix, "mlflow": MLflow}


def cpu_seconds(group):
    """User and system time of all processes of a group, and of their children that have ended."""
    total = 0
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rsplit(") ", 1)[1].split()
        except OSError:
            continue
        if int(fields[2]) == group:
            total += sum(int(field) for field in fields[11:15])
    return total / os.sysconf("SC_CLK_TCK")


def wait_until_up(process):
    for _ in range(240):
        if process.poll() is not None:
            raise SystemExit("the server ended")
        try:
            if request("GET", "/")[0] < 500:
                return
        except OSError:
            pass
        time.sleep(0.5)
    raise SystemExit("the server did not start")


def send(server, bodies, until, accepted, lock):
    connection = http.client.HTTPConnection("127.0.0.1", PORT, timeout=60)
    while time.monotonic() < until:
        with lock:
            if not bodies:
                return
            path, spans = bodies.pop()
        connection.request("POST", server.path, path.read_bytes(), server.headers)
        response = connection.getresponse()
        response.read()
        if response.status == 200:
            accepted.append(spans)
        else:
            accepted.append(0)
            time.sleep(0.1)


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("server", choices=SERVERS)
    parser.add_argument("bodies", type=Path, help="written by write-bodies.ts; each is sent once")
    parser.add_argument("bin", help="the directory of the server's program")
    parser.add_argument("--seconds", type=float, default=10)
    arguments = parser.parse_args()
    server = SERVERS[arguments.server]()
    bodies = [(path, int(path.suffix[1:])) for path in sorted(arguments.bodies.glob("*.*"))]
    with tempfile.TemporaryDirectory() as data:
        process = subprocess.Popen(
            server.command(arguments.bin),
            env={**os.environ, **server.environment(data)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )
        try:
            wait_until_up(process)
            server.prepare()
            before = cpu_seconds(process.pid)
            started = time.monotonic()
            accepted, lock = [], threading.Lock()
            until = started + arguments.seconds
            threads = [
                threading.Thread(target=send, args=(server, bodies, until, accepted, lock))
                for _ in range(CONNECTIONS)
            ]
            for thread in threads:
                thread.start()
            for thread in threads:
                thread.join()
            sent_seconds = time.monotonic() - started
            spans = sum(accepted)
            readable = server.readable()
            while readable < spans and time.monotonic() - started < READABLE_TIMEOUT_SECONDS:
                time.sleep(0.5)
                readable = server.readable()
            readable_seconds = time.monotonic() - started
            cpu = cpu_seconds(process.pid) - before
            print(
                f"{arguments.server}: {spans} spans accepted, {spans / sent_seconds:.0f} per second; "
                f"{readable} readable after {readable_seconds:.1f} s, {readable / readable_seconds:.0f} per second; "
                f"CPU {cpu / max(spans, 1) * 1e6:.0f} µs per span; {accepted.count(0)} requests refused"
            )
        finally:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait()


main()
