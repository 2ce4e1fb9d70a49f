import type { Construct } from 'constructs';
import type { FunctionEntry } from '../../functions/entry.ts';
import { ServiceFunction } from './service-function.ts';
import type { Reachables, Service } from './service.ts';

interface FunctionSetProps {
  readonly service: Service;
  readonly stack: FunctionEntry['stack'];
  readonly reachables: Reachables;
  readonly baseUrl?: string;
  readonly exportRunsArn?: string;
  readonly exportRunsDeadLetters?: string;
  readonly sftpRoleArn?: string;
  /** Filter for the functions of the stack. The default is all functions. */
  readonly where?: (entry: FunctionEntry) => boolean;
}

/** Creates the functions of a stack from the manifest, by name. */
export const functionSet = (
  scope: Construct,
  { service, stack, where, ...rest }: FunctionSetProps,
): ReadonlyMap<string, ServiceFunction> => {
  const names = Object.entries(service.manifest)
    .filter(([, entry]) => entry.stack === stack && (where?.(entry) ?? true))
    .map(([name]) => name)
    .toSorted();
  return new Map(names.map((name) => [name, new ServiceFunction(scope, { service, name, ...rest })]));
};
