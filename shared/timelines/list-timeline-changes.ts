import type { UseCase } from '../http/api-types.ts';
import { notFound } from '../http/not-found.ts';
import { err, ok } from '../runtime/result.ts';
import { hasBit, membersIn } from '../membership/chunk.ts';
import { readProfilePage, type PagedProfile, type ProfilePageDeps } from '../membership/profile-pages.ts';
import { chunkOf, groupOf, keys, offsetInChunk, ORDINALS_PER_CHUNK } from '../table/keys.ts';
import type { Table } from '../table/table.ts';
import { readMoments, readTimeline } from './read-items.ts';
import type { ChangesQuery } from './changes-schemas.ts';

/**
 * `GET timelines/{timeline_id}/changes`: people in one of two moments and not in the other, in pages. 404 for a moment
 * of another timeline.
 */
export const listTimelineChanges: UseCase<ProfilePageDeps, ChangesQuery> = async (
  deps,
  { property, path, query, now },
) => {
  const timeline = await readTimeline(deps.table, property.id, Number(path['timeline_id']));
  if (!timeline) return err(notFound('timeline', { property, path }));
  const { from, to } = query;
  const moments = await readMoments(deps.table, property.id, timeline, [from, to]);
  const unknown = moments.indexOf(undefined);
  if (unknown >= 0)
    return err(notFound('moment', { property, path: { ...path, moment_id: String([from, to][unknown]) } }));
  const page = await readProfilePage(deps, {
    property: property.id,
    expression: { any: [{ all: [to, { not: from }] }, { all: [from, { not: to }] }] },
    query,
    path: `/v2/properties/${property.id}/timelines/${timeline.id}/changes`,
    kept: `&from=${from}&to=${to}`,
    now,
  });
  if (!page.ok) return page;
  const { profiles, paging } = page.value;
  const split = await splitBy(deps.table, property.id, to, profiles);
  return ok({ status: 200, body: { from, to, ...split, paging } });
};

/** Splits the profiles in the difference of two moments by membership in the moment `to`. */
const splitBy = async (table: Table, property: number, to: number, profiles: readonly PagedProfile[]) => {
  const chunks = [...Map.groupBy(profiles, ({ ordinal }) => Math.floor(ordinal / ORDINALS_PER_CHUNK))];
  const items = await table.getMany(
    chunks.map(([chunk]) => {
      const base = chunk * ORDINALS_PER_CHUNK;
      return keys.chunk(property, to, groupOf(base), chunkOf(base));
    }),
  );
  const isIn = new Set(
    chunks.flatMap(([, inChunk], index) => {
      const bits = membersIn(items[index]);
      return inChunk.filter(({ ordinal }) => hasBit(bits, offsetInChunk(ordinal)));
    }),
  );
  return {
    added: profiles.filter((each) => isIn.has(each)).map(({ profile }) => profile),
    removed: profiles.filter((each) => !isIn.has(each)).map(({ profile }) => profile),
  };
};
