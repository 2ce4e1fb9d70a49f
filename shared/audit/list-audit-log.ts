import * as v from 'valibot';
import type { UseCase } from '../http/api-types.ts';
import { answerList, type ListDeps, type Page } from '../http/listing.ts';
import type { Listed } from '../runtime/pages.ts';
import { auditKeys } from '../table/request-keys.ts';
import type { StoredItem, Table } from '../table/table.ts';
import type { AuditLogQuery } from './schemas.ts';
import { auditItem } from './audit-trail.ts';

export interface AuditLogDeps extends ListDeps {
  readonly entries: Pick<Table, 'query'>;
}

const stored = v.object({ sk: v.string(), ...auditItem.entries });

/**
 * `GET audit-log`: lists actions on a property, and on its account as a whole (sign-ins, users), newest first.
 * Actions on other properties of the account are left out.
 */
export const listAuditLog: UseCase<AuditLogDeps, AuditLogQuery> = async (deps, request) => {
  const { property, query } = request;
  return answerList(deps, request, 'entries', {
    path: `/v2/properties/${property.id}/audit-log`,
    order: 'newest',
    read: async (page) => {
      const found = await readLog(deps.entries, property.account, page);
      return { ...found, items: found.items.map((item) => v.parse(stored, item)) };
    },
    keep: (entry) =>
      (entry.property === undefined || entry.property === property.id) &&
      (query.user === undefined || entry.user === query.user) &&
      (query.action === undefined || entry.action === query.action),
    positionOf: ({ sk }) => sk,
    views: (entries) => entries.map(entryView),
  });
};

/**
 * Entries of the log of an account, about as many as the page asks for or more: its partitions are merged by sort key, which
 * begins with the time. Of two entries of a request the later one is shown: the other was stored before the outcome was known.
 */
const readLog = async (
  entries: AuditLogDeps['entries'],
  account: number,
  page: Page,
): Promise<Listed<StoredItem>> => {
  // At least four partitions share the entries, so half a page of each nearly always makes a whole page.
  const range = { ...page, limit: Math.ceil(page.limit / 2) + 1, work: undefined };
  const pages = await Promise.all(auditKeys.logs(account).map((pk) => entries.query(pk, range)));
  const isBefore = (a: string, b: string): boolean => (page.descending === true ? a > b : a < b);
  const all = pages.flatMap(({ items }) => items).sort((a, b) => (isBefore(a.sk, b.sk) ? -1 : 1));
  // Behind the last entry that was read of a partition, there may be entries that were not.
  const ends = new Set(pages.flatMap(({ items, next }) => (next === undefined ? [] : [items.at(-1)?.sk])));
  const end = all.findIndex(({ sk }) => ends.has(sk));
  const known = end < 0 ? all : all.slice(0, end);
  const place = new Set([page.after, ...all.map(({ sk }) => sk)]);
  const shown = known.filter((item) => !place.has(auditKeys.later(item).sk));
  return { items: shown, next: end < 0 ? undefined : known.at(-1)?.sk };
};

const entryView = ({ time, action, outcome, request_id, ids, ...who }: v.InferOutput<typeof stored>) => ({
  time: new Date(time).toISOString(),
  action,
  outcome,
  request_id,
  user: who.user ?? null,
  token: who.token ?? null,
  operator: who.operator ?? null,
  source: who.source ?? null,
  ids,
});
