/** Column names: what people call the fields of a record in the headers of their files, by language. */

/** Languages of headers. */
export const languages = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'nl',
  'ja',
  'pl',
  'pt',
  'sv',
  'da',
  'nb',
  'cs',
  'fi',
  'ro',
  'hu',
  'el',
  'ko',
  'tr',
] as const;
export type Language = (typeof languages)[number];

/** Names of one field by language, delimited by commas. `nameKey` makes them comparable. */
export type Names = Readonly<Partial<Record<Language, string>>>;

/** The names of each target. A name stands once in the whole table. */
export const columnNames = {
  unique_id: {
    en: 'unique id, id, customer id, customer number, customer no, client id, client number, contact id, member id, member number, membership number, visitor id, user id, person id, external id, crm id, account number',
    de: 'kundennummer, kundennr, kunden nr, kunden id, kdnr, kd nr, mitgliedsnummer, mitgliedsnr, mitglieds nr, besuchernummer, personennummer, adressnummer, adressnr, debitorennummer, abonummer, externe id',
    fr: 'numero client, no client, n client, id client, code client, identifiant, identifiant client, numero adherent, numero de membre',
    es: 'numero de cliente, num cliente, n cliente, id cliente, codigo cliente, codigo de cliente, numero de socio, identificador',
    it: 'numero cliente, nr cliente, codice cliente, numero socio, numero tessera, identificativo',
    nl: 'klantnummer, klantnr, klant id, relatienummer, lidnummer, debiteurnummer',
  },
  email: {
    en: 'email, e mail, mail, email address, e mail address, mail address, emailaddress, contact email',
    de: 'email adresse, e mail adresse, mailadresse, mail adresse, emailadresse, elektronische post',
    fr: 'courriel, adresse email, adresse e mail, adresse mail, adresse courriel, adresse electronique, mel',
    es: 'correo, correo electronico, direccion de correo, direccion de correo electronico, email cliente',
    it: 'posta elettronica, indirizzo email, indirizzo e mail, indirizzo mail, indirizzo di posta',
    nl: 'mailadres, emailadres, e mailadres, e mail adres',
  },
  social_id: { en: 'social id, facebook id, social network id' },
  first_name: {
    en: 'first name, firstname, given name, forename, fname',
    de: 'vorname, rufname',
    fr: 'prenom, prenoms',
    es: 'nombre de pila, primer nombre',
    it: 'nome di battesimo, nome',
    nl: 'voornaam, roepnaam',
  },
  last_name: {
    en: 'last name, lastname, surname, family name, lname',
    de: 'nachname, familienname, zuname',
    fr: 'nom de famille, nom',
    es: 'apellido, apellidos, primer apellido',
    it: 'cognome',
    nl: 'achternaam, familienaam',
  },
  full_name: {
    en: 'full name, fullname, name, customer name, contact name, display name',
    de: 'vollstandiger name, ganzer name, kundenname, vor und nachname, name vorname, vorname nachname',
    fr: 'nom complet, nom et prenom, nom prenom, prenom nom',
    es: 'nombre completo, nombre y apellidos, nombre',
    it: 'nome completo, nome e cognome, nominativo',
    nl: 'volledige naam, naam',
  },
  age: { en: 'age', de: 'alter', es: 'edad', it: 'eta', nl: 'leeftijd' },
  birthday: {
    en: 'birthday, birth date, birthdate, date of birth, dob',
    de: 'geburtsdatum, geburtstag, geb, geb datum, gebdatum, geboren, geboren am',
    fr: 'date de naissance, anniversaire, ne le, naissance',
    es: 'fecha de nacimiento, fecha nacimiento, nacimiento, cumpleanos',
    it: 'data di nascita, data nascita, nascita, compleanno',
    nl: 'geboortedatum, verjaardag, geboren op',
  },
  gender: {
    en: 'gender, sex',
    de: 'geschlecht',
    fr: 'sexe, genre',
    es: 'sexo, genero',
    it: 'sesso, genere',
    nl: 'geslacht',
  },
  street: {
    en: 'street, street address, address, address line 1, address 1, address1, street name',
    de: 'strasse, strasse hausnummer, strasse nr, strasse und hausnummer, str, anschrift, adresse',
    fr: 'rue, voie, adresse 1, adresse postale',
    es: 'calle, direccion, direccion postal, domicilio',
    it: 'via, indirizzo, strada',
    nl: 'straat, straatnaam, adres, straat en huisnummer',
  },
  street2: {
    en: 'street 2, street2, address line 2, address 2, address2, apartment, suite',
    de: 'adresszusatz, zusatz, adresse 2',
    fr: 'complement d adresse, complement adresse',
    es: 'direccion 2, piso',
    it: 'indirizzo 2, interno',
    nl: 'adres 2, toevoeging',
  },
  city: {
    en: 'city, town, city town',
    de: 'ort, stadt, wohnort, plz ort',
    fr: 'ville, commune, localite',
    es: 'ciudad, localidad, poblacion, municipio',
    it: 'citta, comune, localita',
    nl: 'plaats, woonplaats, gemeente',
  },
  state: {
    en: 'state, county, region, province, state province',
    de: 'bundesland, kanton',
    fr: 'departement, etat',
    es: 'provincia, comunidad autonoma, estado',
    it: 'regione',
    nl: 'provincie',
  },
  zipcode: {
    en: 'zip, zip code, zipcode, postal code, postcode, post code',
    de: 'plz, postleitzahl',
    fr: 'code postal, cp',
    es: 'codigo postal, c p',
    it: 'cap, codice postale',
    nl: 'postcode plaats, pc',
  },
  country: {
    en: 'country, nation, country code',
    de: 'land, staat, landerkennzeichen, land iso',
    fr: 'pays',
    es: 'pais',
    it: 'paese, nazione, stato',
    nl: 'landcode, landnaam',
  },
  has_children: {
    en: 'has children, children, kids',
    de: 'kinder, hat kinder',
    fr: 'enfants, a des enfants',
    es: 'hijos, tiene hijos',
    it: 'figli, ha figli',
    nl: 'kinderen, heeft kinderen',
  },
  phone_number: {
    en: 'phone, phone number, telephone, telephone number, mobile, mobile phone, mobile number, cell, cell phone, tel, phone1',
    de: 'telefon, telefonnummer, telefonnr, tel nr, telnr, handy, handynummer, mobil, mobilnummer, mobiltelefon, rufnummer, festnetz',
    fr: 'numero de telephone, telephone portable, telephone mobile, portable, tel portable',
    es: 'telefono, numero de telefono, telefono movil, movil, tel movil',
    it: 'telefono cellulare, cellulare, numero di telefono, numero di cellulare, recapito telefonico',
    nl: 'telefoon, telefoonnummer, mobiel, mobiele telefoon, gsm',
  },
  education_level: {
    en: 'education, education level',
    de: 'bildung, bildungsabschluss, schulabschluss',
    fr: 'niveau d etudes',
    es: 'estudios, nivel de estudios',
    it: 'titolo di studio, istruzione',
    nl: 'opleiding, opleidingsniveau',
  },
  home_owner_status: { en: 'home owner status, home owner, homeowner', de: 'wohneigentum, wohnstatus' },
  home_value: { en: 'home value', de: 'immobilienwert' },
  household_income: {
    en: 'household income, income',
    de: 'haushaltseinkommen, einkommen',
    fr: 'revenu, revenus, revenu du foyer',
    es: 'ingresos, renta',
    it: 'reddito',
    nl: 'inkomen, gezinsinkomen',
  },
  marital_status: {
    en: 'marital status',
    de: 'familienstand',
    fr: 'etat civil, situation familiale',
    es: 'estado civil',
    it: 'stato civile',
    nl: 'burgerlijke staat',
  },
  tags: {
    en: 'tags, tag, labels, label, interests, interest, categories, keywords',
    de: 'schlagworte, schlagworter, schlagwort, interessen, kategorien, merkmale, stichworte',
    fr: 'etiquettes, mots cles, centres d interet, interets',
    es: 'etiquetas, intereses, palabras clave, categorias',
    it: 'etichette, interessi, parole chiave, categorie',
    nl: 'trefwoorden, interesses, categorieen, kenmerken',
  },
  'consent.email': {
    en: 'newsletter, newsletter consent, newsletter opt in, consent, opt in, optin, email consent, email opt in, e mail consent, marketing consent, marketing opt in, accepts marketing, subscribed, newsletter subscription, gdpr consent, permission, email marketing consent, accepts email marketing, email marketing status, email marketing, email subscription status, opted in to email, email permission status',
    de: 'einwilligung, newsletter einwilligung, werbeeinwilligung, einwilligung newsletter, einwilligung werbung, einwilligung email, einwilligung e mail, email einwilligung, newsletter abo, newsletter anmeldung, newsletterempfanger, dsgvo, dsgvo einwilligung, zustimmung, werbung erlaubt',
    fr: 'consentement, consentement email, consentement marketing, abonne newsletter, accord newsletter, infolettre, abonnement newsletter, rgpd',
    es: 'consentimiento, consentimiento email, consentimiento marketing, suscrito, suscripcion newsletter, boletin, acepta publicidad, rgpd consentimiento',
    it: 'consenso, consenso email, consenso marketing, consenso newsletter, iscritto newsletter, iscrizione newsletter',
    nl: 'toestemming, toestemming email, toestemming nieuwsbrief, nieuwsbrief, aangemeld voor nieuwsbrief, avg toestemming',
  },
  'consent.sms': {
    en: 'sms consent, sms opt in, sms permission, sms marketing consent, accepts sms marketing, sms marketing, sms marketing status, sms subscription status',
    de: 'sms einwilligung, einwilligung sms',
    fr: 'consentement sms',
    es: 'consentimiento sms',
    it: 'consenso sms',
    nl: 'toestemming sms',
  },
  'consent.phone': {
    en: 'phone consent, phone opt in, telephone consent, call permission',
    de: 'einwilligung telefon, telefon einwilligung',
    fr: 'consentement telephone',
    es: 'consentimiento telefono',
    it: 'consenso telefono',
    nl: 'toestemming telefoon',
  },
  'consent.post': {
    en: 'post consent, postal consent, mail consent, postal mail opt in',
    de: 'einwilligung post, post einwilligung, einwilligung briefpost',
    fr: 'consentement courrier',
    es: 'consentimiento correo postal',
    it: 'consenso posta',
    nl: 'toestemming post',
  },
  'consent.email.datetime': {
    en: 'consent date, consent time, consent datetime, consent timestamp, consent changed, consent changed at, consent updated at, email consent date, marketing consent date, newsletter consent date, gdpr consent date, email marketing consent timestamp, email consent timestamp, email marketing consent updated at, email marketing consent date',
    de: 'einwilligung datum, einwilligung zeitpunkt, einwilligung geandert am, einwilligungsdatum, datum einwilligung, datum der einwilligung',
    fr: 'date consentement, date de consentement, date du consentement',
    es: 'fecha consentimiento, fecha de consentimiento, fecha del consentimiento',
    it: 'data consenso, data del consenso',
    nl: 'datum toestemming, toestemmingsdatum',
  },
  'consent.sms.datetime': {
    en: 'sms consent date, sms marketing consent timestamp, sms consent timestamp',
    de: 'sms einwilligung datum',
  },
  'consent.phone.datetime': { en: 'phone consent date', de: 'telefon einwilligung datum' },
  'consent.post.datetime': { en: 'post consent date, postal consent date', de: 'post einwilligung datum' },
  source: {
    en: 'source, origin, channel, lead source',
    de: 'quelle, herkunft, kanal',
    fr: 'origine, canal',
    es: 'origen, fuente',
    it: 'origine contatto, fonte, provenienza',
    nl: 'bron, herkomst',
  },
} as const satisfies Readonly<Record<string, Names>>;

/** Words for yes and no. `nameKey` makes them comparable. */
export const yesWords =
  'yes, y, true, ja, j, oui, o, si, s, vrai, wahr, waar, vero, verdadero, x, 1, sim, tak, da, да, ano, igen, kylla, jah, taip, ναι, evet, 예, 네, はい';
export const noWords =
  'no, n, false, nein, non, nee, faux, falsch, onwaar, falso, 0, nao, nie, nej, nu, ne, нет, nem, ei, οχι, hayır, hayir, 아니오, 아니요, いいえ';

/** Words for consent that was given or withdrawn, besides the words for yes and no. */
export const givenWords =
  'given, granted, subscribed, opt in, optin, opted in, confirmed, double opt in, single opt in, consent, consented, accepted, agreed, allowed, erteilt, eingewilligt, angemeldet, abonniert, zugestimmt, einverstanden, accorde, abonne, inscrit, consenti, accepte, concedido, suscrito, aceptado, otorgado, concesso, iscritto, accettato, gegeven, aangemeld, toegestaan, inscrito, subscrito, aceito, concedida, zgoda, wyrazona, zapisany, medgivet, godkant, prenumererar, 希望する, 同意する, 同意, 登録済み, 配信中, 동의, 동의함, 수신동의, 수신, abonat, feliratkozott, souhlasi, prihlasen';
export const withdrawnWords =
  'withdrawn, revoked, unsubscribed, opt out, optout, opted out, declined, denied, refused, suppressed, blacklisted, blocklisted, unsubscribe, no consent, not consented, widerrufen, abgemeldet, entzogen, abgelehnt, verweigert, gesperrt, nicht einverstanden, retire, desabonne, desinscrit, refuse, oppose, retirado, revocado, rechazado, dado de baja, revocato, disiscritto, rifiutato, cancellato, ingetrokken, afgemeld, geweigerd, descadastrado, cancelado, recusado, wycofana, wypisany, odmowa, aterkallat, avregistrerad, nekad, 希望しない, 同意しない, 配信停止, 解除, 미동의, 동의안함, 동의 안함, 수신거부, 거부, dezabonat, leiratkozott, nesouhlasi, odhlasen';
/** Words for people who were never asked, or whose address does not work: they say neither yes nor no. */
export const nothingWords =
  'never subscribed, not subscribed, nie angemeldet, nicht angemeldet, jamais inscrit, non inscrit, nunca suscrito, no suscrito, mai iscritto, non iscritto, nooit aangemeld, niet aangemeld, non subscribed, nonsubscribed, never, pending, unconfirmed, not confirmed, cleaned, bounced, invalid, redacted, archived, transactional, unknown, not set, not specified, not asked, none, null, n a, na, unbekannt, ausstehend, keine angabe, nicht angegeben, offen, inconnu, en attente, desconocido, pendiente, sconosciuto, in attesa, onbekend, in afwachting, desconhecido, pendente, nieznany, oczekujacy, okand, vantande, 未確認, 未登録, 不明';

/**
 * The form in which names are compared: lower case, without accents and full-width forms, digits and letters with single
 * spaces between.
 */
export const nameKey = (text: string): string =>
  text
    .normalize('NFKD')
    .trim()
    .replace(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .replaceAll('ß', 'ss')
    .replaceAll('ł', 'l')
    .replaceAll('ø', 'o')
    .replaceAll('æ', 'ae')
    .replaceAll('&', ' und ')
    .replace(/\p{M}/gu, '')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
