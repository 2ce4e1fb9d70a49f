/** Identity facts: which ids, addresses and names come together in the rows of a sample, and which are several people's. */
import { placeholderKind } from '../../../profiles/placeholder-identities.ts';
import { visibleText } from '../../../runtime/visible-text.ts';
import { readMailbox } from '../../mapping/read-mailboxes.ts';
import { nameKey } from './column-names.ts';
import type { FileColumn } from './file-column.ts';
import type { PlacedColumn } from './place-columns.ts';

/** The rows of one address or of one id. Names and ids that are unknown are left out. */
export interface Together {
  rows: number;
  readonly ids: Set<string>;
  readonly addresses: Set<string>;
  readonly names: Set<string>;
  readonly surnames: Set<string>;
}

/** What the rows of a sample say about ids and addresses. Placeholders and rounded numbers are no ids here. */
export interface IdentityFacts {
  /** Rows that have an id and an address. */
  readonly complete: number;
  readonly byAddress: ReadonlyMap<string, Together>;
  readonly byId: ReadonlyMap<string, Together>;
}

/** The column that fills a field. */
export const columnAt = (columns: readonly PlacedColumn[], target: string): PlacedColumn | undefined =>
  columns.find((column) => column.target === target);

/** Gathers the facts about the ids in one column. Without it, the facts are about addresses and names alone. */
export const identityFacts = (
  columns: readonly PlacedColumn[],
  rows: readonly (readonly string[])[],
  id: FileColumn | undefined,
): IdentityFacts => {
  const email = columnAt(columns, 'email');
  const names = nameColumns(columns);
  const onlyFirst = names.every(({ target }) => target === 'first_name');
  const byAddress = new Map<string, Together>();
  const byId = new Map<string, Together>();
  let complete = 0;
  for (const cells of rows) {
    const idText = id ? idIn(cells[id.index]) : '';
    const address = email ? addressIn(cells[email.index]) : '';
    const name = nameKey(names.map(({ index }) => cells[index] ?? '').join(' '));
    if (idText !== '' && address !== '') complete += 1;
    for (const [map, key] of [
      [byAddress, address],
      [byId, idText],
    ] as const) {
      if (key === '') continue;
      const together = map.get(key) ?? nothingYet();
      map.set(key, together);
      together.rows += 1;
      if (idText !== '') together.ids.add(idText);
      if (address !== '') together.addresses.add(address);
      if (name === '') continue;
      together.names.add(name);
      if (!onlyFirst) together.surnames.add(name.split(' ').at(-1) ?? name);
    }
  }
  return { complete, byAddress, byId };
};

const nothingYet = (): Together => ({
  rows: 0,
  ids: new Set(),
  addresses: new Set(),
  names: new Set(),
  surnames: new Set(),
});

const idIn = (cell = ''): string => {
  const value = visibleText(cell);
  const found = placeholderKind({ kind: 'unique_id', value });
  return found && found !== 'decimal' ? '' : value;
};

/** The address in a cell, as people are told apart by it; an empty text for none and for one that is nobody’s. */
export const addressIn = (cell = ''): string => {
  const value = visibleText(readMailbox(cell)).toLowerCase();
  return value.includes('@') && !placeholderKind({ kind: 'email', value }) ? value : '';
};

/** The columns that name the person of a row; without them, those whose header has a word for names. */
const nameColumns = (columns: readonly PlacedColumn[]): readonly PlacedColumn[] => {
  const placed = ['full_name', 'first_name', 'last_name'].flatMap(
    (target) => columnAt(columns, target) ?? [],
  );
  if (placed.length > 0) return placed;
  return columns
    .filter(({ name, values }) => namesPeople.test(nameKey(name)) && !areNumbers(values))
    .slice(0, 2);
};

const namesPeople =
  /(?:^| )(?:name|names|firstname|lastname|surname|vorname|nachname|kunde|nom|prenom|nombre|apellidos?|nome|cognome|naam|voornaam|achternaam)(?: |$)/;

/** The share of values that must have digits. */
const MOST = 0.8;

/** Whether the values of a column are numbers, such as `#1001`, and no names of people. */
export const areNumbers = (values: readonly string[]): boolean =>
  values.length > 0 && values.filter((value) => /\p{N}/u.test(value)).length >= MOST * values.length;

/** Whether several people have one id: it comes with several addresses that are not those of one name. */
export const isSharedId = ({ addresses, names }: Together): boolean => addresses.size > 1 && names.size !== 1;

/** Digits that spreadsheets keep of a number. */
const KEPT = 15;
const long = /^\d{16,40}$/;
const zeroed = /^\d{15}0+$/;

/** Zeros behind the digits that spreadsheets keep, so many that chance does not write them. */
const ZEROS = 3;

/**
 * The values that a spreadsheet has rounded: numbers in scientific form, and numbers whose digits from the sixteenth on are
 * zeros. One such number may be somebody's, so all long numbers of a column must be of this kind.
 */
export const roundedIn = (values: readonly string[]): readonly string[] => {
  const texts = values.map(visibleText);
  const numbers = new Set(texts.filter((text) => long.test(text)));
  const zeros = [...numbers].reduce((sum, { length }) => sum + length - KEPT, 0);
  const isCut = zeros >= ZEROS && [...numbers].every((text) => zeroed.test(text));
  return texts.filter(
    (value) => placeholderKind({ kind: 'unique_id', value }) === 'rounded' || (isCut && numbers.has(value)),
  );
};

/** Names of mailboxes that belong to an office, by what `nameKey` makes of them. */
const roles: ReadonlySet<string> = new Set(
  (
    'info, infos, information, office, kontakt, contact, contacto, contatto, mail, email, post, hello, hallo, service, ' +
    'support, help, sales, shop, admin, administration, webmaster, postmaster, team, reception, empfang, accueil, ' +
    'sekretariat, secretariat, segreteria, secretaria, buero, buro, bureau, oficina, ufficio, kantoor, verwaltung, ' +
    'boxoffice, box office, ticket, tickets, ticketing, kasse, theaterkasse, abendkasse, tageskasse, konzertkasse, ' +
    'kassa, vorverkauf, billetterie, billets, taquilla, entradas, biglietteria, bookings, booking, buchung, buchungen, ' +
    'reservation, reservations, reservierung, reservas, prenotazioni, events, veranstaltungen, groups, gruppen, ' +
    'kundenservice, kundendienst, customerservice, customer service, orders, bestellung, bestellungen, abo, abos, ' +
    'newsletter, marketing, presse, press, museum, theater, theatre, venue, frontdesk, front desk, foh'
  ).split(', '),
);

/** Whether the name of a mailbox is that of an office and not of a person. */
export const isRoleAddress = (address: string): boolean =>
  roles.has(nameKey(address.slice(0, address.indexOf('@'))));

/** Surnames and people of one address from which it is no household's. */
const SURNAMES = 3;
const PEOPLE = 6;

/**
 * Whether an address is a shared mailbox: an office's with two people, or any with people of three surnames, or six people.
 * Ids tell people apart only where no names do, because one person may have several.
 */
export const isSharedMailbox = (address: string, { ids, names, surnames }: Together): boolean => {
  const people = names.size > 0 ? names.size : ids.size;
  return people >= (isRoleAddress(address) ? 2 : PEOPLE) || surnames.size >= SURNAMES;
};
