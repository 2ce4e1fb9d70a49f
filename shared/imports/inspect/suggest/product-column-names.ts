/**
 * Product column names: what the exports of CRM systems, shops, mailing services and address books call the fields of a
 * record, as far as the names are no plain words. `HomeStreet` and `Billing City` need no entry: see `qualified-names.ts`.
 */

/** The names of each target. `nameKey` makes them comparable. */
export const productColumnNames: Readonly<Record<string, string>> = {
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
