import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import * as v from 'valibot';
import { afterAll, describe, expect, it } from 'vitest';
import { completeJobs, segmentId } from '../support/running.ts';
import type { Service } from '../support/service.ts';
import { shared } from '../support/shared-service.ts';
import { root } from '../support/source-copy.ts';
import { until } from '../support/until.ts';

const BUCKET = 'crm-inbox';
const ROLE = 'arn:aws:iam::111122223333:role/tidemark-destination-crm';
/** The file of the examples. */
const EXAMPLE = 'people/dt=2026-11-30/1001000000001-1001000000002.jsonl.gz';

type Language = 'sh' | 'sql';

interface Table {
  readonly connection: DuckDBConnection;
  /** The statements that apply `people_delta` to `people`. */
  readonly apply: string;
}

/** The code under a heading of a document, a text for each block. */
const blocksOf = (page: string, heading: string, language: Language): readonly string[] => {
  let current = '';
  return [...page.matchAll(/^```(\w+)\n(.*?)^```$|^#+ (.+?)$/gms)].flatMap(
    ([, kind, code = '', title = current]) => {
      current = title;
      return kind === language && current === heading ? [code] : [];
    },
  );
};

const person = v.looseObject({
  profile_uuid: v.string(),
  email: v.nullable(v.string()),
  first_name: v.nullable(v.string()),
  tags: v.array(v.looseObject({ tag: v.string() })),
  extra_data: v.looseObject({ spend: v.optional(v.number()) }),
});
const created = v.looseObject({
  s3_destination: v.looseObject({ trust_policy: v.unknown(), permission_policy: v.unknown() }),
});
const manifest = v.object({ rows: v.number(), delta_from: v.nullable(v.string()) });
const byUuid = <T extends { readonly profile_uuid: string }>(rows: readonly T[]): readonly T[] =>
  rows.toSorted((a, b) => (a.profile_uuid < b.profile_uuid ? -1 : 1));

/** Whether the names are these, and no others. */
const are =
  (...expected: readonly (string | null)[]) =>
  (names: ReadonlySet<string | null>): boolean =>
    names.size === expected.length && expected.every((name) => names.has(name));

describe('docs/warehouse.md', () => {
  let service: Service;
  let folder = '';
  let page = '';
  const opened: DuckDBConnection[] = [];

  shared.beforeAll(async ({ service: own }) => {
    service = own;
    folder = await mkdtemp(join(tmpdir(), 'tidemark-warehouse-'));
    page = await readFile(join(root, 'docs/warehouse.md'), 'utf8');
    await mkdir(join(folder, '.local'));
    await writeFile(join(folder, '.local/endpoints.json'), JSON.stringify(service.cloud.endpoints));
    const api = await readFile(join(root, 'docs/api.md'), 'utf8');
    const setup = blocksOf(api, 'Set up the examples', 'sh').join('');
    await bash(`${setup}\n{ declare -p base token; declare -f call field; } > set-up.sh`);
    service.cloud.parts.storage.s3.createBucket(BUCKET, { account: '111122223333', region: 'eu-central-1' });
  });

  afterAll(async () => {
    for (const connection of opened) connection.closeSync();
    await rm(folder, { recursive: true, force: true });
  });

  const sh = (heading: string): string => blocksOf(page, heading, 'sh').join('');
  const sql = (heading: string): string => blocksOf(page, heading, 'sql').join('');
  const at = (rest: string): string => `/v1/${service.property}/${rest}`;

  const bash = (commands: string) =>
    promisify(execFile)('bash', ['-c', `set -eu\n${commands}`], { cwd: folder });

  /** Runs commands in the folder of the test. The examples are set up once, because signing in takes long. */
  const run = (commands: string) => bash(`. ./set-up.sh\n${commands.replaceAll('/v1/1001/', at(''))}`);

  const put = (record: object) => service.client.post(at('profiles'), record, v.unknown());
  const jazz = { datetime: '2026-01-02 03:04:05', tag: ['Jazz'] };

  /** The members as the API answers them, once their first names are as expected. */
  const members = async (isExpected: (names: ReadonlySet<string | null>) => boolean) => {
    const segment = await segmentId(service, 'Jazz', 'tag');
    const path = `/v2/properties/${service.property}/segments/${segment}/profiles?include=tags,extra_data`;
    const profiles = v.looseObject({ profiles: v.array(person) });
    return until('the members', async () => {
      const { profiles: found } = await service.client.get(path, profiles);
      if (!isExpected(new Set(found.map(({ first_name }) => first_name)))) return undefined;
      return byUuid(
        found.map(({ profile_uuid, email, first_name, tags, extra_data }) => ({
          profile_uuid,
          email,
          first_name,
          tags: [...new Set(tags.map(({ tag }) => tag))],
          spend: extra_data.spend ?? null,
        })),
      );
    });
  };

  /** The export of the page, whose role its client has made. */
  const define = async (): Promise<string> => {
    await run(`${sh('Define the export')}printf %s "$people" > people.id`);
    const id = await readFile(join(folder, 'people.id'), 'utf8');
    const { s3_destination: shown } = await service.client.get(at(`exports/${id}`), created);
    const policies = { trust: shown.trust_policy, policy: shown.permission_policy };
    service.cloud.parts.storage.sts.putRole({ arn: ROLE, ...policies });
    return id;
  };

  /** Runs job `count` of the export. Its file comes from the bucket, in the folder of the test; returns its path there. */
  const arrived = async (id: string, count: number): Promise<string> => {
    await service.client.post(at(`exports/${id}/jobs`), {}, v.unknown());
    const [job] = await completeJobs(service, id, count);
    const key = `people/dt=${job?.created.slice(0, 10)}/${id}-${job?.id}.jsonl.gz`;
    const bytes = await until('the object', () => service.cloud.parts.storage.s3.get(BUCKET, key));
    await mkdir(dirname(join(folder, key)), { recursive: true });
    await writeFile(join(folder, key), bytes);
    return key;
  };

  const check = () => run(`people=$(cat people.id)\n${sh('Check a file')}printf %s "$job" > applied`);

  /** A database with the table of the page. */
  const open = async (): Promise<DuckDBConnection> => {
    const connection = await (await DuckDBInstance.create(':memory:')).connect();
    opened.push(connection);
    await connection.run(`SET file_search_path = '${folder}'`);
    await connection.run(blocksOf(page, 'DuckDB', 'sql')[0] ?? '');
    return connection;
  };

  const load = async (connection: DuckDBConnection, file: string): Promise<void> => {
    await connection.run(`SET VARIABLE file = '${file}'`);
    await connection.run(blocksOf(page, 'DuckDB', 'sql')[1] ?? '');
  };

  const rows = async (connection: DuckDBConnection, query: string) =>
    (await connection.runAndReadAll(query)).getRowObjectsJson();
  const table = (connection: DuckDBConnection) =>
    rows(connection, 'SELECT * FROM people ORDER BY profile_uuid');

  /** Takes the file of one more job into tables, each with the statements by which its system applies a delta. */
  const take = async (id: string, count: number, tables: readonly Table[]): Promise<string> => {
    const file = await arrived(id, count);
    await check();
    expect(await readFile(join(folder, 'people.jsonl.gz'))).toEqual(await readFile(join(folder, file)));
    const text = await readFile(join(folder, 'manifest.json'), 'utf8');
    const { rows: expected, delta_from } = v.parse(manifest, JSON.parse(text));
    for (const { connection, apply } of tables) {
      await load(connection, file);
      expect(await rows(connection, 'SELECT * FROM people_delta')).toHaveLength(expected);
      if (delta_from === null) await connection.run(sql('Replace everyone'));
      await connection.run(apply);
      // A file that is taken twice changes nothing.
      await connection.run(apply);
    }
    return file;
  };

  it('its statements keep a table equal to the members, through a full file and two deltas', async () => {
    for (const name of ['ada', 'bob', 'cyd'])
      await put({
        email: `${name}@example.org`,
        first_name: name,
        tags: [jazz],
        extra_data: { spend: 12.5 },
      });
    await put({ unique_id: 'no address', tags: [jazz] });
    const everyone = await members(are('ada', 'bob', 'cyd', null));
    const id = await define();
    const merging = await open();
    const redshift = await open();
    const tables = [
      { connection: merging, apply: sql('Apply a delta') },
      { connection: redshift, apply: blocksOf(page, 'Redshift', 'sql')[2] ?? '' },
    ];
    const told = () => Promise.all(tables.map(({ connection }) => table(connection)));

    await merging.run("INSERT INTO people (profile_uuid) VALUES ('somebody of an earlier definition')");
    await take(id, 1, tables);
    expect(await told()).toEqual([everyone, everyone]);

    await put({ email: 'ada@example.org', first_name: 'Ada', extra_data: { spend: 20 } });
    await put({ email: 'bob@example.org', remove_tags: ['Jazz'] });
    await put({ email: 'dan@example.org', first_name: 'dan', tags: [{ ...jazz, tag: ['Jazz', 'Blues'] }] });
    await put({ unique_id: 'no address', remove_tags: ['Jazz'] });
    const changed = await members(are('Ada', 'cyd', 'dan'));
    await take(id, 2, tables);
    expect(await told()).toEqual([changed, changed]);
    // The second file does not build on itself.
    await expect(check()).rejects.toThrow();

    await put({ email: 'bob@example.org', tags: [jazz] });
    await put({ email: 'cyd@example.org', remove_tags: ['Jazz'] });
    const last = await members(are('Ada', 'bob', 'dan'));
    const file = await take(id, 3, tables);
    expect(await told()).toEqual([last, last]);

    expect(await rows(merging, blocksOf(page, 'DuckDB', 'sql')[2] ?? '')).toHaveLength(1);
    expect(await athena(merging, file)).toEqual(await rows(redshift, 'SELECT * FROM people_delta'));
  });

  it('a file that is closed, because somebody in it was forgotten, is followed by a file with everyone', async () => {
    await put({ email: 'eve@example.org', first_name: 'eve', tags: [jazz] });
    const before = await members((names) => names.has('eve'));
    const id = await define();
    const connection = await open();
    const tables = [{ connection, apply: sql('Apply a delta') }];
    await take(id, 1, tables);
    expect(await table(connection)).toEqual(before);
    expect((await service.call('DELETE', at('profile?email=eve@example.org'))).status).toBe(200);
    const after = await members((names) => !names.has('eve'));
    await service.client.post(at(`exports/${id}/jobs`), {}, v.unknown());
    const [closed] = await completeJobs(service, id, 2);
    expect((await fetch(closed?.location ?? '')).status).toBe(403);
    await take(id, 3, tables);
    expect(await table(connection)).toEqual(after);
  });

  it('its MERGE removes a person of whom a row has nothing but the UUID', async () => {
    const connection = await open();
    await connection.run(
      "INSERT INTO people (profile_uuid, email) VALUES ('one', 'one@example.org'), ('two', null)",
    );
    await writeFile(join(folder, 'bare.jsonl'), '{"change":"removed","profile_uuid":"one"}\n');
    await load(connection, 'bare.jsonl');
    await connection.run(sql('Apply a delta'));
    expect(await rows(connection, 'SELECT profile_uuid FROM people')).toEqual([{ profile_uuid: 'two' }]);
  });

  it('DuckDB reads every gzip member of a file', async () => {
    const connection = await open();
    const members = ['one', 'two'].map((uuid) => gzipSync(`{"change":"added","profile_uuid":"${uuid}"}\n`));
    await writeFile(join(folder, 'members.jsonl.gz'), Buffer.concat(members));
    await load(connection, 'members.jsonl.gz');
    expect(await rows(connection, 'SELECT profile_uuid FROM people_delta')).toEqual([
      { profile_uuid: 'one' },
      { profile_uuid: 'two' },
    ]);
  });

  /** The rows of a file as Athena's view selects them, over a table that has what Athena would know of all files. */
  const athena = async (connection: DuckDBConnection, file: string) => {
    await connection.run(
      `CREATE VIEW people_files AS SELECT *, 's3://${BUCKET}/' || substr(filename, ${folder.length + 2}) AS "$path"
         FROM read_json('people/*/*.jsonl.gz', hive_types_autocast = false, filename = true)`,
    );
    await connection.run('DROP TABLE people_delta');
    const view = blocksOf(page, 'Athena', 'sql')[2] ?? '';
    const [date = ''] = /\d{4}-\d\d-\d\d/.exec(file) ?? [];
    await connection.run(view.replaceAll(EXAMPLE, file).replaceAll('2026-11-30', date));
    return rows(connection, 'SELECT * FROM people_delta');
  };
});
