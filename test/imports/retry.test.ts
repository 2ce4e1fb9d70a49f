import { describe, expect, it } from 'vitest';
import { LINE_END } from '../../shared/csv/print-line.ts';
import { retryImportJob } from '../../shared/imports/retry/retry-import-job.ts';
import { batchAnswer } from '../../shared/imports/schemas/batch-schemas.ts';
import { withDefinition } from './import-harness.ts';
import { answered } from '../support/requests.ts';
import {
  asking,
  codesOf,
  countsOf,
  download,
  edited,
  errorsOf,
  fromFile,
  retried,
  retry,
} from './retry-harness.ts';
import { definitionOf } from '../support/field-map.ts';

describe('refused rows of a file, sent again', () => {
  const file = 'no,email,first_name\n1,a@x.org,A\n2,bad,"=x, ""y""\nz"\n3,worse,C\n4,"c"d,e\n';
  const mend = (row: string[]): string[] | undefined => {
    const [no, email = ''] = row;
    if (no === '2') return ['2', 'b@x.org', ...row.slice(2)];
    return email === 'worse' ? ['3', 'worst', ...row.slice(2)] : undefined;
  };

  it('count once each, the mended stored and the others refused again; the job reopens and ends', async () => {
    const place = await fromFile(file);
    expect(await countsOf(place)).toMatchObject({ ingested: 4, completed: 1, unserializable: 3 });
    const batch = await retried(place, edited(await download(place), mend));
    expect(batch.import_job.counts).toEqual({
      status: 'ingestion-complete',
      ingested: 4,
      serialized: 3,
      unserializable: 1,
      processing: 2,
      completed: 1,
      failed: 0,
    });
    expect(await countsOf(place)).toMatchObject({ status: 'processing', processing: 2 });
    await place.harness.workOff();
    expect(await countsOf(place)).toMatchObject({
      status: 'complete-with-errors',
      ingested: 4,
      serialized: 2,
      unserializable: 2,
      completed: 2,
      processing: 0,
    });
    expect(await place.harness.people()).toEqual([
      ['a@x.org', 'A'],
      ['b@x.org', '=x, "y"\nz'],
    ]);
    const left = await errorsOf(place);
    expect(left.map(({ row, line, code, record }) => [row, line, code, record]).toSorted()).toEqual([
      [3, 5, 'not_an_email', '3,worst,C'],
      [4, 6, 'text_after_quote', '4,"c"d,e'],
    ]);
  });

  it('are taken no longer once the definition is deleted', async () => {
    const place = await fromFile(file);
    const csv = edited(await download(place), mend);
    expect(await place.harness.remove(place.importId)).toMatchObject({ ok: true });
    expect(await retry(place, csv)).toMatchObject({ ok: false, error: { status: 404 } });
  });

  it('can be sent until none is left: the job is complete then', async () => {
    const place = await fromFile(file);
    await retried(place, edited(await download(place), mend));
    await place.harness.workOff();
    const all = edited(await download(place), ([no = '', , , ...rest]) => [
      no.slice(0, 1),
      `n${no.slice(0, 1)}@x.org`,
      'N',
      ...rest,
    ]);
    await retried(place, `\ufeff${all}`);
    await place.harness.workOff();
    expect(await countsOf(place)).toMatchObject({
      status: 'complete',
      ingested: 4,
      completed: 4,
      unserializable: 0,
    });
    expect(await errorsOf(place)).toEqual([]);
    expect(await place.harness.people()).toHaveLength(4);
  });

  it.each([
    ['a line that states the commas', ',', (csv: string) => `sep=,${LINE_END}${csv}`],
    ['a line that states the semicolons', ';', (csv: string) => `"sep=;"${LINE_END}${csv}`],
    ['an empty column behind the last', ',', (csv: string) => csv.replaceAll('\r\n', ',\r\n')],
    ['empty cells behind the last row', ';', (csv: string) => csv.replace(/\r\n$/, ';;;\r\n')],
  ] as const)('may come back from a spreadsheet with %s', async (_, delimiter, saved) => {
    const place = await fromFile(file);
    await retried(place, saved(edited(await download(place), mend, delimiter)));
    await place.harness.workOff();
    expect(await countsOf(place)).toMatchObject({ ingested: 4, completed: 2, unserializable: 2 });
    expect(await place.harness.people()).toEqual([
      ['a@x.org', 'A'],
      ['b@x.org', '=x, "y"\nz'],
    ]);
  });

  it('are refused when they were sent before, are twice in the list, or were never refused', async () => {
    const place = await fromFile(file);
    const csv = edited(await download(place), mend);
    await retried(place, csv);
    for (let time = 0; time < 2; time += 1) {
      expect(await codesOf(place, csv)).toEqual(['/csv not_refused', '/csv not_refused']);
      await place.harness.workOff();
    }
    const twice = edited(await download(place), () => undefined);
    const [last = ''] = (await download(place)).split(LINE_END).slice(1);
    expect(await codesOf(place, `${twice}${last}${LINE_END}${last}${LINE_END}`)).toEqual(['/csv duplicate']);
    expect(
      await codesOf(
        place,
        edited(await download(place), (row) => row.with(4, '1')),
      ),
    ).toContain('/csv not_refused');
    expect(await countsOf(place)).toMatchObject({ ingested: 4, completed: 2 });
  });

  it('by two at once are sent once', async () => {
    const place = await fromFile(file);
    const csv = edited(await download(place), mend);
    const answers = await Promise.all([retry(place, csv), retry(place, csv)]);
    expect(answers.map(({ ok }) => ok).toSorted()).toEqual([false, true]);
    await place.harness.workOff();
    expect(await countsOf(place)).toMatchObject({ ingested: 4, completed: 2 });
  });

  it('again under the same key, after a crash at any step, are one batch', async () => {
    for (const step of ['put', 'send'] as const) {
      const place = await fromFile(file);
      const asked = asking(place, edited(await download(place), mend));
      const { deps } = place.harness;
      const killed = () => Promise.reject(new Error('killed'));
      const get = deps.work.get.bind(deps.work);
      const put = step === 'put' ? killed : deps.work.put.bind(deps.work);
      const batches = step === 'send' ? { send: killed } : deps.batches;
      await expect(retryImportJob({ ...deps, work: { get, put }, batches }, asked)).rejects.toThrow('killed');
      const first = await answered(retryImportJob(deps, asked), batchAnswer);
      const second = await answered(retryImportJob(deps, asked), batchAnswer);
      expect(second.batch_job_uuid).toBe(first.batch_job_uuid);
      await place.harness.workOff();
      expect(await countsOf(place)).toMatchObject({ ingested: 4, completed: 2, unserializable: 2 });
    }
  });

  it('do not bring back what was no text', async () => {
    const { harness, id: importId } = await withDefinition();
    const latin = Buffer.from('email,first_name\na@x.org,Zo\xeb\n', 'latin1');
    const { id: job } = await harness.runFile(importId, latin);
    const place = { harness, importId, job };
    await retried(place, await download(place));
    await harness.workOff();
    expect(await errorsOf(place)).toMatchObject([{ row: 1, code: 'wrong_encoding' }]);
    await retried(
      place,
      edited(await download(place), (row) => row.with(1, 'Zoë')),
    );
    await harness.workOff();
    expect(await harness.people()).toEqual([['a@x.org', 'Zoë']]);
  });

  it('move out of failed when they were valid and could not be stored', async () => {
    const likes = (from: number) => Array.from({ length: 3_000 }, (_, index) => `${from + index}`).join(';');
    const mapping = definitionOf(['email', 'social_likes'], { max_new_segments: null });
    const { harness, id: importId } = await withDefinition(mapping);
    await harness.runFile(importId, `email,social_likes\na@x.org,${likes(0)}\n`);
    const { id: job } = await harness.runFile(importId, `email,social_likes\na@x.org,${likes(3_000)}\nb,\n`);
    const place = { harness, importId, job };
    expect(await countsOf(place)).toMatchObject({ serialized: 1, unserializable: 1, failed: 1 });
    const mended = edited(await download(place), ([email = '', , ...rest]) => [
      `${email}2@x.org`.slice(-7),
      '',
      ...rest,
    ]);
    await retried(place, mended);
    await harness.workOff();
    expect(await countsOf(place)).toMatchObject({
      status: 'complete',
      ingested: 2,
      serialized: 2,
      unserializable: 0,
      completed: 2,
      failed: 0,
    });
  });
});
