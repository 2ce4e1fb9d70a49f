/** Export run: exports the people of a running service over HTTP, as a user does, and a bare loop that prints them. */
import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { everyoneId } from '../../shared/catalogue/identity.ts';
import { mapAhead } from '../../shared/runtime/map-ahead.ts';
import { keys, PROFILES_PER_BLOCK } from '../../shared/table/keys.ts';
import { tableNames } from '../../test/support/table-names.ts';
import { timed } from './measure.ts';
import type { PeopleScene } from './people-scene.ts';
import type { Cost, MeasuredService } from './service.ts';

const plainColumns = [
  ...['first_name', 'last_name', 'birthday', 'gender', 'street', 'city', 'state', 'zipcode', 'country'],
  'has_children',
] as const;

/** The columns of the files: all that the scene knows of a person. */
const columns = ['unique_id', 'email', ...plainColumns, 'tags', 'source', 'extra_data.notes'] as const;

/** The bare loop reads so many blocks at once, as a part does. */
const BLOCKS_AT_ONCE = 4;

/** From one question about the job to the next: short beside a job, so that its end is seen at once. */
const ASK_EVERY_MS = 50;

const created = v.looseObject({ id: v.string() });
const jobs = v.looseObject({
  jobs: v.array(
    v.looseObject({
      created: v.string(),
      started: v.nullable(v.string()),
      finished: v.nullable(v.string()),
      location: v.nullable(v.string()),
      rows: v.nullable(v.number()),
    }),
  ),
});

/** An export: the seconds of its phases, and what it cost the service. */
export interface Exported {
  /** From the request to the last byte of the file. */
  readonly seconds: number;
  /** From the request to the plan of the job. */
  readonly toPlan: number;
  /** From the plan to the end of the job. */
  readonly toFile: number;
  /** From the end of the job to the last byte. */
  readonly toLastByte: number;
  readonly bytes: number;
  readonly cost: Cost;
}

/** The function that answers the questions of the waiting client: its work is not the export's. */
const WAITING = 'listExportJobs';

/** The calls of a job to buckets, and their bytes. The download is one of them. */
export const objectCalls = ({ meter }: Cost) => {
  const lines = meter.filter(({ action }) => action.startsWith('s3:'));
  const sum = (some: typeof lines, of: (line: (typeof lines)[number]) => number): number =>
    some.reduce((all, line) => all + of(line), 0);
  const bytesOf = (action: string): number =>
    sum(
      lines.filter((line) => line.action === action),
      ({ bytes }) => bytes,
    );
  return {
    calls: sum(lines, ({ calls }) => calls),
    written: bytesOf('s3:PutObject'),
    read: bytesOf('s3:GetObject'),
  };
};

/** The parts of a job: the function that writes one opens the key of the job once. */
export const partsOf = ({ meter }: Cost): number =>
  meter.find(({ caller, action }) => caller === 'writeExportPart' && action === 'kms:Decrypt')?.calls ?? 0;

/** Exports everyone of a scene, with a PGP key if one is given. Throws when somebody is missing. */
export const exportPeople = async (
  { service }: PeopleScene,
  people: number,
  pgpKey: string | null,
): Promise<Exported> => {
  const { result, cost } = await service.cost(() => timed(() => post(service, people, pgpKey)));
  const { seconds, result: phases } = result;
  return { seconds, ...phases, cost: withoutQuestions(cost) };
};

const withoutQuestions = (cost: Cost): Cost => {
  const asked = cost.meter.filter(({ caller }) => caller === WAITING);
  const sum = (of: (line: (typeof asked)[number]) => number): number =>
    asked.reduce((all, line) => all + of(line), 0);
  return {
    ...cost,
    tableCalls: cost.tableCalls - sum(({ kind, calls }) => (kind === 'request' ? calls : 0)),
    readUnits: cost.readUnits - sum(({ readUnits }) => readUnits),
    writeUnits: cost.writeUnits - sum(({ writeUnits }) => writeUnits),
  };
};

const post = async (
  service: MeasuredService,
  people: number,
  pgpKey: string | null,
): Promise<Omit<Exported, 'seconds' | 'cost'>> => {
  const path = `/v1/${service.property}/exports`;
  const body = {
    segment: [everyoneId(service.property)],
    field_set: 'custom',
    custom_result_format: columns.map((name) => ({
      umbel_field_name: name,
      destination_field_name: name,
    })),
    ...(pgpKey !== null && { pgp_public_key: pgpKey }),
  };
  const began = Date.now();
  const { text } = await service.call('POST', path, body);
  const { id } = v.parse(created, JSON.parse(text));
  const { started, finished, location, rows } = await ended(service, `${path}/${id}/jobs`);
  if (rows !== people) throw new Error(`the export has ${rows} rows instead of ${people}`);
  const bytes = await download(location);
  return {
    toPlan: (started - began) / 1000,
    toFile: (finished - started) / 1000,
    toLastByte: (Date.now() - finished) / 1000,
    bytes,
  };
};

/** Asks for the job until it has a file. */
const ended = async (service: MeasuredService, path: string) => {
  for (;;) {
    const { text } = await service.call('GET', path);
    const [job] = v.parse(jobs, JSON.parse(text)).jobs;
    if (job?.finished) {
      const { started, finished, location, rows } = job;
      if (started === null || location === null) throw new Error(`the export has failed: ${text}`);
      return { started: Date.parse(started), finished: Date.parse(finished), location, rows };
    }
    await setTimeout(ASK_EVERY_MS);
  }
};

/** Reads the file behind a location to its end, and returns its size. */
const download = async (location: string): Promise<number> => {
  const { status, body } = await fetch(location);
  if (status !== 200 || body === null) throw new Error(`the file answers ${status}`);
  let bytes = 0;
  await body.pipeTo(new WritableStream<Uint8Array>({ write: (piece) => void (bytes += piece.length) }));
  return bytes;
};

/** What the bare loop needs of a stored person: each value of the people of the scene stands once. */
const storedPerson = v.array(
  v.looseObject({
    values: v.record(v.string(), v.string()),
    identities: v.array(v.string()),
    tags: v.array(v.string()),
    labels: v.array(v.string()),
    extra: v.array(v.tuple([v.string(), v.string()])),
  }),
);

/** Reads the blocks of all people, as many at once as a part, and prints as many columns. Returns the seconds. */
export const printBare = async ({ service }: PeopleScene, people: number): Promise<number> => {
  const { bare, property } = service;
  const blocks = Array.from({ length: Math.ceil(people / PROFILES_PER_BLOCK) }, (_, block) => block);
  const { seconds, result } = await timed(async () => {
    let rows = 0;
    const pages = mapAhead(blocks, BLOCKS_AT_ONCE, (block) => readBlock(bare, property, block));
    for await (const page of pages) rows += page.map(bareLine).filter((line) => line !== '').length;
    return rows;
  });
  if (result < people) throw new Error(`the bare loop has read ${result} people instead of ${people}`);
  return seconds;
};

const readBlock = async (
  bare: MeasuredService['bare'],
  property: number,
  block: number,
): Promise<readonly string[]> => {
  const { pk } = keys.profile(property, block * PROFILES_PER_BLOCK);
  const answer = await bare.call('Query', {
    TableName: tableNames.table,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': { S: pk } },
    ConsistentRead: true,
  });
  return (answer.Items ?? []).flatMap(({ state }) => state?.S ?? []);
};

/** The line of a person, with the same columns as the export. */
const bareLine = (state: string): string => {
  const [person] = v.parse(storedPerson, JSON.parse(state));
  if (!person) return '';
  const { values, identities, tags, labels, extra } = person;
  const identity = (kind: string) => identities.find((name) => name.startsWith(kind))?.slice(kind.length);
  const cells = [
    ...[identity('unique_id:'), identity('email:'), ...plainColumns.map((name) => values[name])],
    ...[tags.join(';'), labels.join(','), extra[0]?.[1]],
  ];
  return cells.map((cell) => bareCell(cell ?? '')).join(',');
};

const bareCell = (cell: string): string => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell);
