/** Shared mailboxes: addresses that many people come with, such as `info@` or the address of a box office. */
import { nameKey } from './column-names.ts';
import type { Together } from './identity-facts.ts';

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
