/** Pages: reads lists that come in pages. */

/** Items of a list in its order, and the position after the last item; none at the end of the list. */
export interface Listed<Item, Position = string> {
  readonly items: readonly Item[];
  readonly next?: Position | undefined;
}

/** Reads the page of a list after a position; without one, the first page. */
export type ReadPage<Item, Position> = (after: Position | undefined) => Promise<Listed<Item, Position>>;

/** The pages of a list to its end. A page is read only when the caller asks for it. */
export async function* pagesOf<Item, Position = string>(
  read: ReadPage<Item, Position>,
): AsyncGenerator<readonly Item[], undefined> {
  let after: Position | undefined;
  do {
    const { items, next } = await read(after);
    yield items;
    after = next;
  } while (after !== undefined);
}

/** The items of a list to its end. */
export async function* itemsOf<Item, Position = string>(
  read: ReadPage<Item, Position>,
): AsyncGenerator<Item, undefined> {
  for await (const items of pagesOf(read)) yield* items;
}
