"""What places are called: every lane hex of the map has a name, and a city bears its castle's.

A name follows from the hex alone: it is the same in every language, at every moment and in every
line of a game, and gives nothing away.
"""

from __future__ import annotations

from functools import cache

from engine.material import library

NAMES = tuple(
    """
Siena Barga Pienza Calci Vinci Sorano Poppi Lucca Ambra Cecina Talla Empoli Murlo Stia Pisa Cetona
Lari Greve Zeri Prato Buti Massa Aulla Chiusi Vicchio Radda Londa Volpaia Tatti Pescia Arezzo
Lamole Bucine Fiesole Vagli Cortona Brolio Signa Asciano Comano Gaiole Palaia Sovana Prata Mulazzo
Cascina Suvereto Uzzano Certaldo Roselle Vaiano Anghiari Chianni Montale Lucignano Pelago Capalbio
Sassetta Bagnone Rufina Saturnia Peccioli Montieri Collodi Scansano Vernio Torrita Bolgheri Panzano
Foiano Casole Pistoia Larciano Petroio Talamone Reggello Bibbona Fauglia Magliano Sestino Montisi
Caprese Seggiano Porcari Livorno Impruneta Loro Volterra Gavorrano Cerreto Bibbiena Sillano Manciano
Agliana Contignano Carrara Laterina Orbetello Artimino Vertine Camaiore Chitignano Grosseto Incisa
Populonia Trequanda Gallicano Montaione Sarteano Dicomano Lajatico Rosignano Buggiano Arcidosso
Figline Vetulonia Massarosa Subbiano Crespina Radicondoli Fivizzano Gambassi Paganico Scarperia
Monterchi Vitolini Piombino Coreglia Barberino Chiusdino Marliana Lastra Cinigiano Altopascio
Sinalunga Seravezza Rignano Casciana Abetone Filattiera Follonica Capolona Montopoli Civitella
Rapolano Fosdinovo Scandicci Riparbella Careggine Pitigliano Vivo Sambuca Terricciola Licciana
Radicofani Fucecchio Viareggio Gerfalco Pontedera Cutigliano Carmignano Podenzana Monticiano
Montalcino Pontremoli Castellina Semproniano Roccastrada Minucciano Pietrasanta Montevarchi
Lorenzana Vicopisano Montefollo Capannori Guardistallo Tavarnelle Serravalle Montecatini Villafranca
""".split()  # noqa: SIM905  (a list to read)
)
"""Tuscan places, as many as the map has hexes and some more."""


@cache
def _places() -> dict[str, str]:
    return dict(zip(library.board("toscana").hex_at, NAMES, strict=False))


def place_name(label: str) -> str:
    """The name of a hex by its label; on other maps a hex has none but its label.

    >>> place_name("a1"), place_name("zz9")
    ('Siena', 'zz9')
    """
    return _places().get(label, label)
