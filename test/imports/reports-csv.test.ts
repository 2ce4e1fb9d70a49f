import { parse } from 'csv-parse/sync';
import { describe, expect, it } from 'vitest';
import { listImportWarnings } from '../../shared/imports/reports/list-report.ts';
import { withDefinition, ranFile } from './import-harness.ts';

const rowsOf = (body: unknown): string[][] => parse(typeof body === 'string' ? body : '', {});

describe('the list of refused rows as CSV', () => {
  it('has the columns of the file and the reason, and can be mended and sent again', async () => {
    const { harness, id } = await withDefinition();
    const file = 'no,email,first_name\n1,a@x.org,A\n2,bad,"x, ""y""\nz"\n3,"c"d,e\n4,,"=cmd()"\n5,+1-1,-\n';
    const job = await harness.runFile(id, file);
    const [batch] = await harness.deps.imports.batches(7, job.id);
    const { status, headers, body } = await harness.download(id, job.id);
    expect(status).toBe(200);
    expect(headers?.['content-type']).toBe('text/csv; charset=utf-8');
    expect(headers?.['content-disposition']).toBe(`attachment; filename="import-${job.id}-errors.csv"`);
    const rows = rowsOf(body);
    const reasons = ['batch_job_uuid', 'row', 'line', 'field', 'column', 'code', 'message'];
    expect(rows[0]).toEqual(['no', 'email', 'first_name', ...reasons]);
    expect(rows.slice(1).map((row) => row[3])).toEqual(Array.from({ length: 4 }, () => batch?.uuid));
    expect(rows.slice(1).map((row) => [...row.slice(0, 3), ...row.slice(4, 9)])).toEqual([
      ['2', 'bad', 'x, "y"\nz', '2', '3', 'email', 'email', 'not_an_email'],
      ['3,"c"d,e', '', '', '3', '5', '', '', 'text_after_quote'],
      ['4', '', "'=cmd()", '4', '6', 'email', 'email', 'required'],
      ['5', '+1-1', '-', '5', '7', 'email', 'email', 'not_an_email'],
    ]);
  });

  it('keeps the cells of a row that has more cells than the header', async () => {
    const { harness, id, job } = await ranFile('no,email,first_name\n1,a@x.org,A,more,"and, more"\n');
    const [, row = []] = rowsOf((await harness.download(id, job.id)).body);
    expect([...row.slice(0, 3), row[8]]).toEqual(['1', 'a@x.org', 'A,more,and, more', 'too_many_cells']);
  });

  it('keeps formulas apart, also behind a line feed and behind another separator', async () => {
    const { harness, id, job } = await ranFile('no,email,first_name\n"\n=1+1",bad,x;=cmd\n');
    const { body } = await harness.download(id, job.id);
    expect(String(body)).toContain('\r\n"\'\n=1+1",bad,"x;=cmd",');
  });

  it('has the delimiter and the byte order mark that a spreadsheet needs, on its first page only', async () => {
    const { harness, id, job } = await ranFile('no,email,first_name\n1,"a;b",Zoë\n2,"c,d",E\n');
    const style = { delimiter: 'semicolon', bom: 'true' } as const;
    const whole = String((await harness.download(id, job.id, style)).body);
    expect(whole.startsWith('\ufeffno;email;first_name;batch_job_uuid;row;')).toBe(true);
    expect(parse(whole, { bom: true, delimiter: ';' }).map((cells) => cells.slice(0, 3))).toEqual([
      ['no', 'email', 'first_name'],
      ['1', 'a;b', 'Zoë'],
      ['2', 'c,d', 'E'],
    ]);
    const first = await harness.download(id, job.id, { ...style, limit: '1' });
    const link = /^<(.*)>; rel="next"$/.exec(first.headers?.['link'] ?? '')?.[1] ?? '';
    const next = Object.fromEntries(new URL(link).searchParams);
    const second = await harness.download(id, job.id, next);
    expect(`${String(first.body)}${String(second.body)}`).toBe(whole);
    const other = { format: 'csv', cursor: next['cursor'] };
    expect(await harness.askReport(id, job.id, other)).toMatchObject({ error: { status: 400 } });
  });

  it('of a batch has the records as they were sent', async () => {
    const { harness, id } = await withDefinition();
    const job = await harness.openJob(id);
    await harness.store(job.id, [{ email: '=1' }, 'x']);
    const rows = rowsOf((await harness.download(id, job.id)).body);
    expect(rows.map(([record, , row]) => [record, row])).toEqual([
      ['record', 'row'],
      ['{"email":"=1"}', '1'],
      ['"x"', '2'],
    ]);
  });

  it('goes on behind a link, the header only once', async () => {
    const { harness, id, job } = await ranFile('email,first_name\nbad1,\nbad2,\nbad3,\n');
    const first = await harness.download(id, job.id, { limit: '2' });
    const link = /^<(.*)>; rel="next"$/.exec(first.headers?.['link'] ?? '')?.[1] ?? '';
    const query = Object.fromEntries(new URL(link).searchParams);
    expect(query).toMatchObject({ format: 'csv', limit: '2' });
    const second = await harness.download(id, job.id, query);
    expect(rowsOf(first.body).map(([email]) => email)).toEqual(['email', 'bad1', 'bad2']);
    expect(rowsOf(second.body).map(([email]) => email)).toEqual(['bad3']);
    expect(second.headers?.['link']).toBeUndefined();
  });
});

it('the list of warnings as CSV has the rows and what is to be said of them', async () => {
  const { harness, id } = await withDefinition();
  const job = await harness.openJob(id);
  const records = ['mum', 'dad'].map((unique_id) => ({ unique_id, email: 'family@x.org' }));
  const { batch_job_uuid: uuid } = await harness.store(job.id, records);
  const { headers, body } = await harness.download(id, job.id, {}, { list: listImportWarnings });
  expect(headers?.['content-disposition']).toBe(`attachment; filename="import-${job.id}-warnings.csv"`);
  const message = 'The email belongs to another profile and was not stored.';
  expect(rowsOf(body)).toEqual([
    ['record', 'batch_job_uuid', 'row', 'line', 'field', 'column', 'code', 'message'],
    [JSON.stringify(records[1]), uuid, '2', '', 'email', '', 'identity_conflict', message],
  ]);
});
