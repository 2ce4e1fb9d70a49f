import { GetItemCommand } from '@aws-sdk/client-dynamodb';
import { join } from 'node:path';
import * as v from 'valibot';
import { keys } from '../../shared/table/keys.ts';
import { tableNames } from '../../test/support/table-names.ts';
import { temporaryFolder } from './folder.ts';
import { definePeople, emailOf, firstNameOf, importPeople, isRefused, writePeople } from './people-file.ts';
import type { Report } from './scenario.ts';
import { type MeasuredService, openService } from './service.ts';

/** A service with the people of a file, whose data is in files. */
export interface PeopleScene extends AsyncDisposable {
  readonly service: MeasuredService;
  /** Imports the next rows, up to row `to`. */
  readonly grow: (to: number) => Promise<void>;
  /** Looks a person up, by a number that spreads over all of them, and checks the answer. */
  readonly lookUp: (index: number) => Promise<void>;
  /** The bare read of one profile of the same table. */
  readonly getItem: (index: number) => Promise<void>;
  /** The id of the segment of a tag of the file. */
  readonly segmentOf: (tag: string) => Promise<number>;
}

const answered = v.object({ profile: v.looseObject({ first_name: v.string() }) });
const listed = v.array(v.looseObject({ id: v.number(), name: v.string(), type: v.string() }));

/** Steps between the people that are read one after the other: no two are neighbours. */
const STRIDE = 7_919;

/** Starts a service and imports so many people. */
export const openPeopleScene = async (people: number, report: Report): Promise<PeopleScene> => {
  const folder = await temporaryFolder();
  const service = await openService({ dataDir: join(folder.path, 'data') });
  const importId = await definePeople(service);
  const scene = { rows: 0 };
  const grow = async (to: number): Promise<void> => {
    const from = scene.rows + 1;
    const file = join(folder.path, 'people.csv');
    await writePeople(file, from, to);
    await importPeople(service, { importId, file, from, to }, report);
    scene.rows = to;
  };
  await grow(people);
  return {
    service,
    grow,
    lookUp: async (index) => {
      const row = 1 + ((index * STRIDE) % (scene.rows - 1));
      const known = isRefused(row) ? row + 1 : row;
      const path = `/v1/${service.property}/profile?email=${encodeURIComponent(emailOf(known))}`;
      const answer = await service.call('GET', path);
      report.check('status of a lookup', answer.status, 200);
      const { profile } = v.parse(answered, JSON.parse(answer.text));
      report.check(`the name of row ${known}`, profile.first_name, firstNameOf(known));
    },
    getItem: async (index) => {
      const { pk, sk } = keys.profile(service.property, (index * STRIDE) % Math.floor(scene.rows * 0.99));
      const Key = { pk: { S: pk }, sk: { S: sk } };
      await service.bare.send(new GetItemCommand({ TableName: tableNames.table, Key, ConsistentRead: true }));
    },
    segmentOf: async (tag) => {
      const { text } = await service.call('GET', `/v1/${service.property}/segments?name=${tag}&type=tag`);
      const found = v.parse(listed, JSON.parse(text)).find(({ name }) => name === tag);
      if (!found) throw new Error(`there is no segment ${tag}`);
      return found.id;
    },
    [Symbol.asyncDispose]: async () => {
      await service.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
};
