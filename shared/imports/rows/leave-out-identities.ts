/** `leavingOut`: leaves the identities out of a record that its import definition lists as nobody's. */
import { isObject } from '../../http/json.ts';
import type { Refusal } from '../../profiles/types.ts';
import { err, ok } from '../../runtime/result.ts';
import { type IdentityKind, identityKinds } from '../../table/keys.ts';
import { type ColumnOf, located, type RowRefusal } from '../mapping/mapped-column.ts';
import type { NotIdentities } from './not-identities.ts';
import type { RowWarning } from '../reports/reported-row.ts';
import type { RecordCheck } from './record-check.ts';

/**
 * A check of records without the identities that `isListed` names. They are left out before the rules of records, so that
 * `n/a` in a column of addresses is no bad address. Each is a warning; a record that keeps no identity is refused.
 */
export const leavingOut =
  (isListed: NotIdentities, check: RecordCheck): RecordCheck =>
  (row) => {
    const listed = row.ok ? listedIn(row.value.record, isListed) : [];
    if (!row.ok || listed.length === 0) return check(row);
    const { record, columnOf } = row.value;
    const kept = Object.fromEntries(
      Object.entries(isObject(record) ? record : {}).filter(
        ([name]) => !listed.some((kind) => kind === name),
      ),
    );
    const checked = check(ok({ ...row.value, record: kept }));
    if (checked.ok) {
      const warnings = listed.map((kind) => leftOut(kind, columnOf));
      return ok({ ...checked.value, warnings: [...warnings, ...checked.value.warnings] });
    }
    const rest = checked.error.filter(({ code }) => code !== 'identity_missing');
    const missing = rest.length === checked.error.length ? [] : listed.map(noIdentity);
    return err([...missing.map((fault) => located(fault, columnOf)), ...rest.map(listedIfRequired(listed))]);
  };

/** The identities of a record that are listed. */
const listedIn = (record: unknown, isListed: NotIdentities): readonly IdentityKind[] => {
  if (!isObject(record)) return [];
  return identityKinds.filter((kind) => {
    const value = record[kind];
    return typeof value === 'string' && value !== '' && isListed(value);
  });
};

const leftOut = (kind: IdentityKind, columnOf: ColumnOf): RowWarning => ({
  code: 'not_an_identity',
  detail: `The ${kind} is listed in \`not_identities\`, so it was left out of the record.`,
  field: kind,
  column: columnOf(kind)?.name ?? null,
});

const noIdentity = (kind: IdentityKind): Refusal => ({
  field: kind,
  code: 'identity_missing',
  message: 'Is listed in `not_identities`, and the record has no other identity.',
});

/** A required field whose value is listed is not empty. */
const listedIfRequired =
  (listed: readonly IdentityKind[]) =>
  (fault: RowRefusal): RowRefusal =>
    fault.code === 'required' && listed.some((kind) => kind === fault.field)
      ? {
          ...fault,
          message: 'Is required by the import definition, and its value is listed in `not_identities`.',
        }
      : fault;
