import { parse } from 'csv-parse/sync';
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { reportQuery } from '../../shared/imports/schemas.ts';
import { listImportErrors, listImportWarnings } from '../../shared/imports/reports-api.ts';
import {
  define,
  type ImportWorld,
  importWorld,
  openJob,
  request,
  runFile,
  send,
  workOff,
} from './import-world.ts';

const download = async (
  world: ImportWorld,
  importId: number,
  job: number,
  { limit, list = listImportErrors }: { limit?: number; list?: typeof listImportErrors } = {},
) => {
  const answer = await list(
    world.deps,
    request({ import_id: importId, job_id: job }, { format: 'csv', limit }, undefined),
  );
  if (!answer.ok) throw new Error(answer.error.code);
  return answer.value;
};

const rowsOf = (body: unknown): string[][] => parse(typeof body === 'string' ? body : '', {});

describe('the list of refused rows as CSV', () => {
  it('has the columns of the file and the reason, and can be mended and sent again', async () => {
    const world = importWorld();
    const { id } = await define(world);
    const file = 'no,email,first_name\n1,a@x.org,A\n2,bad,"x, ""y""\nz"\n3,"c"d,e\n4,,"=cmd()"\n5,+1-1,-\n';
    const job = await runFile(world, id, file);
    const [batch] = await world.deps.imports.batches(7, job.id);
    const { status, headers, body } = await download(world, id, job.id);
    expect(status).toBe(200);
    expect(headers?.['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers?.['content-disposition']).toBe(`attachment; filename="import-${job.id}-errors.csv"`);
    const rows = rowsOf(body);
    const reasons = ['batch_job_uuid', 'row', 'line', 'field', 'code', 'message'];
    expect(rows[0]).toEqual(['no', 'email', 'first_name', ...reasons]);
    expect(rows.slice(1).map((row) => row[3])).toEqual(Array.from({ length: 4 }, () => batch?.uuid));
    expect(rows.slice(1).map((row) => [...row.slice(0, 3), ...row.slice(4, 8)])).toEqual([
      ['2', 'bad', 'x, "y"\nz', '2', '3', 'email', 'not_an_email'],
      ['3,"c"d,e', '', '', '3', '5', '', 'text_after_quote'],
      ['4', '', "'=cmd()", '4', '6', 'email', 'required'],
      ['5', '+1-1', '-', '5', '7', 'email', 'not_an_email'],
    ]);
  });

  it('keeps formulas apart, also behind a line feed and behind another separator', async () => {
    const world = importWorld();
    const { id } = await define(world);
    const job = await runFile(world, id, 'no,email,first_name\n"\n=1+1",bad,x;=cmd\n');
    const { body } = await download(world, id, job.id);
    expect(String(body)).toContain('\r\n"\'\n=1+1",bad,"x;=cmd",');
  });

  it('of a batch has the records as they were sent', async () => {
    const world = importWorld();
    const { id } = await define(world);
    const job = await openJob(world, id);
    await send(world, job.id, [{ email: '=1' }, 'x']);
    await workOff(world);
    const rows = rowsOf((await download(world, id, job.id)).body);
    expect(rows.map(([record, , row]) => [record, row])).toEqual([
      ['record', 'row'],
      ['{"email":"=1"}', '1'],
      ['"x"', '2'],
    ]);
  });

  it('goes on behind a link, the header only once', async () => {
    const world = importWorld();
    const { id } = await define(world);
    const job = await runFile(world, id, 'email,first_name\nbad1,\nbad2,\nbad3,\n');
    const first = await download(world, id, job.id, { limit: 2 });
    const link = /^<(.*)>; rel="next"$/.exec(first.headers?.['link'] ?? '')?.[1] ?? '';
    const query = Object.fromEntries(new URL(link).searchParams);
    expect(query).toMatchObject({ format: 'csv', limit: '2' });
    const answer = await listImportErrors(
      world.deps,
      request(
        { import_id: id, job_id: job.id },
        { format: 'csv' as const, limit: 2, cursor: query['cursor'] },
        undefined,
      ),
    );
    expect(rowsOf(first.body).map(([email]) => email)).toEqual(['email', 'bad1', 'bad2']);
    expect(answer.ok && rowsOf(answer.value.body).map(([email]) => email)).toEqual(['bad3']);
    expect(answer.ok && answer.value.headers?.['link']).toBeUndefined();
  });
});

it('the list of warnings as CSV has the rows and what is to be said of them', async () => {
  const world = importWorld();
  const { id } = await define(world);
  const job = await openJob(world, id);
  const records = ['mum', 'dad'].map((unique_id) => ({ unique_id, email: 'family@x.org' }));
  const { batch_job_uuid: uuid } = await send(world, job.id, records);
  await workOff(world);
  const { headers, body } = await download(world, id, job.id, { list: listImportWarnings });
  expect(headers?.['content-disposition']).toBe(`attachment; filename="import-${job.id}-warnings.csv"`);
  const message = 'The email belongs to another profile and was not stored.';
  expect(rowsOf(body)).toEqual([
    ['record', 'batch_job_uuid', 'row', 'line', 'field', 'code', 'message'],
    [JSON.stringify(records[1]), uuid, '2', '', 'email', 'identity_conflict', message],
  ]);
});

describe('the whole list, when it is longer than an answer may be', () => {
  /** More than Lambda's 6 MB, and more than one part of a file in S3. */
  const longJob = async () => {
    const world = importWorld();
    const { id } = await define(world);
    const rows = Array.from({ length: 3_000 }, (_, n) => `bad${n},"=${'x'.repeat(6_000)}\n,""é"\n`);
    const { id: job } = await runFile(world, id, `email,first_name\n${rows.join('')}`);
    const ask = async (query: object, clock = world.deps.clock) => {
      const asked = request({ import_id: id, job_id: job }, v.parse(reportQuery, query), undefined);
      const answer = await listImportErrors({ ...world.deps, clock }, asked);
      if (!answer.ok) throw new Error(answer.error.code);
      return answer.value;
    };
    return { world, job, ask };
  };
  type Job = Awaited<ReturnType<typeof longJob>>;

  /** Follows redirects as `curl -L` does; answers the file and the number of answers. */
  const follow = async ({ world, ask }: Job, clock?: () => number) => {
    let query: object = { format: 'csv' };
    for (let hops = 1; hops < 50; hops += 1) {
      const { status, headers } = await ask(query, clock);
      expect(status).toBe(303);
      const url = new URL(headers?.['location'] ?? '');
      if (url.host === 'objects.invalid') {
        const bytes = await world.work.get(url.pathname.slice(1));
        return { hops, text: Buffer.from(bytes ?? []).toString('utf8') };
      }
      query = Object.fromEntries(url.searchParams);
    }
    throw new Error('too many redirects');
  };

  it('is a file behind 303, the same as all its pages one after the other', async () => {
    const made = await longJob();
    const { hops, text } = await follow(made);
    expect(hops).toBe(1);
    expect(Buffer.byteLength(text)).toBeGreaterThan(2 * 8 * 1024 * 1024);
    expect(rowsOf(text)).toHaveLength(3_001);
    const pages: string[] = [];
    for (let query: object | undefined = { format: 'csv', limit: '500' }; query;) {
      const { body, headers } = await made.ask(query);
      pages.push(String(body));
      const link = /^<(.*)>; rel="next"$/.exec(headers?.['link'] ?? '')?.[1];
      query = link === undefined ? undefined : Object.fromEntries(new URL(link).searchParams);
    }
    expect(text === pages.join('')).toBe(true);
  });

  it('is written over several requests when one is too short, and again when it is asked for again', async () => {
    const made = await longJob();
    let now = 0;
    const slow = () => (now += 60_000);
    const first = await follow(made, slow);
    expect(first.hops).toBe(2);
    expect((await follow(made)).text === first.text).toBe(true);
    expect(made.world.work.keys().filter((key) => key.startsWith('lists/'))).toHaveLength(1);
  });

  it('goes on from a redirect that is followed twice', async () => {
    const made = await longJob();
    let now = 0;
    const { headers } = await made.ask({ format: 'csv' }, () => (now += 60_000));
    const query = Object.fromEntries(new URL(headers?.['location'] ?? '').searchParams);
    for (let time = 0; time < 2; time += 1) {
      const { status, headers: last } = await made.ask(query);
      expect([status, new URL(last?.['location'] ?? '').host]).toEqual([303, 'objects.invalid']);
    }
    const [key = ''] = made.world.work.keys().filter((each) => each.startsWith('lists/'));
    const file = Buffer.from((await made.world.work.get(key)) ?? []).toString('utf8');
    expect(rowsOf(file)).toHaveLength(3_001);
  });
});
