import type { Table } from '../../table/table.ts';
import {
  definitionStore,
  hostKeyStore,
  type DefinitionStore,
  type HostKeyStore,
} from './definition-store.ts';
import {
  deliveryStore,
  jobStore,
  uploadStore,
  pathStore,
  type DeliveryStore,
  type JobStore,
  type UploadStore,
  type PathStore,
} from './job-store.ts';

/** Everything that exports keep in the table. */
export interface ExportRepository
  extends DefinitionStore, JobStore, DeliveryStore, HostKeyStore, UploadStore, PathStore {}

/** The repository of a table. */
export const exportRepository = (table: Table): ExportRepository => ({
  ...definitionStore(table),
  ...jobStore(table),
  ...deliveryStore(table),
  ...hostKeyStore(table),
  ...uploadStore(table),
  ...pathStore(table),
});
