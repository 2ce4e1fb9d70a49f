/** A client that is interrupted may close half a file in good order, as OpenSSH's sftp does after Ctrl-C. */
import { describe, expect, it } from 'vitest';
import { simpleDefinition, ranFile } from './import-harness.ts';

const imported = async (file: Buffer | string, more: object = {}) => {
  const { harness, id, job } = await ranFile(file, { ...simpleDefinition, ...more });
  return { harness, job, listed: await harness.readWarnings(id, job.id) };
};

describe('a file whose last row no line break ends', () => {
  it.each([
    ['LF', 'email,first_name\na@x.org,A\n\nb@x.org,Bea', 4],
    ['CRLF', 'email,first_name\r\na@x.org,A\r\nb@x.org,Bea', 3],
    ['a cell of several lines before it', 'email,first_name\na@x.org,"A\nB"\nb@x.org,Bea', 4],
  ])('is imported, and its job warns (%s)', async (_, file, line) => {
    const { harness, job, listed } = await imported(file);
    expect(job).toMatchObject({ failure: null, counts: { status: 'complete', completed: 2 } });
    expect(job.warnings).toMatchObject([{ code: 'unterminated_last_row', row: 2, line }]);
    expect(listed.warnings).toEqual([
      {
        ...job.warnings[0],
        batch_job_uuid: null,
        file: 'visitors.csv',
        record: null,
      },
    ]);
    expect(await harness.people()).toHaveLength(2);
  });

  it('in UTF-16 too, also when it breaks off inside a character', async () => {
    const bytes = Buffer.from('email,first_name\na@x.org,A\nb@x.org,B', 'utf16le');
    const { job } = await imported(bytes, { encoding: 'utf-16le' });
    expect(job.warnings).toMatchObject([{ row: 2, line: 3 }]);
    const { job: broken } = await imported(bytes.subarray(0, -1), { encoding: 'utf-16le' });
    expect(broken.warnings).toMatchObject([{ row: 2, line: 3 }]);
  });
});

describe('a file whose last row ends', () => {
  it.each(['a@x.org,A\n', 'a@x.org,A\r\n', 'a@x.org,A\n\n', ''])('warns of nothing (%j)', async (rows) => {
    const { job, listed } = await imported(`email,first_name\n${rows}`);
    expect([job.warnings, listed.warnings]).toEqual([[], []]);
  });
});
