import { describe, expect, it } from 'vitest';
import { tryFile } from './try-file.ts';

const people = (file: string) =>
  tryFile(file).then(({ stored, errors }) => ({
    errors,
    people: stored.map(({ fields, country, tags }) => ({
      ...fields,
      country,
      tags: tags.map(({ tag }) => tag),
    })),
  }));

describe('address books', () => {
  it('of one kind number their columns', async () => {
    const { errors, people: found } = await people(
      [
        'First Name,Middle Name,Last Name,Birthday,E-mail 1 - Label,E-mail 1 - Value,E-mail 2 - Label,E-mail 2 - Value,Phone 1 - Label,Phone 1 - Value,Address 1 - Street,Address 1 - City,Address 1 - Region,Address 1 - Postal Code,Address 1 - Country,Address 2 - City',
        'Ann,,Lee,1979-02-03,* Work,ann@example.org,Home,ann.home@example.org,Mobile,+44 20 7946 0991 ::: +44 20 7946 0992,1 Quay Row,Hull,Yorkshire,HU1 1AA,GB,York',
        'Bob,,Fox,,* Home,bob@example.org,,,,,,,,,,',
      ].join('\n'),
    );
    expect(errors).toEqual([]);
    expect(found).toMatchObject([
      {
        email: 'ann@example.org',
        phone_number: '+442079460991',
        street: '1 Quay Row',
        city: 'Hull',
        zipcode: 'HU1 1AA',
        country: 'GB',
        birthday: '1979-02-03',
      },
      { email: 'bob@example.org', first_name: 'Bob', city: null },
    ]);
  });

  it('of an older form have the whole name beside its parts', async () => {
    const { errors, people: found } = await people(
      [
        'Name,Given Name,Additional Name,Family Name,Birthday,Group Membership,E-mail 1 - Type,E-mail 1 - Value,Phone 1 - Type,Phone 1 - Value,Address 1 - Street,Address 1 - City,Address 1 - Postal Code,Address 1 - Country',
        'Ann Lee,Ann,,Lee,1979-02-03,* myContacts,* Work,ann@example.org ::: lee@example.org,Mobile,+44 20 7946 0993,1 Quay Row,Hull,HU1 1AA,United Kingdom',
        'Bob Fox,Bob,,Fox,,* myContacts,* Home,bob@example.org,,,,,,',
      ].join('\n'),
    );
    expect(errors).toEqual([]);
    expect(found).toMatchObject([
      {
        ...{ full_name: 'Ann Lee', first_name: 'Ann', last_name: 'Lee', email: 'ann@example.org' },
        ...{ phone_number: '+442079460993', street: '1 Quay Row', city: 'Hull', zipcode: 'HU1 1AA' },
        ...{ country: 'GB', tags: ['myContacts'] },
      },
      { full_name: 'Bob Fox', first_name: 'Bob', last_name: 'Fox', tags: ['myContacts'] },
    ]);
  });

  it.each([
    ['Name,Vorname,Nachname', 'Ute Wolf,Ute,Wolf'],
    ['Nom,Prénom,Nom de famille', 'Ute Wolf,Ute,Wolf'],
    ['Nombre,Primer nombre,Apellidos', 'Ute Wolf,Ute,Wolf'],
  ])('have the whole name beside its parts in other languages, too: %s', async (header, cells) => {
    const { people: found } = await people(`${header},E-Mail\n${cells},ute@example.org\n`);
    expect(found).toMatchObject([{ full_name: 'Ute Wolf', first_name: 'Ute', last_name: 'Wolf' }]);
  });

  it('of another kind name home and business', async () => {
    const { errors, people: found } = await people(
      [
        'Title,First Name,Last Name,Company,Business Street,Business City,Business Postal Code,Home Street,Home City,Home State,Home Postal Code,Home Country/Region,Business Phone,Home Phone,Mobile Phone,Birthday,E-mail Address,E-mail 2 Address,Categories',
        'Ms,Ann,Lee,Hall,Dock 9,Leeds,LS1 1AA,1 Quay Row,Hull,Yorkshire,HU1 1AA,United Kingdom,+44 20 7946 0990,,+44 20 7946 0991,1979-02-03,ann@example.org,,Friends;Jazz',
      ].join('\n'),
    );
    expect(errors).toEqual([]);
    expect(found).toMatchObject([
      {
        email: 'ann@example.org',
        street: '1 Quay Row',
        city: 'Hull',
        zipcode: 'HU1 1AA',
        country: 'GB',
        phone_number: '+442079460991',
      },
    ]);
  });

  it('in German put privat and geschäftlich behind', async () => {
    const { errors, people: found } = await people(
      [
        'Anrede;Vorname;Nachname;Straße geschäftlich;Ort geschäftlich;Straße privat;Ort privat;Postleitzahl privat;Land/Region privat;Telefon geschäftlich;Mobiltelefon;Geburtstag;E-Mail-Adresse',
        'Frau;Ann;Lee;Hafen 9;Kiel;Weg 1;Ulm;89073;Deutschland;+49 431 901820;+49 151 23456789;03.02.1979;ann@example.org',
      ].join('\n'),
    );
    expect(errors).toEqual([]);
    expect(found).toMatchObject([
      {
        email: 'ann@example.org',
        street: 'Weg 1',
        city: 'Ulm',
        zipcode: '89073',
        country: 'DE',
        phone_number: '+4915123456789',
        birthday: '1979-02-03',
      },
    ]);
  });
});
