/**
 * Timeline names: one item for each name in use. The transaction that gives a name to a timeline, or takes it away, writes
 * the item, so a name is taken exactly while a timeline has it.
 */
import { hash } from 'node:crypto';
import * as v from 'valibot';
import { foldName } from '../catalogue/identity.ts';
import { problems, type Problem } from '../http/problem.ts';
import type { Clock } from '../runtime/clock.ts';
import { keys, type Key } from '../table/keys.ts';
import type { Table, Write } from '../table/table.ts';
import { readTimeline } from './read-items.ts';

/** A timeline and a name. */
export interface Naming {
  readonly property: number;
  readonly timeline: number;
  readonly name: string;
}

const nameItem = v.object({
  w: v.string(),
  timeline: v.number(),
  /** Release 0.2.0 reserves a name for the timeline that it is making, until this time (epoch ms). */
  until: v.number(),
});

/** Names that differ only in case, surrounding space or Unicode form share one item. */
const keyOf = (property: number, name: string): Key =>
  keys.timelineName(property, hash('sha256', foldName(name)));

/** Whether two names are one name. */
export const isSameName = (one: string, other: string): boolean => foldName(one) === foldName(other);

/** The problem of a request for a name that another timeline has. */
export const duplicateName = (): Problem =>
  problems.conflict('duplicate_name', 'Another timeline has this name.');

/**
 * The write that gives a timeline a name; `undefined` when another timeline has it. Of a name whose timeline is gone or has
 * another name, only the item is left: release 0.2.0 and a restore leave such items. It goes to the next timeline.
 */
export const takeName = async (
  { table, clock }: { readonly table: Table; readonly clock: Clock },
  { property, timeline, name }: Naming,
): Promise<Write | undefined> => {
  const key = keyOf(property, name);
  const set = { timeline, final: true, until: 0 };
  const item = await table.get(key);
  if (!item) return { kind: 'insert', key, set };
  const { w, timeline: holder, until } = v.parse(nameItem, item);
  const named = await readTimeline(table, property, holder);
  const isTaken = named ? isSameName(named.name, name) : until > clock();
  return isTaken && holder !== timeline ? undefined : { kind: 'update', key, set, expect: { w } };
};

/** The writes that free the name of a timeline; none for a name that another timeline has. */
export const freeName = async (
  table: Table,
  { property, timeline, name }: Naming,
): Promise<readonly Write[]> => {
  const key = keyOf(property, name);
  const item = await table.get(key);
  if (!item) return [];
  const { w, timeline: holder } = v.parse(nameItem, item);
  return holder === timeline ? [{ kind: 'delete', key, expect: { w } }] : [];
};
