/** Known names: the tables of column names as one map from names to fields. */
import { columnNames, type Language, languages, nameKey, type Names } from './column-names.ts';
import { moreColumnNames } from './more-column-names.ts';

/**
 * What the exports of CRM systems, shops, mailing services and address books call the fields of a record, as far as the names
 * are no plain words. `HomeStreet` and `Billing City` need no entry: see `qualified-names.ts`.
 */
const productColumnNames: Readonly<Record<string, string>> = {
  // HubSpot, Klaviyo, Eventbrite, PrestaShop, WooCommerce, Mailchimp
  unique_id:
    'record id, record id contact, contact record id, klaviyo id, hubspot contact id, id customer, prospect id, subscriber id',
  // Google Contacts, Outlook, WordPress
  email:
    'e mail 1 value, email 1 value, e mail 1 address, user email, primary email, email 1, e mail 1, e mail 1 adresse',
  first_name: 'buyer first name, firstnames',
  full_name: 'buyer name, buyer full name, attendee name',
  phone_number:
    'phone 1 value, mobile phone number, primary phone, mobile telephone, smartphone, whatsapp, whatsapp number, whatsapp phone number, telefon mobil, mobiltelefon, mobilephone',
  street:
    'street 1, street1, address street, street address 1, street address line 1, address street 1, adresse 1, addr 1, addr1, postal address, full address',
  street2: 'street address 2, street address line 2, address extended address, addr 2, addr2, apt',
  state:
    'state region, province code, state code, state county, region state, state province region, address region, bundesland kanton',
  zipcode:
    'zip postal code, postal zip code, zip postcode, postal code zip, postcode zip, zip code postal code, postleitzahl plz',
  country: 'country region, country name, country code iso, cc, region country, land region',
  birthday: 'birth day, date of birth dob, birthdate dob, birthday date',
  tags: 'group membership, contact tags, customer tags, interests c, interest groups',
  'consent.email':
    'newsletter subscribed, email opted in, marketing permission, marketing permissions, opted in to marketing, opted in to marketing emails, opt in status, email opt in status, marketing opt in status, subscriber status, subscription status, newsletter status, newsletter subscription status, email subscription, subscribed to newsletter, subscribed to emails',
  'consent.sms': 'sms opted in',
  'consent.email.datetime': 'optin time, opt in time, optin date, confirm time, optin datetime',
};

/** What a name means in a language. */
export interface Meaning {
  readonly target: string;
  readonly language: Language;
}

const meanings = (): ReadonlyMap<string, readonly Meaning[]> => {
  const found = new Map<string, readonly Meaning[]>();
  const add = (target: string, language: Language, names: string | undefined): void => {
    for (const name of names?.split(',') ?? []) {
      const key = nameKey(name);
      const others = found.get(key) ?? [];
      const isKnown = others.some((other) => other.target === target && other.language === language);
      if (key !== '' && !isKnown) found.set(key, [...others, { target, language }]);
    }
  };
  for (const language of languages) {
    for (const table of [columnNames, moreColumnNames])
      for (const [target, names] of Object.entries<Names>(table)) add(target, language, names[language]);
    if (language === 'en')
      for (const [target, names] of Object.entries(productColumnNames)) add(target, 'en', names);
  }
  return found;
};

/** What each name means, by language in the order of `languages`. */
export const knownNames = meanings();

/** English names that files in other languages have as well, so that they show no language. */
export const international: ReadonlySet<string> = new Set(
  'email,e mail,mail,id,newsletter,name,tag,tags,label,labels,status,sms,mobile,opt in,optin,region,source,channel,social id,facebook id,cell,permission'.split(
    ',',
  ),
);

/**
 * Names that mean something else in another language or in other files: `genre` of music, `état` of an order, `via` which
 * somebody came, the `cap` of a market. They count only beside names of their language, or if the values prove them.
 */
export const doubtfulNames: ReadonlySet<string> = new Set(
  [
    'genre,nom,voie,etat,portable,cp,mel,canal,origine,departement,naissance,anniversaire,revenu,revenus',
    'nombre,genero,estado,piso,origen,poblacion,renta,c p,fuente',
    'nome,genere,via,cap,stato,interno,fonte,eta',
    'land,staat,alter,geb,str,zusatz',
    'pc,naam,plaats',
    'by,kon,lan,sted,stat,kod,kraj,stad,maa,ika,vek,born,barn,distrito,uf,apelido',
    'ad,gen,cim,nem',
  ]
    .join(',')
    .split(','),
);
