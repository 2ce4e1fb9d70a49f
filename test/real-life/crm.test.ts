import { describe, expect, it } from 'vitest';
import { inspectFile, tryFile } from './try-file.ts';

const fields = (columns: readonly { readonly column: string; readonly target_field: string | null }[]) =>
  Object.fromEntries(
    columns.flatMap(({ column, target_field }) =>
      target_field === null || target_field.startsWith('extra_data.') ? [] : [[column, target_field]],
    ),
  );

describe('the contacts of a CRM', () => {
  const columns: Readonly<Record<string, readonly [string, string]>> = {
    Id: ['003A', '003B'],
    Salutation: ['Ms.', 'Mr.'],
    FirstName: ['Ann', 'Bob'],
    LastName: ['Lee', 'Ray'],
    Email: ['ann@example.org', 'bob@example.org'],
    OtherStreet: ['2 Oak St', ''],
    OtherCity: ['Peoria', ''],
    MailingStreet: ['1 Main St', '2 Main St'],
    MailingCity: ['Springfield', 'Springfield'],
    MailingState: ['IL', 'IL'],
    MailingPostalCode: ['62701', '62702'],
    MailingCountry: ['United States', 'United States'],
    Phone: ['', '+1 217 555 0199'],
    MobilePhone: ['+1 217 555 0123', '+1 217 555 0125'],
    Birthdate: ['1980-02-03', ''],
    HasOptedOutOfEmail: ['true', 'false'],
    HasOptedOutOfFax: ['true', 'true'],
    DoNotCall: ['0', '1'],
    Interests__c: ['Jazz;Opera', 'Jazz'],
    OwnerId: ['005A', '005A'],
    IsDeleted: ['false', 'false'],
    AssistantName: ['', ''],
    Fax: ['', ''],
  };
  const lines = [0, 1].map((row) =>
    Object.values(columns)
      .map((cells) => cells[row])
      .join(','),
  );
  const file = [Object.keys(columns).join(','), ...lines].join('\n');

  it('are recognised, kept or left out, each with its kind', async () => {
    const { suggestion } = await inspectFile(file);
    expect(fields(suggestion.columns)).toEqual({
      Id: 'unique_id',
      FirstName: 'first_name',
      LastName: 'last_name',
      Email: 'email',
      MailingStreet: 'street',
      MailingCity: 'city',
      MailingState: 'state',
      MailingPostalCode: 'zipcode',
      MailingCountry: 'country',
      MobilePhone: 'phone_number',
      Birthdate: 'birthday',
      HasOptedOutOfEmail: 'consent.email',
      DoNotCall: 'consent.phone',
      Interests__c: 'tags',
    });
    const kinds = new Map(suggestion.columns.map(({ column, kind }) => [column, kind]));
    expect(['Salutation', 'OtherStreet', 'Phone', 'HasOptedOutOfFax'].map((name) => kinds.get(name))).toEqual(
      Array.from({ length: 4 }, () => 'kept'),
    );
    expect(['AssistantName', 'Fax'].map((name) => kinds.get(name))).toEqual(['empty', 'empty']);
    expect(suggestion.columns.find(({ column }) => column === 'OtherCity')?.why[0]).toBe(
      'Its name means city (other), but the address is taken from mailing.',
    );
  });

  it('are imported with their opt-outs as consent that was withdrawn, and nothing for no', async () => {
    const { stored, errors, doubts } = await tryFile(file);
    expect(errors).toEqual([]);
    expect(
      stored.map(({ fields: { email, city }, consent }) => [
        email,
        city,
        consent.map(({ channel, state }) => [channel, state]),
      ]),
    ).toEqual([
      ['ann@example.org', 'Springfield', [['email', 'withdrawn']]],
      ['bob@example.org', 'Springfield', [['phone', 'withdrawn']]],
    ]);
    expect(doubts.map(({ column, cells }) => [column, cells])).toContainEqual(['HasOptedOutOfEmail', 1]);
  });
});

describe('columns of products', () => {
  it.each([
    [
      'a shop',
      'Customer ID,First Name,Last Name,Email,Accepts Email Marketing,Default Address Company,Default Address Address1,Default Address City,Default Address Province Code,Default Address Country Code,Default Address Zip,Phone,Accepts SMS Marketing,Total Spent,Tags',
      "'17,Ann,Lee,ann@example.org,yes,,1 Main St,Springfield,IL,US,62701,+1 217 555 0123,no,12.00,vip",
      'unique_id,first_name,last_name,email,consent.email,street,city,state,country,zipcode,phone_number,consent.sms,tags',
    ],
    [
      'a marketing tool',
      'Record ID,First Name,Last Name,Email,Mobile Phone Number,Street Address,City,State/Region,Postal Code,Country/Region,Unsubscribed from all email,Contact owner,Create Date',
      '17,Ann,Lee,ann@example.org,+1 217 555 0123,1 Main St,Springfield,IL,62701,United States,true,owner@example.org,2024-01-02',
      'unique_id,first_name,last_name,email,phone_number,street,city,state,zipcode,country,consent.email',
    ],
    [
      'a mailing service',
      'Email Address,FNAME,LNAME,MEMBER_RATING,OPTIN_TIME,OPTIN_IP,LEID,TAGS',
      'ann@example.org,Ann,Lee,2,2024-01-02 03:04:05,192.0.2.1,17,vip',
      'email,first_name,last_name,tags',
    ],
    [
      'another shop',
      'id_customer,firstname,lastname,user_email,billing_address_1,billing_city,billing_postcode,billing_country,billing_phone,optin',
      '17,Ann,Lee,ann@example.org,1 Main St,Springfield,62701,US,+1 217 555 0123,1',
      'unique_id,first_name,last_name,email,street,city,zipcode,country,phone_number,consent.email',
    ],
    [
      'a ticket seller',
      'Order #,Order Date,First Name,Last Name,Email,Ticket Type,Home Address 1,Home City,Home Zip,Home Country,Cell Phone,Birth Date',
      '9001,2024-01-02,Ann,Lee,ann@example.org,Adult,1 Main St,Springfield,62701,US,+1 217 555 0123,1980-02-03',
      'first_name,last_name,email,street,city,zipcode,country,phone_number,birthday',
    ],
  ])('%s', async (_, header, row, expected) => {
    const { suggestion } = await inspectFile(`${header}\n${row}\n`);
    expect(Object.values(fields(suggestion.columns)).join(',')).toBe(expected);
  });
});

describe('opt-outs', () => {
  it.each([
    ['DoNotCall', 'consent.phone'],
    ['Do Not Mail', 'consent.post'],
    ['DoNotBulkEMail', 'consent.email'],
    ['SMS opt-out', 'consent.sms'],
    ['Email Opt Out', 'consent.email'],
    ['Unsubscribed', 'consent.email'],
    ['Abgemeldet vom Newsletter', 'consent.email'],
    ['Keine Werbung per Post', 'consent.post'],
    ['Désabonné', 'consent.email'],
    ['メール配信停止', 'consent.email'],
  ])('%s withdraws %s', async (name, field) => {
    const { suggestion } = await inspectFile(`email,${name}\na@example.org,true\nb@example.org,false\n`);
    const map = suggestion.definition?.mapping_fields.field_maps[1];
    expect(map?.target_field).toBe(field);
    expect(map?.transformations?.[0]).toMatchObject({
      name: 'map',
      values: { true: 'withdrawn', false: '' },
    });
  });

  it('are turned round if a request names their field, too', async () => {
    const file = 'email,Email Opt Out\na@example.org,x\n';
    const { stored } = await tryFile(file, { targets: { 'Email Opt Out': 'consent.post' } });
    expect(stored[0]?.consent.map(({ channel, state }) => [channel, state])).toEqual([['post', 'withdrawn']]);
  });

  it.each(['Opt-out date', 'Unsubscribe reason', 'HasOptedOutOfFax', 'Do not disturb room', 'Keine Angabe'])(
    '%s is none',
    async (name) => {
      const { suggestion } = await inspectFile(`email,${name}\na@example.org,yes\nb@example.org,no\n`);
      expect(suggestion.columns[1]?.target_field).toBe(`extra_data.${name}`);
    },
  );
});

describe('several addresses in a file', () => {
  it.each([
    ['the fullest', 'Billing City,Billing Zip,Shipping City,Shipping Zip', 'Ulm,89073,,', 'Billing'],
    ['the more personal', 'Business City,Business Zip,Home City,Home Zip', 'Ulm,89073,Bonn,53111', 'Home'],
    ['the one that is asked for', 'Home City,Home Zip,Other City,Other Zip', 'Ulm,89073,Bonn,53111', 'Other'],
  ])('are kept apart: %s', async (_, header, cells, group) => {
    const targets = group === 'Other' ? { 'Other City': 'city' } : {};
    const { suggestion } = await inspectFile(`email,${header}\na@example.org,${cells}\n`, undefined, targets);
    expect(fields(suggestion.columns)).toEqual({
      email: 'email',
      [`${group} City`]: 'city',
      [`${group} Zip`]: 'zipcode',
    });
  });

  it('have no part of another address beside columns without a word for one', async () => {
    const { suggestion } = await inspectFile('email,City,Billing Street\na@example.org,Ulm,Weg 1\n');
    expect(fields(suggestion.columns)).toEqual({ email: 'email', City: 'city' });
  });
});
