/**
 * Earlier logs: those of functions that release 0.2.0 had and later releases do not have. A deployment over 0.2.0 keeps them,
 * and their lines expire. A release to which nobody upgrades from 0.2.0 deletes this file.
 */
import { Construct } from 'constructs';
import type { FunctionEntry } from '../../functions/entry.ts';
import { physicalName, type Service } from './service.ts';
import { serviceLogs } from './log-group.ts';

/** The functions that went, by their stack. */
export const earlierFunctions: Readonly<Partial<Record<FunctionEntry['stack'], readonly string[]>>> = {
  data: ['addScheduledMoments', 'clearUpMoments'],
  import: ['repairImports'],
  export: ['repairExports', 'runScheduledExport'],
};

/** Keeps the earlier logs of a stack, of functions that the service has no more. */
export const keepEarlierLogs = (
  scope: Construct,
  { stage, manifest }: Pick<Service, 'stage' | 'manifest'>,
  stack: FunctionEntry['stack'],
): void => {
  for (const name of earlierFunctions[stack] ?? []) {
    if (manifest[name]) continue;
    const path = `/aws/lambda/${physicalName(stage, name)}`;
    serviceLogs(new Construct(scope, name), 'Logs', stage.logRetention, path);
  }
};
