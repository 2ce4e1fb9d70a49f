/** The user of a token, as `GET /v1/me` shows it. */
import type { Answer, Permission } from '../../client/src/index.ts';

type Caller = Answer<'getCaller'>;

const all: readonly Permission[] = [
  'account.read',
  'definitions.read',
  'definitions.write',
  'exports.write',
  'people.erase',
  'people.read',
  'people.write',
];

/** An owner with two properties, unless members say otherwise. */
export const callerWith = ({
  token = {},
  ...members
}: Partial<Omit<Caller, 'token'>> & { readonly token?: Partial<Caller['token']> } = {}): Caller => ({
  user: { id: 1, first_name: 'Ada', last_name: 'L', email: 'ada@example.org' },
  role: 'owner',
  permissions: all,
  account: { id: 1, name: 'Hall' },
  properties: [
    { id: 7, name: 'Main', search_names: false },
    { id: 8, name: 'Second', search_names: false },
  ],
  token: {
    id: '0123abc2',
    name: null,
    properties: null,
    expires: '2026-12-22T10:00:00.000Z',
    ...token,
  },
  ...members,
});
