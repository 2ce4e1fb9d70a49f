import type { UseCase } from '../http/api-types.ts';
import { notFound } from '../http/not-found.ts';
import { err, ok } from '../runtime/result.ts';
import type { Table } from '../table/table.ts';
import type { SegmentCatalogue } from '../catalogue/catalogue.ts';
import { costFault, countMembers } from '../membership/read-members.ts';
import { isCondition } from '../catalogue/conditions/condition-items.ts';
import { progressOf } from './prepare-conditions.ts';
import { conditionView, customFactsView } from './views.ts';
import { expand } from '../catalogue/segment-items.ts';

export interface GetSegmentDeps {
  readonly table: Table;
  readonly catalogue: Pick<SegmentCatalogue, 'get'>;
}

/**
 * `GET segments/{segment_id}`: one segment with its exact number of members. The count includes every change that was
 * answered before the request. `as_of` is the begin of the count. 404 for a segment of another property, 422 for a
 * segment that is too expensive to count.
 */
export const getSegment: UseCase<GetSegmentDeps> = async ({ table, catalogue }, { property, path, now }) => {
  const segment = await catalogue.get(property.id, Number(path['segment_id']));
  if (!segment) return err(notFound('segment', { property, path }));
  const { id, name, type } = segment;
  const as_of = new Date(now).toISOString();
  if (isCondition(segment) && !segment.condition.ready) {
    const progress = await progressOf(table, property.id, id, now);
    return ok({ status: 200, body: { ...conditionView(segment, progress), count: null, as_of } });
  }
  const expression = expand(id, new Map([[id, segment]]));
  const members = { property: property.id, expression };
  const fault = await costFault(table, members);
  if (fault) return err({ status: 422, code: 'too_expensive', detail: fault.detail });
  const count = await countMembers(table, members);
  const facts = isCondition(segment)
    ? conditionView(segment, 1)
    : segment.custom && customFactsView(segment.custom);
  return ok({ status: 200, body: { id, name, type, count, as_of, ...facts } });
};
