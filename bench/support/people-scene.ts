import { existsSync } from 'node:fs';
import { cp, mkdir, rename } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import * as v from 'valibot';
import { sourceDigest } from '../../lib/constructs/source-digest.ts';
import { keys } from '../../shared/table/keys.ts';
import { tableNames } from '../../test/support/table-names.ts';
import { temporaryFolder } from './folder.ts';
import {
  definePeople,
  emailOf,
  firstNameOf,
  importPeople,
  type MoreColumn,
  ordinalOf,
  rowOf,
  writePeople,
} from './people-file.ts';
import type { Report } from './scenario.ts';
import { segmentOf } from './segment-of.ts';
import type { ServiceOptions } from './service-messages.ts';
import { type Cost, openService } from './service.ts';

const answered = v.object({ profile: v.looseObject({ first_name: v.string() }) });

/** The import of so many people takes minutes. Their data is kept for the next scenario. */
const KEPT_FROM = 100_000;

const root = join(import.meta.dirname, '../..');

/** The people of a scene. */
interface People {
  readonly people: number;
  /** Columns of their file besides the usual ones. */
  readonly more: readonly MoreColumn[];
}

/** Where the data of so many people is kept, as long as code and values stay the same. */
const keptFolder = ({ people, more }: People): string => {
  const sources = ['bench/support/people-*.ts', '{functions,local,shared}/**/*.ts', 'package-lock.json'];
  const firstValues = more.map(({ target, valueOf }) => [target, valueOf(1)]);
  return join(root, '.build/bench', `people-${people}-${sourceDigest(root, sources, firstValues)}`);
};

/** Imports people into the data of a service, and ends the service. */
const importInto = async (dataDir: string, { people, more }: People, report: Report): Promise<void> => {
  await using folder = await temporaryFolder();
  await using service = await openService({ dataDir });
  const file = join(folder.path, 'people.csv');
  await writePeople(file, 1, people, more);
  const importId = await definePeople(service, more);
  await importPeople(service, { importId, file, from: 1, to: people }, report);
};

/** Puts the data of so many people into a folder: what an earlier scenario kept, or a new import. */
const fillFolder = async (dataDir: string, wanted: People, report: Report): Promise<void> => {
  if (wanted.people < KEPT_FROM) return importInto(dataDir, wanted, report);
  const kept = keptFolder(wanted);
  if (!existsSync(kept)) {
    await importInto(dataDir, wanted, report);
    await mkdir(dirname(kept), { recursive: true });
    await cp(dataDir, `${kept}-new`, { recursive: true });
    await rename(`${kept}-new`, kept);
    return;
  }
  report.progress('copies the people of an earlier scenario');
  await cp(kept, dataDir, { recursive: true });
};

/** Starts a service with so many people. */
export const openPeopleScene = async (
  people: number,
  report: Report,
  { more = [], ...options }: Pick<ServiceOptions, 'apart'> & Partial<Pick<People, 'more'>> = {},
) => {
  const folder = await temporaryFolder();
  const dataDir = join(folder.path, 'data');
  await fillFolder(dataDir, { people, more }, report);
  const service = await openService({ ...options, dataDir });
  const {
    imports: [definition],
  } = await service.client.listImports();
  if (!definition) throw new Error('the import definition of the people is missing');
  const importId = definition.id;
  const scene = { rows: people };
  const grow = async (to: number): Promise<void> => {
    const from = scene.rows + 1;
    const file = join(folder.path, 'people.csv');
    await writePeople(file, from, to, more);
    await importPeople(service, { importId, file, from, to }, report);
    scene.rows = to;
  };
  return {
    service,
    /** Imports the next rows, up to row `to`. */
    grow,
    /** Looks a person up, by a number that spreads over all of them, and checks the answer. */
    lookUp: async (index: number) => {
      const known = rowOf(index, scene.rows);
      const path = `/v1/${service.property}/profile?email=${encodeURIComponent(emailOf(known))}`;
      const answer = await service.call('GET', path);
      report.check('status of a lookup', answer.status, 200);
      const { profile } = v.parse(answered, JSON.parse(answer.text));
      report.check(`the name of row ${known}`, profile.first_name, firstNameOf(known));
    },
    /** The bare read of one profile of the same table. */
    readItem: async (index: number) => {
      const { pk, sk } = keys.profile(service.property, ordinalOf(index, scene.rows));
      const Key = { pk: { S: pk }, sk: { S: sk } };
      const RequestItems = { [tableNames.table]: { Keys: [Key], ConsistentRead: true } };
      await service.bare.call('BatchGetItem', { RequestItems });
    },
    /** The id of the segment of a tag of the file. */
    segmentOf: (tag: string): Promise<number> => segmentOf(service, tag),
    [Symbol.asyncDispose]: async () => {
      await service.stop();
      await folder[Symbol.asyncDispose]();
    },
  };
};

/** A service with the people of a file, whose data is in files. */
export type PeopleScene = Awaited<ReturnType<typeof openPeopleScene>>;

/** Work of a name, whose cost is wanted. A process remembers people, so each round may have others. */
export interface NamedWork {
  readonly name: string;
  readonly work: (round: number) => Promise<unknown>;
}

/** What some work costs a service with so many people whose functions have threads of their own, by name. */
export const costsApart = async (
  people: number,
  report: Report,
  worksOf: (scene: PeopleScene) => Promise<readonly NamedWork[]>,
): Promise<ReadonlyMap<string, Cost>> => {
  await using scene = await openPeopleScene(people, report, { apart: true });
  const costs = new Map<string, Cost>();
  for (const { name, work } of await worksOf(scene)) {
    report.progress(`counts ${name}`);
    // The first time starts functions.
    await work(0);
    costs.set(name, (await scene.service.cost(() => work(1))).cost);
  }
  return costs;
};
