"""What the methods of the operations tell the client about each operation."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Callable, Generic, Mapping, Optional, TypeVar, Union

from ._pages import Item, Page

Answer = TypeVar("Answer")
Parameters = Mapping[str, Any]


@dataclass(frozen=True)
class Operation(Generic[Answer]):
    """An operation of the API document."""

    method: str
    path: str
    #: Whether it needs a token.
    token: bool = True
    #: Whether it takes an `Idempotency-Key`.
    keyed: bool = False
    #: Whether it answers text. Other operations answer JSON.
    text: bool = False
    #: The media type of a body that is text or bytes.
    raw: Optional[str] = None
    #: How a DELETE that answers only the id at the end of its path writes this id.
    deletes: Optional[Callable[[str], Union[int, str]]] = None


@dataclass(frozen=True)
class ListOperation(Operation[Page], Generic[Page, Item]):
    """An operation that answers a list in pages."""

    #: The member of a page that has the items: empty if the page is the list, `None`
    #: if it has several lists.
    items: Optional[str] = ""
