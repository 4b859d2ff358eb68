# The callback of the document on FastAPI: a future for each id in the map of a shared server.
import asyncio

from fastapi import FastAPI, Request

callbacks: dict[str, asyncio.Future] = {}
app = FastAPI()


@app.post("/callback/{callback_id}")
async def handle(callback_id: str, request: Request):
    event = await request.json()
    future = callbacks.get(callback_id)
    if future is not None and not future.done():
        future.set_result({"action": event.get("action"), "data": event.get("data")})
    return {"status": "continued"}


class Http:
    def __init__(self, id: str):
        self.id = id
        self._future = asyncio.get_running_loop().create_future()
        callbacks[id] = self._future

    async def await_interaction(self, timeout: int = 300) -> dict:
        try:
            return await asyncio.wait_for(self._future, timeout=timeout)
        finally:
            callbacks.pop(self.id, None)
