"""What a device has still to be told, from what waits for its owner and what it shows already.

A device shows one message per game. A new turn or notice takes its place, and when a turn is over
that was told of there, it goes.
"""

from __future__ import annotations

from collections.abc import Iterable

import msgspec

from web.accounts.account import Account, Subscription
from web.notices.boxes import Box, Device, Notice, Turn

Item = Turn | Notice


def wanted(account: Account, box: Box, subscription: Subscription) -> dict[str, list[Item]]:
    """What a device is told of, by game: nothing from before it was there."""
    items: list[Item] = [turn for turn in box.turns if account.wishes.turn and not turn.alone]
    items += [notice for notice in box.pushes if getattr(account.wishes, notice.wish)]
    found: dict[str, list[Item]] = {}
    for item in items:
        if item.time >= subscription.made and item.game not in account.muted:
            found.setdefault(item.game, []).append(item)
    return found


def is_new(item: Item, device: Device) -> bool:
    return item.key not in device.shown.get(item.game, ())


def over(box: Box, device: Device) -> list[str]:
    """The games whose message on a device speaks of a turn that is over."""
    owed = {turn.key for turn in box.turns}
    return [
        game
        for game, keys in device.shown.items()
        if any(key.startswith(f"{game}/") and key not in owed for key in keys)
    ]


def due(account: Account, box: Box, wait: int) -> int | None:
    """When to look at somebody's devices."""
    times = []
    for key, subscription in account.subscriptions.items():
        device = box.devices.get(key, Device())
        items = (item for each in wanted(account, box, subscription).values() for item in each)
        ready = [item.ready(wait) for item in items if is_new(item, device)]
        ready += [0 for _ in over(box, device)]
        times += [max(device.not_before, time) for time in ready]
    return min(times, default=None)


def tidied(account: Account, box: Box) -> Box:
    """Without what no device needs any more."""
    devices = {key: box.devices.get(key, Device()) for key in account.subscriptions}
    keys = {
        item.key
        for key, subscription in account.subscriptions.items()
        for items in wanted(account, box, subscription).values()
        for item in items
        if is_new(item, devices[key])
    }
    return msgspec.structs.replace(
        box,
        pushes=[notice for notice in box.pushes if notice.key in keys],
        devices={
            key: tidy
            for key, device in devices.items()
            if (tidy := forgetting(device, keys)) != Device()
        },
    )


def forgetting(device: Device, keys: Iterable[str]) -> Device:
    """A device without the notices that nobody asks about any more. Turns stay until they are
    over."""
    wanted = set(keys)
    shown = {
        game: [key for key in notices if key.startswith(f"{game}/") or key in wanted]
        for game, notices in device.shown.items()
    }
    return msgspec.structs.replace(
        device, shown={game: left for game, left in shown.items() if left}
    )
