import { parse } from 'csv-parse/sync';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ReportDeps } from '../../shared/imports/reports/list-report.ts';
import { type ImportHarness, withDefinition } from './import-harness.ts';

const rowsOf = (text: string): string[][] => parse(text, {});

/** A clock by which every request has used up its time at once. */
const hurried = () => {
  let now = 0;
  return () => (now += 60_000);
};

const asking = (harness: ImportHarness, importId: number, job: number) => ({
  harness,
  job,
  ask: (query: object, changed?: Partial<ReportDeps> & { readonly head?: boolean }) =>
    harness.download(importId, job, query, changed),
});
type Job = ReturnType<typeof asking>;

/** An open job with so many batches of refused rows. */
const refusingJob = async (batches: number, rows: number): Promise<Job> => {
  const { harness, id } = await withDefinition();
  const job = await harness.openJob(id);
  await refuse(harness, job.id, batches, rows);
  return asking(harness, id, job.id);
};

const refuse = async (harness: ImportHarness, job: number, batches: number, rows: number): Promise<void> => {
  for (let batch = 0; batch < batches; batch += 1)
    await harness.store(
      job,
      Array.from({ length: rows }, (_, row) => ({ email: `bad ${batch} ${row}` })),
    );
};

const whole = { format: 'csv' };
const isFile = (key: string): boolean => key.startsWith('lists/') && key.endsWith('.csv');
const queryOf = (location: string | undefined): object =>
  Object.fromEntries(new URL(location ?? '').searchParams);

/** Follows redirects as `curl -L` does, from a query on; answers the file and the number of answers. */
const follow = async ({ harness, ask }: Job, changed: Partial<ReportDeps> = {}, from: object = whole) => {
  let query = from;
  for (let hops = 1; hops < 200; hops += 1) {
    const { status, headers } = await ask(query, changed);
    expect(status).toBe(303);
    const url = new URL(headers?.['location'] ?? '');
    if (url.host === 'objects.invalid') {
      const bytes = await harness.work.get(url.pathname.slice(1));
      return { hops, text: Buffer.from(bytes ?? []).toString('utf8') };
    }
    query = Object.fromEntries(url.searchParams);
  }
  throw new Error('too many redirects');
};

describe('the whole list, when it is longer than an answer may be', () => {
  let made: Job;
  /** The file of the job, written by one request, and its rows. */
  let text: string;
  let lines: string[][];

  /** More than Lambda's 6 MB, and more than one part of a file in S3. */
  beforeAll(async () => {
    const { harness, id } = await withDefinition();
    const rows = Array.from({ length: 3_000 }, (_, n) => `bad${n},"=${'x'.repeat(6_000)}\n,""é"\n`);
    const { id: job } = await harness.runFile(id, `email,first_name\n${rows.join('')}`);
    made = asking(harness, id, job);
    const { hops, text: file } = await follow(made);
    expect(hops).toBe(1);
    text = file;
    lines = rowsOf(file);
  });

  /** No file is written yet. */
  beforeEach(async () => {
    const { work } = made.harness;
    for (const key of await work.list('lists/')) await work.remove(key);
  });

  it('is a file behind 303, the same as all its pages one after the other', async () => {
    expect(Buffer.byteLength(text)).toBeGreaterThan(2 * 8 * 1024 * 1024);
    expect(lines).toHaveLength(3_001);
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
    const first = await follow(made, { clock: hurried() });
    // One for each batch: a request with no time left reads one report all the same.
    expect(first.hops).toBe((await made.harness.deps.imports.batches(7, made.job)).length);
    expect(first.text === text).toBe(true);
    expect((await follow(made)).text === text).toBe(true);
    expect(made.harness.work.keys().filter((key) => isFile(key))).toHaveLength(1);
  });

  it('is a file of its own in each style', async () => {
    const { text: plain } = await follow(made, { clock: hurried() });
    const { text: marked } = await follow(made, {}, { ...whole, bom: 'true' });
    expect(plain === text).toBe(true);
    expect(marked === `\ufeff${plain}`).toBe(true);
    const style = { ...whole, delimiter: 'semicolon', bom: 'true' };
    const { text: styled } = await follow(made, { clock: hurried() }, style);
    expect(parse(styled, { bom: true, delimiter: ';' })).toEqual(lines);
    expect(styled.lastIndexOf('\ufeff')).toBe(0);
    expect(made.harness.work.keys().filter((key) => isFile(key))).toHaveLength(3);
  });

  it('goes on from a redirect that is followed twice', async () => {
    const { headers } = await made.ask(whole, { clock: hurried() });
    const query = queryOf(headers?.['location']);
    for (let time = 0; time < 2; time += 1) {
      const { status, headers: last } = await made.ask(query);
      expect([status, new URL(last?.['location'] ?? '').host]).toEqual([303, 'objects.invalid']);
    }
    const [key = ''] = made.harness.work.keys().filter((key) => isFile(key));
    const file = Buffer.from((await made.harness.work.get(key)) ?? []).toString('utf8');
    expect(file === text).toBe(true);
  });
});

describe('the whole list of very many batches', () => {
  it('gets further with each request, also in the middle of a part of the file', async () => {
    const made = await refusingJob(40, 26);
    const slow = await follow(made, { clock: hurried() });
    expect(slow.hops).toBe(40);
    const fast = await follow(made);
    expect([fast.hops, fast.text === slow.text]).toEqual([1, true]);
    expect(rowsOf(slow.text)).toHaveLength(40 * 26 + 1);
  });

  it('is read many reports at once, and none twice', async () => {
    const made = await refusingJob(40, 26);
    const { work } = made.harness;
    const read: string[] = [];
    let [atOnce, most] = [0, 0];
    const counting = {
      put: work.put.bind(work),
      head: work.head.bind(work),
      presignGet: work.presignGet.bind(work),
      get: async (key: string) => {
        if (key.startsWith('refused/')) read.push(key);
        most = Math.max(most, (atOnce += 1));
        await Promise.resolve();
        atOnce -= 1;
        return work.get(key);
      },
    };
    await follow(made, { work: counting });
    expect([most, read.length, new Set(read).size]).toEqual([16, 40, 40]);
  });

  it('holds what was reported when the download began, whatever finishes meanwhile', async () => {
    const made = await refusingJob(5, 250);
    const { headers } = await made.ask(whole, { clock: hurried() });
    const begun = queryOf(headers?.['location']);
    const before = await made.ask({ format: 'csv', limit: '1000' });
    await refuse(made.harness, made.job, 2, 10);
    for (let time = 0; time < 2; time += 1) {
      const { text } = await follow(made, { clock: hurried() }, begun);
      expect(text.startsWith(String(before.body))).toBe(true);
      expect(rowsOf(text)).toHaveLength(5 * 250 + 1);
    }
    expect(rowsOf((await follow(made)).text)).toHaveLength(5 * 250 + 2 * 10 + 1);
  });

  it('is not written for HEAD, at its address or at that of its redirect', async () => {
    const made = await refusingJob(2, 600);
    const before = made.harness.work.keys();
    const head = { status: 303, headers: { 'referrer-policy': 'no-referrer' } };
    expect(await made.ask(whole, { head: true })).toEqual(head);
    expect(made.harness.work.keys()).toEqual(before);
    const { headers } = await made.ask(whole, { clock: hurried() });
    const begun = made.harness.work.keys();
    expect(await made.ask(queryOf(headers?.['location']), { head: true })).toEqual(head);
    expect(made.harness.work.keys()).toEqual(begun);
  });
});
