import { describe, expect, it } from 'vitest';
import { begin, withDefinition } from './import-harness.ts';
import { codesOf, countsOf, download, edited, errorsOf, fromFile, retried, retry } from './retry-harness.ts';

describe('refused records of batches, sent again', () => {
  it('are known by their batch and number, and are mended as JSON', async () => {
    const place = await begin();
    await place.harness.send(place.job, [{ email: 'bad' }, { email: 'a@x.org' }]);
    await place.harness.store(place.job, [{ email: 'worse', first_name: 'B' }]);
    const csv = edited(await download(place), ([record = '', ...rest]) => [
      record.replace(/bad|worse/, 'b@x.org'),
      ...rest,
    ]);
    await retried(place, csv);
    await place.harness.workOff();
    expect(await countsOf(place)).toMatchObject({ status: 'complete', ingested: 3, completed: 3 });
    expect(await place.harness.people()).toEqual([
      ['a@x.org', null],
      ['b@x.org', 'B'],
    ]);
  });

  it('that are no JSON are refused again and can be sent again, by new numbers', async () => {
    const place = await begin();
    await place.harness.store(place.job, [{ email: 'bad' }, { email: 'bad too' }]);
    await retried(
      place,
      edited(await download(place), (row) => row.with(0, '{oops')),
    );
    await place.harness.workOff();
    expect((await errorsOf(place)).map(({ row, code, record }) => [row, code, record])).toEqual([
      [1, 'invalid', '{oops'],
      [2, 'invalid', '{oops'],
    ]);
    await retried(
      place,
      edited(await download(place), ([, ...rest]) => [`{"email":"p${rest[1] ?? ''}@x.org"}`, ...rest]),
    );
    await place.harness.workOff();
    expect(await countsOf(place)).toMatchObject({ status: 'complete', ingested: 2, completed: 2 });
  });

  it('keep what their batch was told of appends; those of others go apart', async () => {
    const place = await begin();
    const third = { email: 'x', first_name: 'T', attribute_source: 'third_party' };
    const { batch_job_uuid: skipping } = await place.harness.send(place.job, [third], {
      skip_appends: true,
    });
    await place.harness.store(place.job, [third]);
    const csv = edited(await download(place), ([record = '', ...rest]) => [
      record.replace('"x"', '"a@x.org"'),
      ...rest,
    ]);
    expect(await codesOf(place, csv)).toEqual(['/csv mixed_batches']);
    const apart = edited(csv, (row) => (row[1] === skipping ? row : undefined));
    expect((await retried(place, apart)).skip_appends).toBe(true);
    await place.harness.workOff();
    expect(await place.harness.people()).toEqual([['a@x.org', null]]);
  });

  it('do not lie in the open: a token that is hidden is not sent again', async () => {
    const place = await begin();
    await place.harness.store(place.job, [{ email: 'bad', social_token: 'secret-token' }]);
    const csv = await download(place);
    expect(csv).toContain('[hidden]');
    await retried(
      place,
      edited(csv, (row) => row.with(0, row[0]?.replace('bad', 'a@x.org') ?? '')),
    );
    for (const key of place.harness.work.keys())
      expect(Buffer.from((await place.harness.work.get(key)) ?? []).toString()).not.toContain('a@x.org');
    await place.harness.workOff();
    expect(await countsOf(place)).toMatchObject({ status: 'complete', completed: 1 });
    expect(place.harness.enrichments.take()).toEqual([]);
  });
});

describe('a retry is refused', () => {
  it.each([
    ['a line of other columns', 'email,first_name\r\na,b\r\n', 'wrong_header'],
    ['nothing', '\r\n', 'wrong_header'],
    ['a header alone', 'email,first_name,batch_job_uuid,row,line,field,column,code,message\r\n', 'no_rows'],
    [
      'a row without number',
      'email,first_name,batch_job_uuid,row,line,field,column,code,message\r\na,b\r\n',
      'no_row',
    ],
    [
      'a stray quote',
      'email,first_name,batch_job_uuid,row,line,field,column,code,message\r\na"b,b,u,1,,,,,\r\n',
      'bad_csv',
    ],
    [
      'an open quote',
      'email,first_name,batch_job_uuid,row,line,field,column,code,message\r\n"ab,b,u,1,,,,,\r\n',
      'bad_csv',
    ],
    [
      'too many cells',
      'email,first_name,batch_job_uuid,row,line,field,column,code,message\r\na,b,u,1,,,,,,x\r\n',
      'too_many_cells',
    ],
    [
      'an unknown batch',
      'email,first_name,batch_job_uuid,row,line,field,column,code,message\r\na,b,u,1,,,,,\r\n',
      'not_refused',
    ],
  ])('for %s', async (_, csv, code) => {
    const place = await fromFile('email,first_name\nbad,A\n');
    expect(await codesOf(place, csv)).toEqual([`/csv ${code}`]);
    expect(place.harness.batches.take()).toEqual([]);
    expect(await countsOf(place)).toMatchObject({ status: 'complete-with-errors', unserializable: 1 });
  });

  it('while the file is read, after it has failed, and after it was cancelled', async () => {
    const { harness, id: importId } = await withDefinition();
    const { job } = await harness.upload(importId, 'email,first_name\nbad,A\n');
    expect(await retry({ harness, importId, job }, 'x')).toMatchObject({
      error: { status: 409, code: 'still_reading' },
    });
    const failed = await harness.runFile(importId, 'email\n');
    expect(await retry({ harness, importId, job: failed.id }, 'x')).toMatchObject({
      error: { status: 409, code: 'job_closed' },
    });
    await harness.cancel(importId, job);
    expect(await retry({ harness, importId, job }, 'x')).toMatchObject({
      error: { status: 409, code: 'job_closed' },
    });
    expect(await retry({ harness, importId, job: 1 }, 'x')).toMatchObject({ error: { status: 404 } });
  });
});
