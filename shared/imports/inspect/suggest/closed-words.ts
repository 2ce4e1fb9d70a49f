/** Closed words: the words that fields of few values have in files. */
import { nameKey } from './column-names.ts';
import { keysOf } from './suggest-words.ts';

/** Words for the state of an order, an account or a subscription, which is no part of an address. */
const statuses: ReadonlySet<string> = new Set(
  [
    'active, inactive, paid, unpaid, pending, open, opened, closed, new, enabled, disabled, subscribed, unsubscribed',
    'cleaned, complete, completed, cancelled, canceled, draft, shipped, delivered, returned, refunded, processing, on hold',
    'archived, deleted, confirmed, unconfirmed, error, failed, success, invited, approved, rejected, blocked, expired',
    'done, in progress, won, lost, registered, verified, unverified, live, sent, bounced, yes, no, true, false',
    'aktiv, inaktiv, offen, geschlossen, bezahlt, unbezahlt, storniert, abgeschlossen, bestatigt, gesperrt, geliefert',
    'versandt, neu, erledigt, gekundigt, actif, inactif, actifs, paye, payee, impaye, en attente, annule, annulee, expedie',
    'expediee, livre, livree, ferme, ouvert, nouveau, termine, activo, inactivo, pagado, pendiente, cancelado, enviado',
    'entregado, abierto, cerrado, nuevo, attivo, inattivo, pagato, in attesa, annullato, spedito, consegnato, aperto, chiuso',
    'actief, inactief, betaald, openstaand, geannuleerd, verzonden, geleverd, aktywny, nieaktywny, oplacony, ativo, inativo',
    'pago, pendente, betald, avslutad, aktivni, neaktivni',
  ].flatMap(keysOf),
);

/** Whether a text is a word for a status. */
export const isStatus = (value: string): boolean => statuses.has(nameKey(value));
