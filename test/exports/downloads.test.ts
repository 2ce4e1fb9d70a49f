import { expect, it } from 'vitest';
import { limits } from '../../shared/config/limits.ts';
import { rateKeys } from '../../shared/table/request-keys.ts';
import { PROPERTY } from './harness.ts';
import { completed } from './steps.ts';

const DAY_MS = 86_400_000;

const refused = (seconds: number) => ({
  ok: false,
  error: { status: 429, code: 'rate_limited', headers: { 'retry-after': seconds.toString() } },
});

it('a file opens so many times a day, its manifest counted in, and again the next day', async () => {
  const { harness, location, manifest } = await completed();
  expect(await harness.open(manifest)).toMatchObject({ ok: true });
  for (let open = 1; open < limits.exports.opensPerDay; open += 1)
    expect(await harness.open(location)).toMatchObject({ ok: true });
  const left = Math.ceil((DAY_MS - (harness.fakes.now % DAY_MS)) / 1_000);
  for (const address of [location, manifest])
    expect(await harness.open(address)).toMatchObject(refused(left));
  harness.fakes.now += DAY_MS;
  expect(await harness.open(location)).toMatchObject({ ok: true });
});

it('the files of a property open with so many bytes a day, and a refusal is not in the audit log', async () => {
  const { harness, location, manifest } = await completed();
  const today = Math.floor(harness.fakes.now / DAY_MS);
  await harness.rates.increment(
    rateKeys.downloadedBytes(PROPERTY, today),
    limits.exports.downloadBytesPerDay,
  );
  expect(await harness.open(location)).toMatchObject({ ok: false, error: { status: 429 } });
  expect(await harness.open(manifest)).toMatchObject({ ok: true });
  expect(harness.auditLog.items()).toEqual([]);
});
