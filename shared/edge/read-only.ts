import { isObject } from '../http/json.ts';

/** Fields that the service assigns. They are ignored in a body, so that a client may send back a resource that it read. */
export const readOnlyFields = [
  'id',
  'created',
  'created_date',
  'created_by',
  'profile_uuid',
  'property',
  'action',
  'status',
  'counts',
  'file_path',
  'location',
  'moments',
  'links',
  'batch_job_uuid',
  'webhook_secret',
] as const;
const readOnly: ReadonlySet<string> = new Set(readOnlyFields);

/** Fields that the service assigns inside an object of a body. */
const readOnlyInside: ReadonlyMap<string, ReadonlySet<string>> = new Map([
  ['destination_credentials', new Set(['public_key'])],
  ['s3_destination', new Set(['external_id', 'trust_policy', 'permission_policy'])],
  ['changes', new Set(['told_job'])],
]);

/**
 * A body or record without the fields that the service assigns, inside objects too, and the fields that its route only
 * shows.
 */
export const withoutReadOnly = (
  body: Readonly<Record<string, unknown>>,
  shownOnly: readonly string[] = [],
): Readonly<Record<string, unknown>> => {
  const isAssigned = (key: string): boolean => readOnly.has(key) || shownOnly.includes(key);
  if (!Object.keys(body).some((key) => isAssigned(key) || readOnlyInside.has(key))) return body;
  const kept = Object.entries(body).filter(([key]) => !isAssigned(key));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, withoutAssigned(value, readOnlyInside.get(key))]),
  );
};

const withoutAssigned = (value: unknown, assigned: ReadonlySet<string> | undefined): unknown =>
  assigned && isObject(value)
    ? Object.fromEntries(Object.entries(value).filter(([key]) => !assigned.has(key)))
    : value;
