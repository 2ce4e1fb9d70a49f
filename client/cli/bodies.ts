/** Bodies of requests that come from files of the user. The service judges them, and names every fault. */
import type { Input } from '../src/index.ts';
import { isRecord } from '../src/json.ts';
import { CommandFailure } from './failure.ts';

/** Operations that store a definition. */
type Storing =
  | 'createImport'
  | 'createSegment'
  | 'createExport'
  | 'createTimeline'
  | 'createCollection'
  | 'replaceImport'
  | 'replaceExport';

/** The body of an operation. */
type JsonBody<Name extends Storing> = Input<Name> extends { readonly body: infer Body } ? Body : never;

const isBody = <Name extends Storing>(_operation: Name, value: unknown): value is JsonBody<Name> =>
  isRecord(value);

/** A value as the body of an operation. Throws a failure if it is no object. */
export const bodyOf = <Name extends Storing>(operation: Name, value: unknown): JsonBody<Name> => {
  if (!isBody(operation, value)) throw new CommandFailure('A definition must be an object with members.');
  return value;
};
