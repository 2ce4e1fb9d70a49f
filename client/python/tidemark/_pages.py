"""Lists that come in pages."""

from __future__ import annotations

from typing import (
    Any,
    Callable,
    Generic,
    Iterable,
    Iterator,
    Mapping,
    Optional,
    TypeVar,
)

Page = TypeVar("Page")
Item = TypeVar("Item")
Query = Mapping[str, Any]


class Pages(Generic[Page, Item]):
    """A list. Iterate over it for the items of all pages.

    Each use sends its own requests.
    """

    def __init__(
        self,
        fetch: Callable[[Optional[Query]], tuple[Page, Optional[Query]]],
        items: Callable[[Page], Iterable[Item]],
    ) -> None:
        self._fetch = fetch
        self._items = items

    def first(self) -> Page:
        """The first page, as the service answers it."""
        return self._fetch(None)[0]

    def pages(self) -> Iterator[Page]:
        """All pages, first to last."""
        page, following = self._fetch(None)
        yield page
        while following is not None:
            page, following = self._fetch(following)
            yield page

    def __iter__(self) -> Iterator[Item]:
        for page in self.pages():
            yield from self._items(page)
