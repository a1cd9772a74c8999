"""The endpoint of the store's checkpoint: it stands for all games and tells about none."""

from __future__ import annotations

from events.store.checkpoints.checkpoint import Checkpoint, last_remembered
from web.api.endpoint import endpoint
from web.services import services
from web.site.problems import Problem


@endpoint(
    "GET",
    "/api/checkpoint",
    "The newest checkpoint of the whole store, to keep and to compare it with later",
    who="anyone",
    answer=Checkpoint,
    problems=(404,),
)
def get_checkpoint() -> Checkpoint:
    found = last_remembered(services().store)
    if found is None:
        raise Problem(404, "no-checkpoint", "There is no checkpoint yet.")
    return found
