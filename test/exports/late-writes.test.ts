import { describe, expect, it } from 'vitest';
import { keys } from '../../shared/table/keys.ts';
import { addReferences } from '../references/add-references.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { path, ran, ref } from './steps.ts';
import { bodyOf, PROPERTY, segment } from './harness.ts';

const destination_credentials = { domain: 'sftp.example.test', client_id: 'receiver' };

describe('the note of an attempt', () => {
  it('is written once, though the SDK sends it again after its answer was lost', async () => {
    const harness = await ran({ destination_credentials });
    const { exports } = harness;
    const stateOf = async () => (await exports.delivery(ref, 'sftp'))?.value.state;
    // A pushes and pauses; its note is applied and the answer lost; B begins; the SDK's second try of A's note arrives.
    let calls = 0;
    const updateDelivery = exports.updateDelivery.bind(exports);
    harness.fakes.push = () => Promise.resolve({ kind: 'paused' });
    exports.updateDelivery = async (job, set, expected) => {
      calls += 1;
      if (calls !== 2) return updateDelivery(job, set, expected);
      expect(await updateDelivery(job, set, expected)).toBe('applied');
      await new Promise<void>((begun) => {
        harness.fakes.push = () => {
          begun();
          return new Promise(() => undefined);
        };
        void harness.pushFile(ref);
      });
      expect(await stateOf()).toBe('sending');
      return updateDelivery(job, set, expected);
    };
    await harness.pushFile(ref);
    expect(await stateOf(), 'B is at it').toBe('sending');
  });
});

describe('the host key that a request named', () => {
  const [older, newer] = [`SHA256:${'A'.repeat(43)}`, `SHA256:${'E'.repeat(43)}`] as const;

  it.each(['first', 'second'])('stays, though the SDK sends the %s request again', async (which) => {
    const harness = await ran({ destination_credentials });
    const { table } = harness;
    if (which === 'second') bodyOf(await harness.nameHostKey(path, `SHA256:${'I'.repeat(43)}`));
    // The older request is written, its answer lost; the newer one is written; then the older write arrives once more.
    const write = table.write.bind(table);
    table.write = async (late) => {
      const outcome = await write(late);
      table.write = write;
      bodyOf(await harness.nameHostKey(path, newer));
      await write(late);
      return outcome;
    };
    bodyOf(await harness.nameHostKey(path, older));
    expect(bodyOf(await harness.readHostKey(path))).toMatchObject({ fingerprint: newer });
  });

  it('is that of one of two requests at once', async () => {
    const harness = await ran({ destination_credentials });
    const answers = await Promise.all([older, newer].map((key) => harness.nameHostKey(path, key)));
    answers.map(bodyOf);
    expect([older, newer]).toContain(bodyOf(await harness.readHostKey(path))['fingerprint']);
  });
});

describe('a use', () => {
  it('is never shortened by a request that announces it late', async () => {
    const table = new MemoryTable();
    await table.put(keys.segment(PROPERTY, segment(2)), {});
    const referrer = { kind: 'export', id: ref.export } as const;
    const referents = [{ kind: 'segment', id: segment(2) }] as const;
    const announce = (ttl: number) => addReferences(table, PROPERTY, { referrer, referents, ttl });
    const ends = () => table.items().flatMap(({ ttl }) => (ttl === undefined ? [] : [ttl]));
    await announce(2_000);
    await announce(1_000);
    expect(ends()).toEqual([2_000]);
    await Promise.all([announce(3_000), announce(4_000), announce(2_500)]);
    expect(ends()).toEqual([4_000]);
  });
});
