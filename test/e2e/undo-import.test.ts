import * as v from 'valibot';
import { expect, it } from 'vitest';
import { segmentsAnswer } from '../../shared/segments/schemas.ts';
import { segmentProfilesAnswer } from '../../shared/segments/people-schemas.ts';
import { countedTimelineAnswer, timelineAnswer } from '../../shared/timelines/schemas.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { defineImport, firstNameOf, importFile, undo } from '../support/running.ts';
import { definitionOf } from '../support/field-map.ts';

const definition = definitionOf(['email', 'first_name', 'tags']);

const file = 'email,first_name,tags\nann@x.org,Anna,Jazz\nbob@x.org,Bob,Jazz;Junk\n';

let service: Service;
shared.beforeAll(({ service: own }) => {
  service = own;
});

const at = (rest: string): string => `/v1/${service.property}/${rest}`;

/** Imports the file once; returns the path of the job. */

/** The members of a segment or a moment, by their UUIDs. */
const membersOf = async (link: string): Promise<readonly (string | null)[]> => {
  const { profiles } = await service.client.get(link, segmentProfilesAnswer);
  return profiles.map(({ profile_uuid }) => profile_uuid).sort();
};

it('an undo takes back an import and the segments that it empties, and no moment changes', async () => {
  const ann = { email: 'ann@x.org', first_name: 'Ann' };
  await service.client.post(at('profiles'), ann, v.looseObject({ profile_uuid: v.string() }));
  const { job } = await importFile(service, await defineImport(service, definition), file);
  const timelines = `/v2/properties/${service.property}/timelines`;
  const tiles = [
    { type: 'tag', name: 'Jazz' },
    { type: 'everyone', name: 'everyone' },
  ];
  const made = await Promise.all(
    tiles.map((reference_tile) =>
      service.client.post(
        timelines,
        { reference_tile, name: `All of ${reference_tile.name}`, comments: '' },
        timelineAnswer,
      ),
    ),
  );
  const seen = () =>
    Promise.all(
      made.map(async ({ id }) => {
        const { moments } = await service.client.get(`${timelines}/${id}`, countedTimelineAnswer);
        const members = await Promise.all(moments.map(({ links }) => membersOf(links.profiles)));
        const { text: chart } = await service.call('GET', `${timelines}/${id}/chart.svg`);
        return { moments, members, chart };
      }),
    );
  const before = await seen();
  expect(before.map(({ moments }) => moments.map(({ count }) => count))).toEqual([[2], [2]]);
  expect(before.flatMap(({ members }) => members.map(({ length }) => length))).toEqual([2, 2]);

  expect(await undo(service, job)).toMatchObject({
    people: { removed: 1, changed: 1, unchanged: 0 },
    // The segment of Junk. A timeline names the segment of Jazz.
    segments: { removed: 1 },
  });
  expect([await firstNameOf(service, 'ann@x.org'), await firstNameOf(service, 'bob@x.org')]).toEqual([
    'Ann',
    undefined,
  ]);
  const tags = await service.client.get(at('segments?type=tag'), segmentsAnswer);
  expect(tags.map(({ name }) => name)).toEqual(['Jazz']);
  const jazz = `/v2/properties/${service.property}/segments/${tags[0]?.id ?? 0}/profiles`;
  expect(await membersOf(jazz)).toEqual([]);
  expect(await seen()).toEqual(before);
});
