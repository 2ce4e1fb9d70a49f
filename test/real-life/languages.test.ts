import { describe, expect, it } from 'vitest';
import { inspectFile, tryFile } from './try-file.ts';

const fields = [
  'email',
  'first_name',
  'last_name',
  'phone_number',
  'street',
  'city',
  'zipcode',
  'country',
  'birthday',
  'gender',
  'consent.email',
];

const row = (yes: string, index: number) =>
  `p${index}@example.org;Ann;Lovis;+49 30 90184${index};Elm 1;Ulm;89073;DE;13.04.1980;F;${yes}`;

describe('headers of other languages', () => {
  it.each([
    ['E-mail;Prenume;Nume;Telefon mobil;Strada;Localitate;Cod poștal;Țara;Data nașterii;Sex;Acord marketing'],
    ['E-mail;Keresztnév;Vezetéknév;Telefonszám;Utca;Város;Irányítószám;Ország;Születési dátum;Neme;Hírlevél'],
    ['EMAIL;KERNEV;VEZNEV;TELEFON;UTCA;VAROS;IRSZ;ORSZAG;SZULDAT;NEM;HIRLEVEL'],
    ['E-mail;Όνομα;Επώνυμο;Τηλέφωνο;Οδός;Πόλη;ΤΚ;Χώρα;Ημ. γέννησης;Φύλο;Ενημερωτικό δελτίο'],
    ['E-MAIL;ΟΝΟΜΑ;ΕΠΩΝΥΜΟ;ΚΙΝΗΤΟ;ΔΙΕΥΘΥΝΣΗ;ΠΟΛΗ;Τ.Κ.;ΧΩΡΑ;ΗΜΕΡΟΜΗΝΙΑ ΓΕΝΝΗΣΗΣ;ΦΥΛΟ;ΕΝΗΜΕΡΩΤΙΚΟ ΔΕΛΤΙΟ'],
    ['이메일;이름;성;휴대폰;주소;도시;우편번호;국가;생년월일;성별;이메일 수신동의'],
    ['E-posta;Adı;Soyadı;Cep telefonu;Adres;Şehir;Posta kodu;Ülke;Doğum tarihi;Cinsiyet;E-bülten'],
    ['E-POSTA;AD;SOYAD;TELEFON;ADRES;ŞEHİR;POSTA KODU;ÜLKE;DOĞUM TARİHİ;CİNSİYET;BÜLTEN'],
    ['E-mail;Křestní jméno;Příjmení;Mobil;Ulice;Město;PSČ;Země;Datum narození;Pohlaví;Odběr novinek'],
    ['E-mailadresse;Fornavn;Efternavn;Mobil;Vej;By;Postnr.;Land;Fødselsdato;Køn;Tilmeldt nyhedsbrev'],
    [
      'E-mailadres;Voornaam;Achternaam;Mobiel;Straat;Woonplaats;Postcode;Land;Geboortedatum;Geslacht;Nieuwsbrief',
    ],
    [
      'Sähköposti;Etunimi;Sukunimi;Matkapuhelin;Katuosoite;Kaupunki;Postinumero;Maa;Syntymäaika;Sukupuoli;Uutiskirje',
    ],
  ])('name the fields of people: %s', async (header) => {
    const { suggestion } = await inspectFile([header, row('1', 1), row('0', 2), ''].join('\n'));
    expect(suggestion.columns.map(({ target_field }) => target_field)).toEqual(fields);
  });

  it.each([
    ['E-mail;Nume;Oraș', 'full_name'],
    ['이메일;이름;도시', 'full_name'],
    ['E-mail;Név;Város', 'full_name'],
    ['E-mail;Ονοματεπώνυμο;Πόλη', 'full_name'],
    ['E-posta;Ad Soyad;Şehir', 'full_name'],
  ])('name a whole name: %s', async (header, field) => {
    const { suggestion } = await inspectFile(`${header}\na@example.org;Ann Lovis;Ulm\n`);
    expect(suggestion.columns[1]?.target_field).toBe(field);
  });

  it('have words of other files that are no fields', async () => {
    const { suggestion } = await inspectFile(
      'Email,Ad,Gen\na@example.org,7-banner,3\nb@example.org,8-top,4\n',
    );
    expect(suggestion.columns.map(({ kind }) => kind)).toEqual(['mapped', 'kept', 'kept']);
  });
});

describe('a part of a field in a column of its own', () => {
  it('is kept as extra data, and said', async () => {
    const file = [
      'E-mailadres;Voornaam;Tussenvoegsel;Achternaam;Straat;Huisnummer;Plaats',
      'a@example.org;Jan;van der;Berg;Dorpsstraat;12;Utrecht',
      'b@example.org;Eva;;Smit;Kerkweg;7 a;Zwolle',
      '',
    ].join('\n');
    const { stored, doubts } = await tryFile(file);
    expect(stored[0]?.fields).toMatchObject({ last_name: 'Berg', street: 'Dorpsstraat' });
    expect(stored[0]?.extra).toMatchObject({ Tussenvoegsel: 'van der' });
    expect(doubts.map(({ column, cells }) => [column, cells])).toEqual([
      ['Tussenvoegsel', 1],
      ['Huisnummer', 2],
    ]);
    expect(doubts[0]?.does).toContain('The last name is stored without them');
  });
});
