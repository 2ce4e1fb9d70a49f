import * as v from 'valibot';
import { recordsKeyOf } from '../../shared/imports/model/object-keys.ts';
import { credentialKeys } from '../../shared/table/credential-keys.ts';
import { keys } from '../../shared/table/keys.ts';
import { operate } from '../support/operate.ts';
import { tableNames } from '../support/table-names.ts';
import { putItem, type Exercise } from './exercise-scene.ts';

/** Deletes a property with a scheduled export and an object. The last pass of the deletion is already due. */
export const deleteProperty: Exercise = async (harness) => {
  const { service } = harness;
  const { cloud } = service;
  const name = `gone ${harness.fresh()}`;
  const made = await operate(service, { command: 'property.create', account: 1, name });
  const { property } = v.parse(v.looseObject({ property: v.number() }), made);
  const id = property * 1_000_000_000 + 1;
  await putItem(harness, keys.exportDefinition(property, id), { revision: 1 });
  const work = cloud.deployment.buckets.find((bucket) => bucket.name.includes('-work-'))?.name ?? '';
  await cloud.parts.storage.s3.put(work, recordsKeyOf(property, id, 'b'), Buffer.from('[]'));
  const command = { command: 'property.delete', property, confirm: name };
  // Closes the property, removes its items, then its objects.
  for (let call = 0; call < 3; call += 1) await cloud.invoke('deleteProperty', command);
  const pass = {
    table: tableNames.table,
    phase: 'objects',
    after: null,
    began: 2,
    found: 0,
    last_from: 1,
    items: 1,
    objects: 1,
  };
  const owned = { account: 1, name, deletion: pass, busy_until: 0 };
  await putItem(harness, credentialKeys.property(property), owned, tableNames.credentials);
  await cloud.invoke('deleteProperty', command);
};
