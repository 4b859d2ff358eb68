# The first of the original designs on FastAPI and uvicorn. The agents wait in this process; people post their clicks
# over HTTP. It speaks with the benchmark as turns.ts does.
import asyncio
import json
import os
import socket
import statistics
import sys
import time
from pathlib import Path

import uvicorn

sys.path.insert(0, str(Path(__file__).parents[2] / "callback" / "servers"))
from document_callback import Http, app

count = 0


def report(**values):
    os.write(3, (json.dumps(values) + "\n").encode())


async def round_trip():
    global count
    count += 1
    callback = Http(f"c-{count}")
    report(type="asked", path=f"/callback/{callback.id}")
    await callback.await_interaction(3600)


async def run_turn(order: dict):
    latencies: list[float] = []
    started_at = time.perf_counter()
    ends_at = started_at + order["sliceMs"] / 1000

    async def run_agent():
        while True:
            asked_at = time.perf_counter()
            await round_trip()
            latencies.append((time.perf_counter() - asked_at) * 1000)
            if time.perf_counter() >= ends_at:
                return

    await asyncio.gather(*(run_agent() for _ in range(order["atOnce"])))
    took_ms = (time.perf_counter() - started_at) * 1000
    report(type="turn", roundTrips=len(latencies), tookMs=took_ms, p50Ms=statistics.median(latencies))


async def serve_turns():
    loop = asyncio.get_running_loop()
    while line := await loop.run_in_executor(None, sys.stdin.readline):
        await run_turn(json.loads(line))
    os._exit(0)


async def main():
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    config = uvicorn.Config(app, log_level="critical", access_log=False, timeout_keep_alive=75)
    server = uvicorn.Server(config)
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        await asyncio.sleep(0.01)
    report(type="ready", url=f"http://127.0.0.1:{listener.getsockname()[1]}")
    await asyncio.gather(serving, serve_turns())


try:
    import uvloop

    asyncio.set_event_loop_policy(uvloop.EventLoopPolicy())
except ImportError:
    pass
asyncio.run(main())
