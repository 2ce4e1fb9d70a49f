/** Operator: what commands of operators need permissions for. No route has them, so they have no scene. */
import * as v from 'valibot';
import { sendBrandFile } from '../../shared/brands/send-file.ts';
import { recordsKeyOf } from '../../shared/imports/items/object-keys.ts';
import { bitsOf, encodeChunk } from '../../shared/membership/chunk.ts';
import { credentialKeys } from '../../shared/table/credential-keys.ts';
import { keys } from '../../shared/table/keys.ts';
import { putItem } from '../support/items.ts';
import { operate } from '../support/operate.ts';
import { deadLettersOf } from '../support/redrive.ts';
import { tableNames } from '../support/table-names.ts';
import { until } from '../support/until.ts';
import { fire, putObject, type Cast, type Extra } from './cast.ts';

type Ask = (command: Readonly<Record<string, unknown>>) => Promise<Record<string, unknown>>;

const asking =
  ({ service }: Cast): Ask =>
  async (command) =>
    v.parse(v.record(v.string(), v.unknown()), await operate(service, command));

/** Milliseconds: a version waits for earlier writes twice, for 36 s each, before it takes effect on one machine. */
const PATIENCE = 180_000;

/** Advances the catalogue that is on its way until it is in its place. */
const untilInPlace = (cast: Cast): Promise<true> =>
  until(
    'no catalogue on its way',
    async () => {
      if ((await asking(cast)({ command: 'brands.show' }))['next'] === 'none') return true;
      await fire(cast, 'advanceBrands').catch(() => undefined);
      return undefined;
    },
    PATIENCE,
  );

/** Loads a catalogue that affects stored likes. */
const loadBrands: Extra['play'] = async (cast) => {
  const page = `page ${cast.fresh()}`;
  await cast.call('createProfile', {
    body: { email: `l${cast.fresh()}@example.org`, social_likes: [{ id: page }] },
  });
  await untilInPlace(cast);
  const file = `page_id,brand,category\n${page},Brand,Category ${cast.fresh()}\n`;
  await sendBrandFile(asking(cast), Buffer.from(file));
  await untilInPlace(cast);
};

/** Looks at dead letters, sends them back, and deletes others. */
const handleDeadLetters: Extra['play'] = async ({ service, fresh }) => {
  const dead = deadLettersOf(service, 'drains');
  const body = JSON.stringify({ v: 1, property: service.property, group: 0 });
  for (const command of ['list', 'redrive', 'delete']) {
    dead.send(body, { groupId: 'exercise', deduplicationId: `dead ${fresh()}` });
    const queue = command === 'list' ? {} : { queue: 'drains' };
    await operate(service, { command: `dead-letters.${command}`, ...queue });
  }
};

/** Commands that together use every right of the operator. */
const command: Extra['play'] = async (cast) => {
  const { service, fresh, webhook } = cast;
  const { property } = service;
  const username = `user${fresh()}`;
  const person = { email: 'u@example.org', first_name: 'U', last_name: 'V' };
  const enricher = { property, name: 'exercised' };
  const since = new Date(0).toISOString();
  const counted = {
    service: [{ name: 'user', value: 1 }],
    counters: [{ property, name: 'timeline', value: 1 }],
  };
  for (const [name, more] of [
    ['account.create', { name: `A${fresh()}` }],
    ['property.create', { account: 1, name: 'P' }],
    ['user.create', { account: 1, username, ...person }],
    ['client.create', { account: 1 }],
    ['account.show', { account: 1 }],
    ['enricher.set', { ...enricher, url: webhook, asks: 'identity', tiers: ['provider_1'] }],
    ['enricher.remove', enricher],
    ['token.list', { account: 1 }],
    ['user.disable', { username }],
    ['user.delete', { username }],
    ['counters.list', {}],
    ['audit-log.since', { since }],
    ['counters.raise', { restored: '2026-11-23T06:00:00Z', ...counted }],
    ['brands.begin', {}],
  ] as const)
    await operate(service, { command: name, ...more });
  await handleDeadLetters(cast);
};

/** Creates an account of its own, and gives the demo user a password that the user lacks. */
const seed: Extra['play'] = async ({ service, fresh }) => {
  const { password } = v.parse(v.object({ password: v.string() }), service.cloud.endpoints);
  const name = `seed${fresh()}`;
  const made = { account: name, property: 'P', client_id: `client-of-${name}`, username: name };
  for (const given of [password, `another ${password}`])
    await service.cloud.invoke('seed', { accounts: [{ ...made, password: given }] });
};

/** Deletes a property with a scheduled export and an object. The last pass of the deletion is already due. */
const deleteProperty: Extra['play'] = async (cast) => {
  const { service, fresh } = cast;
  const name = `gone ${fresh()}`;
  const { property } = v.parse(
    v.looseObject({ property: v.number() }),
    await operate(service, { command: 'property.create', account: 1, name }),
  );
  const id = property * 1_000_000_000 + 1;
  await putItem(service, keys.exportDefinition(property, id), { revision: 1 });
  await putObject(cast, 'work', recordsKeyOf(property, id, 'b'));
  const asked = { command: 'property.delete', property, confirm: name };
  // Closes the property, removes its items, then its objects.
  for (let call = 0; call < 3; call += 1) await service.cloud.invoke('deleteProperty', asked);
  const begun = { table: tableNames.table, phase: 'objects', after: null, began: 2 };
  const deletion = { ...begun, found: 0, last_from: 1, items: 1, objects: 1 };
  const owned = { account: 1, name, deletion, busy_until: 0 };
  await putItem(service, credentialKeys.property(property), owned, tableNames.credentials);
  await service.cloud.invoke('deleteProperty', asked);
};

/** A person who does not exist is in `everyone` until an audit corrects it. */
const auditIndex: Extra['play'] = async ({ service, everyone }) => {
  const { property, cloud } = service;
  await putItem(service, keys.chunk(property, everyone, 0, 1), { members: encodeChunk(bitsOf([1])) });
  await cloud.invoke('auditIndex', { operator: 'ada', command: 'audit', property, repair: true });
};

export const operatorExtras: readonly Extra[] = [
  // Before the load of brands, which takes longer: the extras of a function play until one uses its permission.
  { of: ['operator'], play: command },
  { of: ['advanceBrands', 'operator'], play: loadBrands },
  { of: ['seed'], play: seed },
  { of: ['deleteProperty'], play: deleteProperty },
  { of: ['auditIndex'], play: auditIndex },
];
