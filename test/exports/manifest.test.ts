import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { newPgpKey, publicText } from '../support/pgp-keys.ts';
import { fileOf, path, people, ref, runAll, runJob } from './steps.ts';
import { bodyOf, exportsWorld, type ExportsWorld, segment } from './world.ts';

/** The manifest that a job (the first one) names. */
const manifestOf = async (world: ExportsWorld, of = ref): Promise<unknown> => {
  const key = (await world.exports.job(of))?.value.file?.manifest_key ?? '';
  return JSON.parse(Buffer.from((await world.files.get(key)) ?? []).toString());
};

const made = async (more: object = {}, before?: (operation: string) => void): Promise<ExportsWorld> => {
  const world = exportsWorld(before ? { before } : {});
  people(world, 20);
  world.world.members.set(segment(2), [1, 2, 3, 13]);
  world.world.members.set(segment(3), [2, 5]);
  bodyOf(await world.create({ segment: [segment(2), segment(3)], ...more }));
  return world;
};

describe('a manifest', () => {
  it('describes its file and the origin of the file', async () => {
    const world = await made({ field_set: 'email' });
    await runAll(world);
    const { bytes } = await fileOf(world);
    expect(await manifestOf(world)).toMatchObject({
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
    const world = await made({ scope: 'delta' });
    await runAll(world);
    const second = { ...ref, job: Number(bodyOf(await world.runAgain(path))['id']) };
    await runJob(world, second);
    expect(await manifestOf(world)).toMatchObject({ scope: 'delta', delta_from: null });
    expect(await manifestOf(world, second)).toMatchObject({ scope: 'delta', delta_from: String(ref.job) });
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
    const world = await made({}, (operation) => operations.push(operation));
    const { shards } = await world.plan(ref);
    for (const { shard } of shards) await world.part(ref, shard);
    operations.length = 0;
    await world.assemble(ref);
    const writes = operations.filter((operation) => /put|insert|update/i.test(operation));
    expect(writes).toEqual(['files putStream', 'files put', 'table insert', 'table update']);
    expect(bodyOf(await world.readJob(path))).toMatchObject({ status: 'complete' });
  });
});
