/**
 * THE list of functions. The stacks, the embedded cloud, the OpenAPI document, the `$default` route and the infra tests
 * all read it, so that a route, a permission or an alarm exists in one place only. Each area keeps its entries beside
 * its handlers.
 */
import * as audit from './audit/entries.ts';
import * as auth from './auth/entries.ts';
import * as brands from './brands/entries.ts';
import * as collections from './collections/entries.ts';
import * as edge from './edge/entries.ts';
import * as edgeTasks from './edge/task-entries.ts';
import * as enrichment from './enrichment/entries.ts';
import * as exports from './exports/entries.ts';
import * as imports from './imports/entries.ts';
import * as profiles from './profiles/entries.ts';
import * as retention from './retention/entries.ts';
import * as schedules from './schedules/entries.ts';
import * as segments from './segments/entries.ts';
import * as segmentUpkeep from './segments/upkeep-entries.ts';
import * as tasks from './tasks/entries.ts';
import * as timelines from './timelines/entries.ts';
import * as sftp from './sftp/entries.ts';
import type { FunctionEntry } from './entry.ts';

/** All functions by name. */
export const manifest: Readonly<Record<string, FunctionEntry>> = {
  ...edge,
  ...edgeTasks,
  ...auth,
  ...audit,
  ...profiles,
  ...segments,
  ...segmentUpkeep,
  ...brands,
  ...collections,
  ...imports,
  ...sftp,
  ...enrichment,
  ...exports,
  ...schedules,
  ...retention,
  ...timelines,
  ...tasks,
};
