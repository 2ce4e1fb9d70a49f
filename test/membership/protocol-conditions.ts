import {
  conditionOf,
  conditionWrite,
  type ConditionDraft,
} from '../../shared/catalogue/conditions/condition-items.ts';
import {
  conditionsWrite,
  readConditions,
  withDropped,
  withNew,
  withSeen,
  type ConditionList,
} from '../../shared/catalogue/conditions/condition-list.ts';
import {
  cachedConditions,
  Conditions,
  withoutConditions,
  type KnownCondition,
} from '../../shared/catalogue/conditions/known-conditions.ts';
import { ruleOf } from '../../shared/catalogue/conditions/rule.ts';
import { derivationsWith, type DerivationSource } from '../../shared/catalogue/derivation.ts';
import { identityKey } from '../../shared/catalogue/identity.ts';
import { propagationMs } from '../../shared/catalogue/look.ts';
import { limits } from '../../shared/config/limits.ts';
import { journal, type Journal } from '../../shared/membership/journal.ts';
import { deleteWrite } from '../../shared/references/lifecycle.ts';
import type { Clock } from '../../shared/runtime/clock.ts';
import { conditionTask, conditionTasks } from '../../shared/segments/prepare-conditions.ts';
import { keys } from '../../shared/table/keys.ts';
import { scopedId } from '../../shared/table/scoped-ids.ts';
import type { Attributes, StoredItem, Table } from '../../shared/table/table.ts';
import { NOW, scope } from '../profiles/harness.ts';
import { unloadedBrands } from '../support/brands.ts';
import { MemoryQueue } from '../support/memory-queue.ts';
import { filledKey } from './protocol-cells.ts';
import { standStill } from './protocol-facts.ts';

/** The condition of the scenes: its id, and a value that meets it. */
export const CONDITION = scopedId(scope.id, 900);
export const spending = { extra_data: { spend: 700 } };

const draft: ConditionDraft = {
  name: 'Spenders',
  where: { field: 'extra_data.spend', op: 'gte', value: 500 },
  created: NOW,
  created_by: { email: 'user@example.com', first_name: 'Uma', id: 7, last_name: 'User' },
};
const segment = conditionOf(CONDITION, draft);
const rule = ruleOf(draft.where);
const known: KnownCondition = { identity: { ...segment, key: identityKey(segment) }, rule };

/** The key of its identity. */
export const CONDITION_KEY = identityKey(segment);

/** What a process derives that knows the condition. */
export const knowing = new Conditions([known], { preparing: [{ id: CONDITION, since: null }] });

interface Begin {
  /** It was listed a moment ago, and a look has seen it. */
  readonly listed: boolean;
  /** When the person was stored that meets it: a process that knows the list indexes the person too. */
  readonly met?: 'before' | 'behind';
  /** The closed entry of a writer names that person. */
  readonly announced?: boolean;
  /** It was deleted a moment ago. */
  readonly dropped?: boolean;
}

/** What the table may have of the condition at first, besides its item. */
const stages = {
  unlisted: { listed: false },
  listed: { listed: true },
  met: { listed: true, met: 'before' },
  announced: { listed: true, met: 'before', announced: true },
  dropped: { listed: true, met: 'before', announced: true, dropped: true },
  'indexed and dropped': { listed: true, met: 'behind', announced: true, dropped: true },
} satisfies Record<string, Begin>;
export type Stage = keyof typeof stages;

/** The attempt whose entry the journal has at first. */
export const EARLIER = 'earlier';

/** Whether the journal has an entry at first. */
export const hasEarlier = (stage: Stage): boolean => begun(stage).announced === true;

const begun = (stage: Stage): Begin => stages[stage];

/** Stores the person of a scene by `store`, with these more values, and the condition in its first stage. */
export const storing = async (
  table: Table,
  stage: Stage,
  store: (more: Partial<typeof spending>) => Promise<unknown>,
): Promise<void> => {
  const { listed, met, announced, dropped } = begun(stage);
  await table.write(conditionWrite(scope.id, CONDITION, draft));
  await changeList(table, (list) => list);
  if (met !== 'behind') await store(met ? spending : {});
  if (listed) await changeList(table, (list) => withSeen(withNew(list, CONDITION, rule), NOW));
  if (met === 'behind') await store(spending);
  // A process takes some ordinals at once. A fill reads no others, because nobody gets them.
  await table.put(keys.counter(scope.id, 'ordinal'), { value: 1 });
  const pair = { segment: CONDITION, ordinal: 0 };
  if (announced) await journal({ table, clock: () => NOW }).announce(scope.id, EARLIER, [pair]);
  if (!dropped) return;
  await changeList(table, (list) => withDropped(list, scope.id, CONDITION));
  const item = await table.get(keys.segment(scope.id, CONDITION));
  await table.write(deleteWrite(keys.segment(scope.id, CONDITION), item?.w ?? ''));
};

const changeList = async (table: Table, change: (list: ConditionList) => ConditionList): Promise<void> => {
  const list = await readConditions(table, scope.id);
  await table.write(conditionsWrite(scope.id, list, change(list)));
};

interface Ports {
  readonly table: Table;
  readonly clock: Clock;
}

/** The conditions as a process reads them. */
export const conditionsOn = (ports: Ports): DerivationSource =>
  derivationsWith(unloadedBrands.brands, cachedConditions(ports));

/** The same of a process that has read the list just before its last change. */
export const conditionsBefore = (ports: Ports, wasListed: boolean): DerivationSource => {
  const before = wasListed ? knowing : withoutConditions;
  const until = ports.clock() + limits.brands.refreshSeconds * 1_000;
  const later = cachedConditions(ports);
  return derivationsWith(unloadedBrands.brands, (property) =>
    ports.clock() < until ? Promise.resolve(before) : later(property),
  );
};

/** What the attempt of a fill is called. */
export const FILL = 'fill-';

interface Preparing extends Ports {
  readonly journal: Pick<Journal, 'announce' | 'left' | 'groups'>;
  /** The time until every profile write knows the condition, from the margin for late writes. */
  readonly waits: (marginMs: number) => number;
  readonly looks: number;
  /** Looks at the journal, within all looks, until the time is over. */
  readonly polls: number;
}

const MARGIN_MS = limits.segments.journalMarginSeconds * 1000;

/** A request that announces the condition. `dates`: it says itself since when the condition is listed. */
export const announceCondition = async ({ table, clock }: Ports, dates: boolean): Promise<void> => {
  const requested = clock();
  await standStill(table);
  await changeList(table, (list) => {
    const announced = withNew(list, CONDITION, rule);
    return dates ? withSeen(announced, requested) : announced;
  });
};

/** Looks at the task of the conditions, one after another, until nothing is left to do. */
export const lookAtConditions = async (given: Preparing): Promise<void> => {
  const { table, clock, waits, looks } = given;
  const { condition } = conditionTasks({
    ...{ table, clock, journal: given.journal, drains: new MemoryQueue() },
    ids: { uuid: () => 'u', nonce: () => '', hex: () => '' },
    marginMs: waits(MARGIN_MS) - propagationMs(0),
    pause: () => standStill(table),
    log: () => undefined,
  });
  let { polls } = given;
  let state: Attributes = {};
  const mayGoOn = (): boolean => (polls -= 1) >= 0;
  const save = async (noted: Attributes): Promise<boolean> => {
    if (!('fill' in state)) await table.write({ kind: 'insert', key: filledKey, set: { filled: true } });
    state = noted;
    return true;
  };
  for (let look = 0; look < looks; look += 1) {
    await standStill(table);
    const task = { ...conditionTask(scope.id, NOW), ids: [], step: 0, until: NOW, state };
    if ((await condition.look(task, { mayGoOn, save })) === 'done') return;
  }
};

/** Whether the list names the condition in this state. */
export const isListed = (list: StoredItem | undefined, state: string): boolean => {
  const all = list?.[state];
  return Array.isArray(all) && all.length > 0;
};
