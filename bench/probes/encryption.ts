/**
 * Cost of encryption in an export: `node bench/probes/encryption.ts [profiles]`. Writes the parts and the file of an export
 * with 15 columns to stores in memory, alternately with and without a key, and prints the medians of processor time.
 * Reading profiles costs nothing here, so the share is larger than on a real table.
 */
import { generateKey } from 'openpgp';
import { count, table as printTable } from '../../cli/terminal.ts';
import { ref } from '../../test/exports/steps.ts';
import { bodyOf, exportsHarness, profile, segment } from '../../test/exports/harness.ts';

const profiles = Number(process.argv[2] ?? 50_000);
const ROUNDS = 5;

const fields = [
  ...['email', 'unique_id', 'first_name', 'last_name', 'full_name', 'street', 'city', 'state', 'zipcode'],
  ...['phone_number', 'birthday', 'gender', 'marital_status', 'country', 'age'],
];
const custom_result_format = fields.map((name) => ({ umbel_field_name: name, destination_field_name: name }));

const people = new Map(
  Array.from({ length: profiles }, (_, ordinal) => {
    const known = Object.fromEntries(fields.map((name) => [name, `${name} of ${ordinal}`]));
    return [ordinal, profile(ordinal, { fields: known, country: 'NZ', age: ordinal % 90 })] as const;
  }),
);

/** Processor seconds of one export after its plan, and the bytes of its file. */
const exportOnce = async (pgp_public_key: string | null): Promise<{ seconds: number; bytes: number }> => {
  const harness = exportsHarness();
  for (const [ordinal, person] of people) harness.fakes.profiles.set(ordinal, person);
  harness.fakes.members.set(segment(2), [...people.keys()]);
  const definition = { segment: [segment(2)], field_set: 'custom', custom_result_format, pgp_public_key };
  bodyOf(await harness.create(definition));
  const { shards } = await harness.plan(ref);
  const before = process.cpuUsage();
  for (const { shard } of shards) await harness.part(ref, shard);
  await harness.assemble(ref);
  const { user, system } = process.cpuUsage(before);
  const seconds = (user + system) / 1e6;
  const job = await harness.exports.job(ref);
  return { seconds, bytes: job?.value.file?.bytes ?? 0 };
};

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;

const { publicKey } = await generateKey({
  type: 'rsa',
  rsaBits: 3_072,
  userIDs: [{ name: 'Bench' }],
  date: new Date('2026-01-01T00:00:00Z'),
});
const plain: number[] = [];
const sealed: number[] = [];
let bytes = 0;
for (let round = 0; round <= ROUNDS; round += 1) {
  const without = await exportOnce(null);
  const withKey = await exportOnce(publicKey);
  bytes = without.bytes;
  // The first round warms up.
  if (round === 0) continue;
  plain.push(without.seconds);
  sealed.push(withKey.seconds);
}
const added = median(sealed) / median(plain) - 1;
console.log(`${count(profiles)} profiles, ${count(bytes)} bytes, medians of ${ROUNDS} runs:`);
printTable([
  ['without a key', `${median(plain).toFixed(2)} s`],
  ['with a key', `${median(sealed).toFixed(2)} s`],
  ['encryption adds', `${(added * 100).toFixed(0)} %`],
]);
