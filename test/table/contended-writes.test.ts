import { expect, it } from 'vitest';
import { isUnavailable } from '../../shared/runtime/aws-errors.ts';
import type { Write } from '../../shared/table/table.ts';
import { authHarness, makeAccount } from '../auth/harness.ts';
import { enrichmentHarness } from '../enrichment/harness.ts';
import { begun, path, ran, ref } from '../exports/steps.ts';
import { bodyOf } from '../exports/harness.ts';
import { begin } from '../imports/import-harness.ts';
import { everyone } from '../segments/fixture.ts';
import { MemoryTable } from '../support/memory-table.ts';
import { referencesHarness } from '../references/harness.ts';

/** Work that another writer is ahead of at each write, and the table where that is so. */
interface Contended {
  readonly table: MemoryTable;
  readonly work: () => Promise<unknown>;
  /** Which writes are lost, when not all of them. */
  readonly isLost?: (write: Write) => boolean;
}

const scenes: Readonly<Record<string, () => Promise<Contended>>> = {
  'running an export again': async () => {
    const harness = await begun();
    const isLost = ({ kind }: Write): boolean => kind === 'update';
    return { table: harness.table, work: () => harness.runAgain(path), isLost };
  },
  'replacing a segment': async () => {
    const table = new MemoryTable();
    const harness = referencesHarness(table);
    const { id = 0 } = await harness.makeSegment(everyone);
    return { table, work: () => harness.editSegment(id, everyone) };
  },
  'taking the turn of an export': async () => {
    const harness = await begun();
    const waits = bodyOf(await harness.runAgain(path));
    const seen = await harness.exports.job(ref);
    await harness.exports.updateJob(ref, seen?.w ?? '', { status: 'failed' });
    return { table: harness.table, work: () => harness.plan({ ...ref, job: Number(waits['id']) }) };
  },
  'failing an export': async () => {
    const harness = await begun();
    return { table: harness.table, work: () => harness.fail(ref, 'States.Timeout') };
  },
  'withdrawing a location': async () => {
    const harness = await ran();
    harness.fakes.now += 1_000;
    return { table: harness.table, work: () => harness.withdraw(path) };
  },
  'setting an enricher': async () => {
    const table = new MemoryTable();
    const { set } = await enrichmentHarness(table);
    return { table, work: () => set() };
  },
  'disabling a user': async () => {
    const credentials = new MemoryTable();
    const harness = authHarness({ credentials });
    const { username } = await makeAccount(harness, 'demo');
    return { table: credentials, work: () => harness.run({ command: 'user.disable', username }) };
  },
  'keeping the result of a batch': async () => {
    const { harness, job } = await begin();
    await harness.send(job, [{ email: 'ada@example.org' }]);
    const message = harness.firstMessage();
    return {
      table: harness.table,
      work: () => harness.importBatch(message),
      isLost: (write) => write.kind === 'update' && 'result' in write.set,
    };
  },
};

it.each(Object.entries(scenes))('%s ends as unavailable when others always win', async (_, play) => {
  const { table, work, isLost = () => true } = await play();
  const lost = { writes: 0 };
  table.loses = (write) => {
    const loses = isLost(write);
    lost.writes += Number(loses);
    return loses;
  };
  await expect(work()).rejects.toSatisfy(isUnavailable);
  expect(lost.writes).toBeGreaterThan(1);
});
