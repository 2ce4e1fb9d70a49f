import { join } from 'node:path';
import { expect, it } from 'vitest';
import * as v from 'valibot';
import { findTarget } from '../../cli/admin-service.ts';
import { serviceAddress } from '../../cli/aws-account.ts';
import { isAsPlanted } from '../../cli/demo-figures.ts';
import { runCommand } from '../../cli/run-command.ts';
import type { AskStage } from '../../cli/smoke-account.ts';
import { cleanUp, smoke, type SmokeStage } from '../../cli/smoke-run.ts';
import { startChecked, type CheckedCloud } from '../support/service.ts';
import type { TidemarkOptions } from '../../cli/standalone/tidemark.ts';
import { keptNames } from '../support/items.ts';
import { newFolders, ofCheckout } from '../../local/test/support/folders.ts';

const folder = newFolders(ofCheckout)();

const ROWS = 300;

/** A cloud, reached as an operator reaches a stage in AWS: by its address and its functions of operators. */
const remoteStage = async (
  name: string,
  options: TidemarkOptions = {},
): Promise<CheckedCloud & { readonly stage: SmokeStage }> => {
  const endpointsFile = join(folder, `${name}.json`);
  const checked = await startChecked({ endpointsFile, ...options });
  const target = await findTarget({}, endpointsFile);
  const ask: AskStage = (payload) =>
    runCommand({ payload, json: false }, target, { tell: () => undefined, wait: () => checked.cloud.idle() });
  return { ...checked, stage: { ask, address: await serviceAddress(target), rows: ROWS, now: Date.now } };
};

const listed = v.object({
  users: v.optional(v.array(v.object({ username: v.string() })), []),
  properties: v.optional(v.array(v.object({ id: v.number(), name: v.string(), status: v.string() })), []),
});

/** What runs have left: users, and properties with their items and objects. */
const leftOf = async ({ cloud, stage: { ask } }: Awaited<ReturnType<typeof remoteStage>>) => {
  const { users } = v.parse(listed, await ask({ command: 'user.list' }));
  const { properties } = v.parse(listed, await ask({ command: 'property.list' }));
  const own = properties.filter(({ name }) => name.startsWith('smoke-run-'));
  const names = await keptNames(cloud);
  return {
    users: users.map(({ username }) => username).filter((name) => name.startsWith('smoke-run-')),
    statuses: own.map(({ status }) => status),
    rest: names.filter((name) => own.some(({ id }) => name.includes(String(id)))),
    expected: own.map(({ id }) => `P#${id} PROPERTY`),
  };
};

it('a sample goes through a stage by its address and its operator functions, every figure is right, and nothing is left', async () => {
  const remote = await remoteStage('whole');
  try {
    const figures = await smoke(remote.stage);
    expect(figures).toHaveLength(5);
    expect(figures.every(isAsPlanted)).toBe(true);
    expect(figures[0]).toEqual(['rows ingested', ROWS, ROWS]);
    const { users, statuses, rest, expected } = await leftOf(remote);
    expect(users).toEqual([]);
    expect(statuses).toEqual(['being deleted']);
    expect(rest).toEqual(expected);
    // The deletion ends when no work under way can write any more; a run that has not ended is left alone.
    expect((await cleanUp(remote.stage)).waiting).toEqual([]);
    const later = { ...remote.stage, now: () => Date.now() + 2 * 3_600_000 };
    expect((await cleanUp(later)).waiting).toHaveLength(1);
    expect(remote.differences()).toEqual([]);
  } finally {
    await remote.cloud.stop();
  }
}, 200_000);

it('a stage whose lookups fail fails the run with the section of the runbook, and nothing is left either', async () => {
  const remote = await remoteStage('broken', {
    adaptFunctions: (functions) =>
      functions.map((one) =>
        one.name.endsWith('-getProfile') ? { ...one, env: { ...one.env, TABLE_NAME: 'no-such-table' } } : one,
      ),
  });
  try {
    await expect(smoke(remote.stage)).rejects.toThrow(/See docs\/runbook\.md, "A read fails"\.$/);
    const { users, rest, expected } = await leftOf(remote);
    expect(users).toEqual([]);
    expect(expected).toHaveLength(1);
    expect(rest).toEqual(expected);
  } finally {
    await remote.cloud.stop();
  }
}, 200_000);
