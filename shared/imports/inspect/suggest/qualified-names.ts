/** Qualified names: columns that say whose or which address, telephone number or name they have, such as `HomeStreet`. */
import { nameKey } from './column-names.ts';
import { knownNames } from './known-names.ts';

/** A column with a known name behind or before a qualifier. */
export interface QualifiedTarget {
  readonly target: string;
  /** Which address, number or name of several it is. */
  readonly group: string;
}

/** Qualifiers, the most personal first. */
const qualifiers = [
  'mailing,mailing address,primary,primary address,home,home address,privat,private,private address,personal',
  'residential,residence,domu,permanent,permanent address,main,main address,default,default address,address 1,address',
  'addresses 1,postal,postal address,legal,contact,contact address,customer,customer address,client,person,user,member',
  'subscriber,attendee,participant,guest,recipient,buyer,purchaser,adresse,adresse 1,anschrift,direccion,indirizzo,adres',
  'billing,billing address,bill to,invoice,invoice address,rechnung,rechnungs,rechnungsadresse,facturation,facturacion',
  'fatturazione,faktura,shipping,shipping address,ship to,delivery,delivery address,liefer,lieferung,lieferadresse',
  'livraison,envio,spedizione,address 2,other,other address,secondary,alternate,alternative',
  'business,business address,work,work address,office,geschaftlich,beruflich,dienstlich,professionnel,trabajo,lavoro',
  'zamestnani,do zamestnani',
]
  .join(',')
  .split(',');

const ranks: ReadonlyMap<string, number> = new Map(qualifiers.map((qualifier, rank) => [qualifier, rank]));

/** How personal a group is; smaller is more personal. */
export const rankOf = (group: string): number => ranks.get(group) ?? qualifiers.length;

/** The parts of an address, which belong together. */
export const addressTargets: ReadonlySet<string> = new Set([
  ...['street', 'street2', 'city', 'state', 'zipcode', 'country'],
]);
const qualified: ReadonlySet<string> = new Set([
  ...addressTargets,
  ...['phone_number', 'email', 'first_name', 'last_name', 'full_name', 'birthday'],
]);

/** Qualifiers of `name` that mean a person: the name of a user, a company or an address is none. */
const personal: ReadonlySet<string> = new Set(
  'billing,shipping,customer,client,contact,buyer,purchaser,attendee,participant,member,guest,recipient,subscriber,rechnung,person'.split(
    ',',
  ),
);

/** The field of a column behind its qualifier, or before it; `undefined` for a column without one. */
export const qualifiedTarget = (name: string): QualifiedTarget | undefined => {
  const words = nameKey(name).split(' ');
  if (words.length > 8) return undefined;
  for (let length = Math.min(3, words.length - 1); length > 0; length -= 1) {
    const first = meaningOf(words.slice(0, length), words.slice(length));
    const last = meaningOf(words.slice(-length), words.slice(0, -length));
    const found = first ?? last;
    if (found) return found;
  }
  return undefined;
};

const meaningOf = (qualifier: readonly string[], rest: readonly string[]): QualifiedTarget | undefined => {
  const [group, key] = [qualifier.join(' '), rest.join(' ')];
  if (!ranks.has(group)) return undefined;
  const target = knownNames.get(key)?.[0]?.target;
  if (target === undefined || !qualified.has(target)) return undefined;
  if (target === 'full_name' && !personal.has(group)) return undefined;
  return { target, group };
};
