import type { Table } from '../../table/table.ts';
import { definitionStore, type DefinitionStore } from './definition-store.ts';
import { hostKeyStore, type HostKeyStore } from './host-key-store.ts';
import { deliveryStore, jobStore, type DeliveryStore, type JobStore } from './job-store.ts';
import { outbox, type Outbox } from './outbox.ts';
import { pathStore, type PathStore } from './path-store.ts';
import { uploadStore, type UploadStore } from './upload-store.ts';

/** Everything that exports keep in the table. */
export interface ExportRepository
  extends DefinitionStore, Outbox, JobStore, DeliveryStore, HostKeyStore, UploadStore, PathStore {}

/** The repository of a table. */
export const exportRepository = (table: Table): ExportRepository => ({
  ...definitionStore(table),
  ...outbox(table),
  ...jobStore(table),
  ...deliveryStore(table),
  ...hostKeyStore(table),
  ...uploadStore(table),
  ...pathStore(table),
});
