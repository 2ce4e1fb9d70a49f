/** The process behind `openPeople`. It holds the table until its parent disconnects. */
import { stampOf } from '../../shared/runtime/hybrid-timestamp.ts';
import { identityName } from '../../shared/profiles/profile-state.ts';
import { profileItem } from '../../shared/profiles/stored-profile.ts';
import { batchesOf } from '../../shared/runtime/pool.ts';
import { toAttributeValues } from '../../shared/table/attribute-values.ts';
import { keys } from '../../shared/table/keys.ts';
import { openBareTable } from './bare-table.ts';
import { columns, PEOPLE_TABLE } from './people.ts';

process.once('disconnect', () => process.exit());

const [property = 0, people = 0] = process.argv.slice(2).map(Number);
const NOW = Date.now();
const group = { tier: 1, stamp: stampOf(NOW), origin: 'import:1' };
const attributes = columns.filter((name) => name !== 'email' && name !== 'unique_id');

/** The stored items of a person with a value in each column. */
const stateOf = (ordinal: number): string => {
  const values = Object.fromEntries(attributes.map((name) => [name, `${name} ${ordinal % 10_007}`]));
  const identities = [
    identityName('email', `person${ordinal}@example.org`),
    identityName('unique_id', `u${ordinal}`),
  ];
  return JSON.stringify([{ ...group, values, identities }]);
};

const table = await openBareTable(PEOPLE_TABLE);
const names = ['pk', 'sk', 'state', 'updated_at', 'w'];
const Statement = `INSERT INTO "${PEOPLE_TABLE}" VALUE {${names.map((name) => `'${name}':?`).join(', ')}}`;

for (const batch of batchesOf(Array.from({ length: people }).keys(), 25)) {
  const Statements = batch.map((ordinal) => {
    const item = { ...keys.profile(property, ordinal), ...profileItem(stateOf(ordinal), NOW), w: 'w' };
    const typed = toAttributeValues(item);
    return { Statement, Parameters: names.map((name) => typed[name]) };
  });
  // Directly into the engine.
  await table.engine.call('BatchExecuteStatement', { Statements });
}
process.send?.({ url: table.url });
