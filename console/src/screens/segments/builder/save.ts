/** Saves what one has built: first its conditions, and when the service has prepared them, the segment. */
import { useEffect, useRef, useState } from 'preact/hooks';
import type { Tidemark } from '../../../../../client/src/tidemark.ts';
import { useApp } from '../../../app-context.ts';
import { useAction } from '../../../load.ts';
import type { Segment } from '../catalogue.ts';
import { whereWords, type Where } from '../where-words.ts';
import { conditionsIn, definitionOf, withIds, type Group } from './draft.ts';

/** Characters of a name. */
const NAME = 255;

/** A segment that is being saved, whether or not its builder is on the screen. */
interface Saving {
  readonly saved: Promise<number>;
  /** The share of the conditions that is prepared; `undefined` without conditions. */
  share: number | undefined;
  onShare: (share: number) => void;
}

/** What is being saved, by the segment that is edited. It goes on while the reader looks at other screens. */
const savings = new WeakMap<Tidemark, Map<number | undefined, Saving>>();

/** Makes conditions, and waits until all are prepared: their ids by their rules. Throws as a call does. */
const prepared = async (
  api: Tidemark,
  conditions: readonly { readonly where: Where; readonly name: string }[],
  tell: (share: number) => void,
): Promise<ReadonlyMap<string, number>> => {
  const ids = new Map<string, number>();
  for (const { where, name } of conditions) {
    const { id } = await api.createSegment({ body: { name, where } });
    ids.set(JSON.stringify(where), id);
  }
  const shares = new Map([...ids.values()].map((id) => [id, 0]));
  const note = (id: number, share: number): void => {
    shares.set(id, share);
    tell([...shares.values()].reduce((sum, one) => sum + one, 0) / shares.size);
  };
  await Promise.all(
    [...ids.values()].map((segmentId) =>
      api.waitForSegment({
        segmentId,
        onProgress: ({ ready, progress = 0 }) => note(segmentId, ready === false ? progress : 1),
      }),
    ),
  );
  return ids;
};

/** Saves a new segment, or another definition of `edited`. `share` is how far its conditions are, while it waits for them. */
export const useSave = (edited: Segment | undefined, onSaved: (id: number, isShown: boolean) => void) => {
  const { api, texts, format } = useApp();
  const [share, setShare] = useState<number>();
  const isShown = useRef(true);
  useEffect(
    () => () => {
      isShown.current = false;
    },
    [],
  );
  const own = savings.get(api) ?? new Map<number | undefined, Saving>();
  savings.set(api, own);
  const save = async (name: string, group: Group, tell: (share: number) => void): Promise<number> => {
    const built = definitionOf(group);
    if (built === undefined) throw new Error(texts.segments.builder.choosing);
    if (typeof built === 'object' && 'where' in built && edited === undefined)
      return (await api.createSegment({ body: { name, where: built.where } })).id;
    const conditions = conditionsIn(group).map((where) => ({
      where,
      name: whereWords(where, texts, format).slice(0, NAME),
    }));
    const definition = withIds(built, await prepared(api, conditions, tell));
    if (definition === undefined) throw new Error(texts.segments.builder.choosing);
    const body = { name, definition };
    return edited === undefined
      ? (await api.createSegment({ body })).id
      : (await api.replaceSegment({ path: { segment_id: edited.id }, body })).id;
  };
  const begin = (name: string, group: Group): Saving => {
    const tell = (next: number): void => {
      saving.share = next;
      saving.onShare(next);
    };
    const saved = save(name, group, tell).finally(() => own.delete(edited?.id));
    const saving: Saving = { saved, share: undefined, onShare: setShare };
    own.set(edited?.id, saving);
    return saving;
  };
  const action = useAction(async (name: string, group: Group) => {
    const saving = own.get(edited?.id) ?? begin(name, group);
    saving.onShare = setShare;
    setShare(saving.share);
    onSaved(await saving.saved, isShown.current);
  });
  return { ...action, share, isUnderWay: own.has(edited?.id) };
};
