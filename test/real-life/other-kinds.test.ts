import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { otherFormat } from '../../shared/imports/files/other-format.ts';
import { importHarness, simpleDefinition } from '../imports/import-harness.ts';
import { inspectFile, tryFile } from './try-file.ts';

const latin1 = (text: string): Buffer => Buffer.from(text, 'latin1');

/** A tar archive: the name of a file, and at byte 257 the name of the format. */
const tar = Buffer.concat([
  latin1('people.csv'),
  Buffer.alloc(247),
  latin1('ustar\x0000'),
  Buffer.alloc(248),
]);

/** Bytes without a meaning, as those of encrypted data. */
const random = Buffer.from(
  Array.from({ length: 600 }, (_, index) => (index * 197 + index * index * 31) % 256),
);

const vcard = 'BEGIN:VCARD\r\nVERSION:4.0\r\nFN:Ann Lee\r\nEMAIL:ann@example.org\r\nEND:VCARD\r\n';
const json = '[\n  {"email": "ann@example.org", "first_name": "Ann"}\n]\n';
const lines = '{"email":"ann@example.org"}\n{"email":"bob@example.org"}\n';

describe('a file of another kind', () => {
  it.each([
    ['a vCard', vcard, 'a vCard'],
    ['a vCard in UTF-16', Buffer.from(`\ufeff${vcard}`, 'utf16le'), 'a vCard'],
    ['a vCard in gzip', gzipSync(vcard), 'a vCard'],
    ['a calendar', 'BEGIN:VCALENDAR\r\nVERSION:2.0\r\n', 'a calendar (iCalendar)'],
    ['JSON', json, 'JSON'],
    ['JSON with two byte order marks', `\ufeff\ufeff${json}`, 'JSON'],
    ['a JSON object', '{\n  "people": []\n}\n', 'JSON'],
    ['JSON Lines', lines, 'JSON Lines'],
    ['XML', '<?xml version="1.0"?>\n<people/>\n', 'XML'],
    ['XML without a declaration', '<people>\n  <person id="1"/>\n</people>\n', 'XML'],
    [
      'HTML called .xls',
      '\r\n<html xmlns:x="urn:schemas-microsoft-com:office:excel"><body>',
      'a web page (HTML)',
    ],
    ['a table of HTML', '<table border="1"><tr><th>E-Mail</th></tr>', 'a web page (HTML)'],
    ['SYLK', 'ID;PWXL;N;E\r\nP;PGeneral\r\nC;Y1;X1;K"E-Mail"\r\n', 'a SYLK file'],
    ['LDIF', 'dn: cn=Ann Lee,dc=example,dc=org\nobjectClass: person\ncn: Ann Lee\n', 'an LDIF file'],
    ['an e-mail', 'From: Ann <ann@example.org>\nSubject: list\nMIME-Version: 1.0\n\n', 'an e-mail'],
    ['RTF', '{\\rtf1\\ansi E-Mail}', 'an RTF document'],
    ['tar', tar, 'a tar archive'],
    ['tar in gzip', gzipSync(tar), 'a tar archive'],
    ['7z', latin1('7z\xbc\xaf\x27\x1c\x00\x04'), 'a 7z archive'],
    ['bzip2', latin1('BZh91AY&SY\x00'), 'a bzip2 file'],
    ['xz', latin1('\xfd7zXZ\x00\x00'), 'an xz file'],
    ['Zstandard', latin1('\x28\xb5\x2f\xfd\x04'), 'a Zstandard file'],
    ['Parquet', latin1('PAR1\x15\x04'), 'a Parquet file'],
    ['Avro', latin1('Obj\x01\x04'), 'an Avro file'],
    ['SQLite', latin1('SQLite format 3\x00\x10'), 'an SQLite database'],
    ['PNG', latin1('\x89PNG\r\n\x1a\n'), 'an image (PNG)'],
    ['JPEG', latin1('\xff\xd8\xff\xe0\x00\x10JFIF'), 'an image (JPEG)'],
    ['armored PGP', '-----BEGIN PGP MESSAGE-----\n\nhQ', 'an encrypted PGP message'],
    [
      'PGP with a passphrase',
      Buffer.concat([latin1('\x8c\x0d\x04\x09\x03\x02'), random]),
      'an encrypted PGP',
    ],
    ['PGP with a key', Buffer.concat([latin1('\x85\x01\x0c\x03'), random]), 'an encrypted PGP message'],
    ['PGP in new packets', Buffer.concat([latin1('\xc1\xc0\x4c\x03'), random]), 'an encrypted PGP message'],
    ['PGP that is only compressed', Buffer.concat([latin1('\xa3\x02'), random]), 'an encrypted PGP message'],
  ])('is named: %s', async (_, file, what) => {
    const harness = importHarness();
    const { failure, suggestion } = await inspectFile(file, harness);
    expect(failure?.code).toBe('not_csv');
    expect(failure?.message).toContain(`This file is ${what}`);
    expect(suggestion.definition).toBeNull();
    const { id } = await harness.define({ ...simpleDefinition, encoding: 'auto', delimiter: 'auto' });
    const job = await harness.runFile(id, file);
    expect(job.failure).toMatchObject({ code: 'not_csv', message: failure?.message });
    expect(await harness.people()).toEqual([]);
  });

  it.each([
    ['a column ID', 'ID;E-Mail;Vorname\n1;ann@example.org;Ann\n'],
    ['a column ID before a column that begins with P', 'ID;Plan;E-Mail;Vorname\n1;A;ann@example.org;Ann\n'],
    ['braces in the header', '{id},E-Mail,Vorname\n1,ann@example.org,Ann\n'],
    ['JSON in quotes', '"{""a"":1}",E-Mail,Vorname\n"{""a"":2}",ann@example.org,Ann\n'],
    ['brackets in the header', '[ID],E-Mail,Vorname\n1,ann@example.org,Ann\n'],
    ['angle brackets in the header', '<id>,E-Mail,Vorname\n<none>,ann@example.org,Ann\n'],
    ['columns that begin as a mail', 'From,Subject,E-Mail,Vorname\na,b,ann@example.org,Ann\n'],
    ['a column PAR1', 'PAR1,E-Mail,Vorname\n1,ann@example.org,Ann\n'],
    ['a column BEGIN', 'BEGIN,E-Mail,Vorname\n1,ann@example.org,Ann\n'],
    ['letters above ASCII in front', latin1('\xc4lter;E-Mail;Vorname\n1;ann@example.org;Ann\n')],
  ])('is not suspected in a table with %s', async (_, file) => {
    expect(otherFormat(Buffer.from(file))).toBeUndefined();
    const { stored } = await tryFile(file);
    expect(stored.map(({ fields }) => fields.first_name)).toEqual(['Ann']);
  });
});
