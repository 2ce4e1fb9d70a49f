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

/**
 * A body or record without the fields that the service assigns (`destination_credentials.public_key` included) and the
 * fields that its route only shows.
 */
export const withoutReadOnly = (
  body: Readonly<Record<string, unknown>>,
  shownOnly: readonly string[] = [],
): Readonly<Record<string, unknown>> => {
  const isAssigned = (key: string): boolean => readOnly.has(key) || shownOnly.includes(key);
  if (!Object.keys(body).some((key) => isAssigned(key) || key === 'destination_credentials')) return body;
  const kept = Object.entries(body).filter(([key]) => !isAssigned(key));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, key === 'destination_credentials' ? withoutPublicKey(value) : value]),
  );
};

const withoutPublicKey = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'public_key')) : value;
