import { describe, expect, it } from 'vitest';
import { inspectFile, tryFile } from './try-file.ts';

/** The field of each column in the suggestion. */
const fieldsOf = async (file: string) => {
  const { suggestion } = await inspectFile(file);
  return Object.fromEntries(suggestion.columns.map(({ column, target_field }) => [column, target_field]));
};

/** What the suggestion says about one column of a file with e-mail addresses. */
const columnOf = async (name: string, values: readonly string[], others = '') => {
  const rows = values.map((value, index) => `a${index}@example.org;${value}${others.replace(/[^;]+/g, '')}`);
  const { suggestion } = await inspectFile([`E-Mail;${name}${others}`, ...rows].join('\n'));
  const found = suggestion.columns.find(({ column }) => column === name);
  if (!found) throw new Error('no such column');
  return found;
};

describe('a column whose values say more than its name', () => {
  it.each([
    ['Kontakt', ['ann@example.org', 'bob@example.org'], 'email', '2 of 2 cells look like e-mail addresses.'],
    [
      'メールアドレス（必須）',
      ['ann@example.org', 'bob@example.org'],
      'email',
      '2 of 2 cells look like e-mail addresses.',
    ],
    ['Login', ['ann@example.org', 'bob@example.org'], 'email', '2 of 2 cells look like e-mail addresses.'],
  ])('%s is the e-mail address', async (name, values, field, reason) => {
    const { suggestion } = await inspectFile(
      [`Ort;${name}`, ...values.map((value) => `Ulm;${value}`)].join('\n'),
    );
    expect(suggestion.columns[1]).toMatchObject({ target_field: field, kind: 'mapped', why: [reason] });
    expect(suggestion).toMatchObject({ has_identity: true, notes: [] });
  });

  it.each([
    ['geb. am', ['24.02.1949', '01.12.1980'], 'birthday'],
    ['Birth (d/m/y)', ['24/02/1949', '01/12/1980'], 'birthday'],
    ['Naissance le', ['24/02/1949', '01/12/1980'], 'birthday'],
    ['生年月日（西暦）', ['1985/04/01', '1990/12/31'], 'birthday'],
    ['Urodz. dnia', ['24.02.1949', '01.12.1980'], 'birthday'],
    ['Född den', ['1949-02-24', '1980-12-01'], 'birthday'],
    ['Tel. privat', ['030 901820', '0151 23456789'], 'phone_number'],
    ['Handynr. (neu)', ['030 901820', '0151 23456789'], 'phone_number'],
    ['Erreichbar unter', ['+49 30 901820', '+49 151 23456789'], 'phone_number'],
    ['Newsletter ja/nein', ['J', 'N'], 'consent.email'],
    ['Marketing-Einwilligung per SMS', ['ja', 'nein'], 'consent.sms'],
    ['Marketing permission (post)', ['yes', 'no'], 'consent.post'],
  ])('%s with %j is %s', async (name, values, field) => {
    const { kind, target_field, why } = await columnOf(name, values);
    expect({ kind, target_field }).toEqual({ kind: 'mapped', target_field: field });
    expect(why[0]).toMatch(/^Its name (?:has a word|means)|cells look like/);
  });

  it.each([
    [
      'Letzter Besuch',
      ['24.02.2019', '01.12.2020'],
      'Its cells are dates, and its name does not say of what.',
    ],
    ['Geburtstagsgeschenk', ['ja', 'nein'], 'No field has this name, so the values go into extra data.'],
    ['Newsletter versendet', ['ja', 'nein'], 'No field has this name, so the values go into extra data.'],
    [
      'Notfall Telefon',
      ['+49 30 901820', '+49 151 23456789'],
      'No field has this name, so the values go into extra data.',
    ],
    [
      'Angelegt von',
      ['amt@example.org', 'amt@example.org'],
      'No field has this name, so the values go into extra data.',
    ],
  ])('%s with %j is extra data', async (name, values, reason) => {
    const { kind, why } = await columnOf(name, values);
    expect({ kind, why: why[0] }).toEqual({ kind: 'kept', why: reason });
  });

  it('is no identity if few values stand for many rows', async () => {
    const rows = ['Ulm', 'Bonn', 'Kiel', 'Lahr'].map((city) => `${city};desk@example.org`);
    expect(await fieldsOf(['Ort;Vermerk', ...rows].join('\n'))).toEqual({
      Ort: 'city',
      Vermerk: 'extra_data.Vermerk',
    });
  });

  it('never takes the field of a column with the name of the field', async () => {
    const file = 'E-Mail;Kontakt\nann@example.org;bob@example.org\n;cy@example.org\n;dee@example.org\n';
    const { suggestion } = await inspectFile(file);
    expect(suggestion.columns.map(({ target_field, why }) => [target_field, why.at(-1)])).toEqual([
      ['email', 'Not taken for email: "Kontakt".'],
      ['extra_data.Kontakt', 'The values go into extra data.'],
    ]);
    expect(suggestion.columns[1]?.why[0]).toContain('"E-Mail" fills email.');
  });

  it('imports people as a reader of the file would', async () => {
    const { stored, errors } = await tryFile(
      'Mitglied;Kontakt;geb. am;Tel. privat\n17;ann@example.org;24.02.1949;+49 30 901820\n18;bob@example.org;;\n',
    );
    expect(errors).toEqual([]);
    expect(
      stored.map(({ fields: { email, birthday, phone_number } }) => [email, birthday, phone_number]),
    ).toEqual([
      ['ann@example.org', '1949-02-24', '+4930901820'],
      ['bob@example.org', null, null],
    ]);
  });
});

describe('a column whose values cannot be those of its name', () => {
  it.each([
    ['Genre', ['Jazz', 'Blues']],
    ['Gender', ['red', 'blue']],
    ['Geschlecht', ['1', '2']],
    ['Sexe', ['Opéra', 'Ballet']],
    ['Country', ['Jazz', 'Blues']],
    ['Land', ['hoch', 'tief']],
    ['Age', ['adult', 'child']],
    ['Children', ['2', '3']],
    ['E-Mail (alt)', ['ja', 'nein']],
    ['Mail', ['2024-01-02', '2024-01-03']],
    ['Phone', ['yes', 'no']],
    ['Mobile', ['2024-01-02', '2024-01-03']],
    ['Zip', ['large', 'small']],
    ['Postcode', ['yes', 'no']],
    ['Geburtstag', ['ja', 'nein']],
    ['State', ['active', 'inactive']],
    ['Region', ['paid', 'pending']],
    ['State', ['true', 'false']],
    ['Name', ['#1001', '#1002']],
    ['City', ['12', '13']],
    ['Address', ['one@example.org', 'two@example.org']],
    ['Customer ID', ['yes', 'no']],
  ])('%s with %j is extra data', async (name, values) => {
    const { kind, target_field } = await columnOf(name, values);
    expect({ kind, target_field }).toEqual({ kind: 'kept', target_field: `extra_data.${name}` });
  });

  it.each([
    ['Genre', ['F', 'M'], 'gender'],
    ['Geschlecht', ['weiblich', 'divers'], 'gender'],
    ['性別', ['男性', '女性'], 'gender'],
    ['Country', ['Germany', 'FR'], 'country'],
    ['Age', ['34', 'about 50'], 'age'],
    ['Children', ['yes', 'n'], 'has_children'],
    ['State', ['OK', 'NY'], 'state'],
    ['Zip', ['00501', 'SW1A 1AA'], 'zipcode'],
    ['Geburtstag', ['0/0/00', '24.02.1949'], 'birthday'],
  ])('%s with %j fills its field', async (name, values, field) => {
    expect(await columnOf(name, values)).toMatchObject({ kind: 'mapped', target_field: field });
  });

  it('says why', async () => {
    expect((await columnOf('Gender', ['red', 'blue'])).why).toEqual([
      'Its name means gender, but most of its values are no words for a gender.',
      'The values go into extra data.',
    ]);
  });
});

describe('a word that means something else in another language', () => {
  it.each([
    ['Via', 'First Name,Total,Order Date', ['web', 'shop'], 'extra_data.Via'],
    ['Via', 'Nome,Cognome,Data di nascita', ['Roma', 'Milano'], 'street'],
    ['Etat', 'Vorname,Nachname,Ort', ['hoch', 'tief'], 'extra_data.Etat'],
    ['État', 'Prénom,Nom de famille,Ville', ['Vaud', 'Jura'], 'state'],
    ['Estado', 'First Name,Last Name', ['sent', 'open'], 'extra_data.Estado'],
    ['Nombre', 'First Name,Last Name', ['12', '13'], 'extra_data.Nombre'],
    ['By', 'First Name,Last Name', ['phone', 'web'], 'extra_data.By'],
    ['By', 'Fornavn,Efternavn', ['Odense', 'Vejle'], 'city'],
    ['CAP', 'First Name,Last Name', ['large', 'small'], 'extra_data.CAP'],
    ['Kon', 'Förnamn,Efternamn', ['Kvinna', 'Man'], 'gender'],
  ])('%s beside %s with %j goes to %s', async (name, others, values, field) => {
    const rows = values.map(
      (value, index) => `a${index}@example.org,${value}${','.repeat(others.split(',').length)}`,
    );
    const fields = await fieldsOf([`email,${name},${others}`, ...rows].join('\n'));
    expect(fields[name]).toBe(field);
  });
});

describe('names of columns in further languages', () => {
  it.each([
    [
      'Japanese',
      '会員番号,姓,名,メールアドレス,生年月日,性別,郵便番号,都道府県,市区町村,住所,携帯電話,メルマガ',
    ],
    [
      'Polish',
      'Numer klienta,Nazwisko,Imię,Adres e-mail,Data urodzenia,Płeć,Kod pocztowy,Województwo,Miejscowość,Ulica,Telefon komórkowy,Zgoda',
    ],
    [
      'Portuguese',
      'Código do cliente,Sobrenome,Primeiro nome,Endereço de e-mail,Data de nascimento,Sexo,CEP,UF,Cidade,Rua,Celular,Consentimento',
    ],
    [
      'Swedish',
      'Kundnummer,Efternamn,Förnamn,E-post,Födelsedatum,Kön,Postnummer,Län,Postort,Gatuadress,Mobilnummer,Nyhetsbrev',
    ],
    [
      'Norwegian',
      'Kundenummer,Etternavn,Fornavn,E-post,Fødselsdato,Kjønn,Postnummer,Fylke,Poststed,Gateadresse,Mobilnummer,Nyhetsbrev',
    ],
    [
      'full-width characters',
      'ＩＤ,Ｌａｓｔ　ｎａｍｅ,Ｆｉｒｓｔ　ｎａｍｅ,Ｅ－ｍａｉｌ,Ｄａｔｅ　ｏｆ　ｂｉｒｔｈ,Ｇｅｎｄｅｒ,Ｚｉｐ,Ｓｔａｔｅ,Ｃｉｔｙ,Ｓｔｒｅｅｔ,Ｐｈｏｎｅ,Ｎｅｗｓｌｅｔｔｅｒ',
    ],
  ])('%s', async (_, header) => {
    const cells = '17,Lee,Ann,ann@example.org,1980-02-03,F,12345,Lee,Ulm,Lee 1,+49 30 901820,yes';
    expect(Object.values(await fieldsOf(`${header}\n${cells}\n`))).toEqual([
      ...['unique_id', 'last_name', 'first_name', 'email', 'birthday', 'gender', 'zipcode', 'state', 'city'],
      ...['street', 'phone_number', 'consent.email'],
    ]);
  });
});

describe('a file without an identity', () => {
  it.each([
    ['Ort;Nr\nUlm;K-17\nBonn;K-18\n', '"Nr" has another value in each row, as an id has.'],
    ['Ort;Post\nUlm;a@example.org\nBonn;-\n', '"Post" looks like e-mail addresses.'],
  ])('names the column that looks like one', async (file, end) => {
    const { suggestion } = await inspectFile(file);
    expect(suggestion.has_identity).toBe(false);
    expect(suggestion.notes[0]?.endsWith(end)).toBe(true);
  });
});
