# Agents that await one click after another, on FastAPI and uvicorn, with the callback of the document. Arguments: who
# takes part, how many wait, a folder.
import asyncio
import socket
import sys

import uvicorn
from document_callback import Http, app

waiting = int(sys.argv[2])
resolved = 0


async def run_agent(lane: int):
    global resolved
    number = 4
    queue = [Http(f"c-{lane}-{ahead}") for ahead in range(number)]
    while True:
        await queue.pop(0).await_interaction(3600)
        resolved += 1
        queue.append(Http(f"c-{lane}-{number}"))
        number += 1


async def answer_parent():
    loop = asyncio.get_running_loop()
    while await loop.run_in_executor(None, sys.stdin.readline):
        print(resolved, flush=True)
    sys.stdout.flush()
    import os

    os._exit(0)


async def main():
    listener = socket.socket()
    listener.bind(("127.0.0.1", 0))
    agents = [asyncio.create_task(run_agent(lane)) for lane in range(waiting)]
    server = uvicorn.Server(uvicorn.Config(app, log_level="critical", access_log=False))
    serving = asyncio.create_task(server.serve(sockets=[listener]))
    while not server.started:
        await asyncio.sleep(0.01)
    print(f"http://127.0.0.1:{listener.getsockname()[1]}", flush=True)
    await asyncio.gather(serving, answer_parent(), *agents)


asyncio.run(main())
