import * as v from 'valibot';
import { announceImport, type AnnounceDeps } from '../../shared/imports/announce/announce-import.ts';
import { listImportDeliveries } from '../../shared/imports/announce/import-deliveries.ts';
import { createImport } from '../../shared/imports/definitions/change-imports.ts';
import { importBody, storedImportAnswer } from '../../shared/imports/schemas/definition-schemas.ts';
import { importDeliveriesAnswer } from '../../shared/imports/schemas/report-schemas.ts';
import type { MemoryTable } from '../support/memory-table.ts';
import {
  type ImportHarness,
  importHarness,
  request,
  simpleDefinition,
  referenceOf,
} from './import-harness.ts';
import { ada, answered } from '../support/requests.ts';

/** A definition with a webhook and an address. */
export const announced = {
  ...simpleDefinition,
  name: 'Besucher',
  webhook_url: 'https://hooks.example.org/imports',
  // The own address of the user who creates the definition is confirmed.
  notification_email: ada.email,
};

export const create = (harness: ImportHarness, definition: unknown = announced) =>
  answered(createImport(harness.deps, request({}, {}, v.parse(importBody, definition))), storedImportAnswer);

export const file = 'email,first_name\na@x.org,A\nbad,B\n';

/** A file that was imported by a definition with a webhook and an address. */
export const imported = async (content = file, definition: unknown = announced, table?: MemoryTable) => {
  const harness = importHarness(table);
  const { id, webhook_secret: secret = '' } = await create(harness, definition);
  const job = await harness.runFile(id, content);
  const reference = referenceOf(id, job.id);
  const announce = (changed: Partial<AnnounceDeps> = {}) =>
    announceImport({ ...harness.deps, ...changed }, reference);
  const log = async () =>
    (
      await answered(
        listImportDeliveries(harness.deps, request({ import_id: id, job_id: job.id }, {}, undefined)),
        importDeliveriesAnswer,
      )
    ).deliveries;
  return { harness, reference, secret, job, announce, log };
};
