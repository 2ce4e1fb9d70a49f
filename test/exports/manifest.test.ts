import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newPgpKey, publicText } from '../support/pgp-keys.ts';
import { fileOf, manifestOf, path, ref, runAll, withPeople, writeParts, jobRef, runNext } from './steps.ts';
import { bodyOf, type ExportsHarness, segment } from './harness.ts';

const made = async (more: object = {}, before?: (operation: string) => void): Promise<ExportsHarness> => {
  const harness = withPeople({ count: 20, members: [1, 2, 3, 13], ...(before ? { before } : {}) });
  harness.fakes.members.set(segment(3), [2, 5]);
  bodyOf(await harness.create({ segment: [segment(2), segment(3)], ...more }));
  return harness;
};

describe('a manifest', () => {
  it('describes its file and the origin of the file', async () => {
    const harness = await made({ field_set: 'email' });
    await runAll(harness);
    const { bytes } = await fileOf(harness);
    expect(await manifestOf(harness)).toMatchObject({
      columns: ['email'],
      rows: 3,
      rows_skipped: 2,
      bytes: bytes.length,
      sha256: createHash('sha256').update(bytes).digest('hex'),
      members: 5,
      segments: [
        { id: segment(2), profiles: 4 },
        { id: segment(3), profiles: 2 },
      ],
      watermark: '2026-06-01T00:00:00.000Z',
      delta_from: null,
    });
  });

  it('of a delta names the job that the delta is counted from', async () => {
    const harness = await made({ scope: 'delta' });
    await runAll(harness);
    await runNext(harness, 2);
    expect(await manifestOf(harness)).toMatchObject({ scope: 'delta', delta_from: null });
    expect(await manifestOf(harness, jobRef(2))).toMatchObject({
      scope: 'delta',
      delta_from: String(ref.job),
    });
  });

  it('has the columns of its file, but for those of an encrypted file that come from the data', async () => {
    const plain = await made();
    await runAll(plain);
    const [header = []] = (await fileOf(plain)).rows;
    expect(header).toContain('extra_data.plan');
    expect(await manifestOf(plain)).toMatchObject({ columns: header });
    const encrypted = await made({ pgp_public_key: publicText(await newPgpKey()) });
    await runAll(encrypted);
    const columns = header.filter((name) => !name.startsWith('extra_data'));
    expect(await manifestOf(encrypted)).toMatchObject({ columns });
  });

  it('is written when the file is durable, and before the job is complete', async () => {
    const operations: string[] = [];
    const harness = await made({}, (operation) => operations.push(operation));
    await writeParts(harness);
    operations.length = 0;
    await harness.assemble(ref);
    const writes = operations.filter((operation) => /put|insert|update/i.test(operation));
    expect(writes).toEqual(['work putStream', 'files put', 'files put', 'table insert', 'table update']);
    expect(bodyOf(await harness.readJob(path))).toMatchObject({ status: 'complete' });
  });
});
