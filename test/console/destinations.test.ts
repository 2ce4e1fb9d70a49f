import { expect, it } from 'vitest';
import { destinationsIn } from '../../console/src/screens/segments/destinations.ts';

const none = { name: null, directory: null, destination_credentials: null, s3_destination: null };
const to = (id: string, change: object = {}) => ({
  ...{ ...none, id, name: id, pgp_public_key: null },
  destination_credentials: { domain: 'sftp.example.org', client_id: 'hall', public_key: null },
  ...change,
});

it('offers the newest export to each place, and keeps apart what is encrypted and what is not', () => {
  const listed = [
    to('newest'),
    { ...none, id: 'mail', pgp_public_key: null },
    to('encrypted', { pgp_public_key: 'a key' }),
    to('older'),
    to('elsewhere', { directory: 'out' }),
  ];
  expect(destinationsIn(listed).map((one) => [one.export, one.place])).toEqual([
    ['newest', 'hall@sftp.example.org'],
    ['encrypted', 'hall@sftp.example.org'],
    ['elsewhere', 'hall@sftp.example.org, out'],
  ]);
});
