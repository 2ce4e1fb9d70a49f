/** Saves what one has built: first its conditions, and when the service has prepared them, the segment. */
import { useEffect, useRef, useState } from 'preact/hooks';
import { useApp } from '../../../app-context.ts';
import { useAction } from '../../../load.ts';
import type { Segment } from '../catalogue.ts';
import { whereWords } from '../where-words.ts';
import { conditionsIn, definitionOf, withIds, type Group } from './draft.ts';

/** Characters of a name. */
const NAME = 255;

/** Saves a new segment, or another definition of `edited`. `share` is how far its conditions are, while it waits for them. */
export const useSave = (edited: Segment | undefined, onSaved: (id: number) => void) => {
  const app = useApp();
  const { api, texts, format } = app;
  const [shares, setShares] = useState<ReadonlyMap<number, number>>(new Map());
  const ends = useRef(new AbortController());
  useEffect(() => () => ends.current.abort(), []);
  const prepared = async (group: Group): Promise<ReadonlyMap<string, number>> => {
    const { signal } = ends.current;
    const ids = new Map<string, number>();
    for (const where of conditionsIn(group)) {
      const name = whereWords(where, texts, format).slice(0, NAME);
      const { id } = await api.createSegment({ body: { name, where }, signal });
      ids.set(JSON.stringify(where), id);
    }
    const note = (id: number, share: number): void => setShares((last) => new Map([...last, [id, share]]));
    await Promise.all(
      [...ids.values()].map((segmentId) =>
        api.waitForSegment({
          segmentId,
          signal,
          onProgress: ({ ready, progress = 0 }) => note(segmentId, ready === false ? progress : 1),
        }),
      ),
    );
    return ids;
  };
  const action = useAction(async (name: string, group: Group) => {
    const { signal } = ends.current;
    const built = definitionOf(group);
    if (built === undefined) return;
    setShares(new Map());
    if (typeof built === 'object' && 'where' in built && edited === undefined) {
      const { id } = await api.createSegment({ body: { name, where: built.where }, signal });
      onSaved(id);
      return;
    }
    const definition = withIds(built, await prepared(group));
    if (definition === undefined) return;
    const body = { name, definition };
    const { id } =
      edited === undefined
        ? await api.createSegment({ body, signal })
        : await api.replaceSegment({ path: { segment_id: edited.id }, body, signal });
    onSaved(id);
  });
  const all = [...shares.values()];
  const share = all.length === 0 ? undefined : all.reduce((sum, one) => sum + one, 0) / all.length;
  return { ...action, share };
};
