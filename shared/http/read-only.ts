import { isObject } from './json.ts';

/** Fields that the service assigns. A client may send back what it read: they are ignored, never stored. */
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
] as const;
const readOnly: ReadonlySet<string> = new Set(readOnlyFields);

/** A body or record without the fields that the service assigns (`destination_credentials.public_key` included). */
export const withoutReadOnly = (
  body: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> => {
  if (!Object.keys(body).some((key) => readOnly.has(key) || key === 'destination_credentials')) return body;
  const kept = Object.entries(body).filter(([key]) => !readOnly.has(key));
  return Object.fromEntries(
    kept.map(([key, value]) => [key, key === 'destination_credentials' ? withoutPublicKey(value) : value]),
  );
};

const withoutPublicKey = (value: unknown): unknown =>
  isObject(value) ? Object.fromEntries(Object.entries(value).filter(([key]) => key !== 'public_key')) : value;
