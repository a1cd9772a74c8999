"""A chapter of a study: the viewer at its game, with the chapter's words and its neighbours."""

from __future__ import annotations

from typing import Any

from flask import render_template, url_for
from flask.typing import ResponseReturnValue

from replays.notes.notebook import Notebook
from web.notes.scene import Scene, scene_of
from web.notes.words import titled
from web.site.markdown import safe_html
from web.studies.page import bp
from web.viewer.moments import moments_response
from web.viewer.page import page, parts


def chapter_scene(id_: str, chapter: str) -> Scene:
    """What is looked through in a chapter. A study that the reader may not see does not exist."""
    root = url_for("study.show_chapter", id_=id_, chapter=chapter)
    return scene_of("study", id_, root, chapter)


@bp.get("/study/<id_>/<chapter>")
def show_chapter(id_: str, chapter: str) -> ResponseReturnValue:
    """A chapter from its beginning."""
    scene = chapter_scene(id_, chapter)
    start = scene.notes.whole.chapters[chapter].start
    return show_scene(id_, scene, min(start, scene.replay.last))


@bp.get("/study/<id_>/<chapter>/<int:number>")
def show_chapter_at(id_: str, chapter: str, number: int) -> ResponseReturnValue:
    """A chapter at a moment of its game."""
    return show_scene(id_, chapter_scene(id_, chapter), number)


@bp.get("/study/<id_>/<chapter>/<int:number>/parts")
def show_chapter_parts(id_: str, chapter: str, number: int) -> ResponseReturnValue:
    """What changes from moment to moment, for a viewer that is open already."""
    scene = chapter_scene(id_, chapter)
    return render_template("viewer/replay_moment.html", **parts(scene, number))


@bp.get("/study/<id_>/<chapter>/<int:number>/moments")
def show_chapter_moments(id_: str, chapter: str, number: int) -> ResponseReturnValue:
    """Moments from one on as data, for a viewer that draws its steps itself."""
    return moments_response(chapter_scene(id_, chapter), number)


def show_scene(id_: str, scene: Scene, number: int) -> ResponseReturnValue:
    around = surroundings(id_, scene.notes.whole, scene.notes.chapter)
    return page(scene, number, "studies/study_chapter.html", study=around)


def surroundings(id_: str, book: Notebook, chapter: str) -> dict[str, Any]:
    """What stands around a chapter's viewer."""
    order = list(book.chapters.values())
    place = list(book.chapters).index(chapter)
    return {
        "id": id_,
        "title": titled(book),
        "chapter": order[place],
        "introduction": safe_html(order[place].introduction),
        "before": order[place - 1] if place else None,
        "after": order[place + 1] if place + 1 < len(order) else None,
    }
