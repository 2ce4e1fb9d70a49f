/** Judge values: whether the values of a column can be those of a field, whatever its name says. */
import { readCountry } from '../../mapping/read-countries.ts';
import { placeholderKind } from '../../../profiles/placeholder-identities.ts';
import { visibleText } from '../../../runtime/visible-text.ts';
import { identityKinds } from '../../../table/keys.ts';
import { parseTarget } from '../../mapping/field-targets.ts';
import { isStatus } from './words.ts';
import type { FileColumn } from './file-column.ts';
import { isGender } from './gender-words.ts';
import { optOutOf } from './opt-outs.ts';
import { readsAsConsent, readsAsOptOut } from './suggest-consent.ts';
import {
  looksLikeAge,
  mayBeDate,
  looksLikeEmail,
  looksLikePhone,
  looksLikeText,
  looksLikeYesOrNo,
  looksLikeZip,
} from './value-shapes.ts';

/** What most values of a field look like, with a noun for them. */
interface Shape {
  readonly fits: (value: string) => boolean;
  readonly noun: string;
}

const ofPerson: Shape = { fits: looksLikeText, noun: 'names' };
const isPlace = (value: string): boolean =>
  looksLikeText(value) && !looksLikeYesOrNo(value) && !isStatus(value);

const shapes: Readonly<Partial<Record<string, Shape>>> = {
  unique_id: { fits: (value) => !looksLikeYesOrNo(value), noun: 'ids' },
  email: { fits: looksLikeEmail, noun: 'e-mail addresses' },
  phone_number: { fits: looksLikePhone, noun: 'telephone numbers' },
  birthday: { fits: mayBeDate, noun: 'dates' },
  age: { fits: looksLikeAge, noun: 'ages in years' },
  gender: { fits: isGender, noun: 'words for a gender' },
  has_children: { fits: looksLikeYesOrNo, noun: 'words for yes and no' },
  country: { fits: (value) => readCountry(value) !== undefined, noun: 'countries' },
  zipcode: { fits: looksLikeZip, noun: 'postal codes' },
  city: { fits: isPlace, noun: 'names of places' },
  state: { fits: isPlace, noun: 'names of regions' },
  street: { fits: isPlace, noun: 'street addresses' },
  first_name: ofPerson,
  last_name: ofPerson,
  full_name: ofPerson,
};

/** The share of values that must look like those of the field. */
const LEAST = 0.5;

const identityNamed = (target: string): boolean => identityKinds.some((kind) => kind === target);

/** Words for nothing say nothing about a column of identities: `0` in most rows makes it no column of yes and no. */
const isSaid = (value: string): boolean =>
  placeholderKind({ kind: 'unique_id', value: visibleText(value) }) !== 'nothing';

/** The share of values that look like something. */
export const shareOf = (values: readonly string[], fits: (value: string) => boolean): number =>
  values.length === 0 ? 0 : values.filter(fits).length / values.length;

/** Why the values of a column cannot be those of a field; `undefined` if they can. */
export const misfit = (
  { name, values }: Pick<FileColumn, 'name' | 'values'>,
  target: string,
): string | undefined => {
  const { kind } = parseTarget(target) ?? {};
  if (kind === 'consent') {
    const optOut = optOutOf(name);
    if (optOut?.isTime === true)
      return shareOf(values.filter(isSaid), mayBeDate) < MOST ? 'dates' : undefined;
    const reads = optOut ? readsAsOptOut(values) : readsAsConsent(values);
    return reads ? undefined : 'words for consent';
  }
  if (values.length === 0) return undefined;
  if (kind === 'consentTime') return shareOf(values, mayBeDate) < LEAST ? 'dates' : undefined;
  // A column of addresses is not called an id, unless it has no other name for them.
  if (target === 'unique_id' && shareOf(values, looksLikeEmail) >= MOST) return 'ids, but e-mail addresses';
  const shape = shapes[target];
  const own = identityNamed(target) ? values.filter(isSaid) : values;
  return shape && own.length > 0 && shareOf(own, shape.fits) < LEAST ? shape.noun : undefined;
};

/** The share of values at which a column is recognised without a name. */
export const MOST = 0.9;

const looksLikeName = (value: string): boolean => /^[\p{Lu}\p{Lo}][^\d_/|]*$/u.test(value.trim());
const looksLikeStreet = (value: string): boolean =>
  /\p{L}/u.test(value) && /\d/.test(value) && /\s/.test(value.trim());

/** What the values must look like where the name of a column may as well mean something else. */
const proofs: Readonly<Partial<Record<string, (value: string) => boolean>>> = {
  first_name: looksLikeName,
  last_name: looksLikeName,
  full_name: looksLikeName,
  street: looksLikeStreet,
  zipcode: (value) => /^[\dA-Z -]{4,10}$/.test(value.trim()),
};

const closed: ReadonlySet<string> = new Set([
  ...['email', 'phone_number', 'birthday', 'age', 'gender', 'has_children', 'country'],
]);

/** Whether the values prove a field of which the name alone leaves doubt. */
export const proves = ({ name, values }: Pick<FileColumn, 'name' | 'values'>, target: string): boolean => {
  if (values.length === 0) return false;
  if (closed.has(target)) return misfit({ name, values }, target) === undefined;
  const proof = proofs[target];
  return proof !== undefined && shareOf(values, proof) >= MOST;
};
