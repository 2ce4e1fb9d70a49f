/** Saves what one has built: first its conditions, and when the service has prepared them, the segment. */
import { TidemarkProblem } from '../../../../../client/src/problem.ts';
import type { Tidemark } from '../../../../../client/src/tidemark.ts';
import type { App } from '../../../app-context.ts';
import { NAME_CHARACTERS } from '../../../segment-name.ts';
import type { Segment } from '../catalogue.ts';
import { whereWords, type Where } from '../where-words.ts';
import { conditionsIn, definitionOf, withIds, type Draft, type Group } from './draft.ts';
import { keepDraft, keptDraft } from './kept-draft.ts';

/** Makes conditions, and waits until all are prepared: their ids by their rules. Throws as a call does. */
const prepared = async (
  api: Tidemark,
  conditions: readonly { readonly where: Where; readonly name: string }[],
  tell: (share: number) => void,
): Promise<ReadonlyMap<string, number>> => {
  const ids = new Map<string, number>();
  // The service has one condition for a rule: a save that is repeated makes no second one.
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

/** What is saved, and where. */
export interface Order {
  /** The segment that gets another definition; `undefined` for a new one. */
  readonly edited: Segment | undefined;
  readonly name: string;
  readonly group: Group;
  /** Under this key the service makes one segment, however often the order is repeated. */
  readonly key: string;
}

/** Saves an order: the id of the segment. Throws as a call does. */
const saveOrder = async (
  { api, texts, format }: App,
  { edited, name, group, key }: Order,
  tell: (share: number) => void,
): Promise<number> => {
  const built = definitionOf(group);
  if (built === undefined) throw new Error(texts.segments.builder.choosing);
  if (typeof built === 'object' && 'where' in built && edited === undefined) {
    const made = await api.createSegment({ body: { name, where: built.where } });
    // A rule that has a condition already keeps that with its name: the new name is for a segment made of it.
    if (made.name === name) return made.id;
  }
  const conditions = conditionsIn(group).map((where) => ({
    where,
    name: whereWords(where, texts, format).slice(0, NAME_CHARACTERS),
  }));
  const definition = withIds(built, await prepared(api, conditions, tell));
  if (definition === undefined) throw new Error(texts.segments.builder.choosing);
  const body = { name, definition };
  return edited === undefined
    ? (await api.createSegment({ body, headers: { 'Idempotency-Key': key } })).id
    : (await api.replaceSegment({ path: { segment_id: edited.id }, body })).id;
};

/** A save, whether or not its builder is on the screen. A failed one is there until a reader has seen why. */
export interface Saving {
  readonly draft: Draft;
  readonly saved: Promise<number>;
  /** The share of the conditions that is prepared; `undefined` without conditions. */
  share: number | undefined;
  onShare: (share: number) => void;
}

const all = new WeakMap<Tidemark, Map<string, Saving>>();

/** The saves of a session: by the key of a draft, or by the id of the segment that is edited. */
export const savingsOf = (api: Tidemark): Map<string, Saving> => {
  const own = all.get(api) ?? new Map<string, Saving>();
  all.set(api, own);
  return own;
};

/** The name of a save among those of a session. */
export const savingName = ({ edited, key }: Pick<Order, 'edited' | 'key'>): string =>
  edited === undefined ? key : String(edited.id);

/** Whether the service knows the key with other content: a condition was deleted meanwhile, and has another id now. */
const isReused = (problem: unknown): boolean =>
  problem instanceof TidemarkProblem && problem.code === 'idempotency_key_reused';

/** Begins to save a draft. The save goes on while the reader looks at other screens, and after a reload. */
export const beginSave = (app: App, order: Order, draft: Draft): Saving => {
  const { property } = app;
  const { group, key } = order;
  // After a sign-out nothing is kept, and later another draft may be: nothing is written over it.
  const leave = (next: Draft | undefined): void => {
    if (keptDraft(property.id)?.key === key) keepDraft(property.id, next);
  };
  if (order.edited === undefined) keepDraft(property.id, { name: order.name, group, key, saving: true });
  const saved = saveOrder(app, order, (share) => {
    saving.share = share;
    saving.onShare(share);
  }).then(
    (id) => {
      leave(undefined);
      savingsOf(app.api).delete(savingName(order));
      return id;
    },
    (problem: unknown) => {
      leave({ name: draft.name, group, ...(isReused(problem) ? {} : { key }) });
      throw problem;
    },
  );
  const saving: Saving = { draft, saved, share: undefined, onShare: () => undefined };
  savingsOf(app.api).set(savingName(order), saving);
  return saving;
};
