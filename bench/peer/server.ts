/** The process behind `openPeer`: a small HTTP service in front of PostgreSQL, until its parent disconnects. */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { json } from 'node:stream/consumers';
import pg from 'pg';
import * as v from 'valibot';
import { listenHttp } from '../../local/core/loopback.ts';
import { copyIn, copyOut } from './bulk.ts';
import { peerOptions } from './messages.ts';
import * as sql from './statements.ts';

/** Sessions of the database: as many as requests come at a time. */
const SESSIONS = 8;

const CLIENT = 'peer';

process.once('disconnect', () => process.exit());

const options = v.parse(peerOptions, JSON.parse(process.argv[2] ?? '{}'));
const pool = new pg.Pool({ host: options.host, user: options.user, database: 'postgres', max: SESSIONS });

/** Runs a statement, which each session prepares once. */
const rowsOf = async (name: string, text: string, values: unknown[]): Promise<unknown[]> => {
  const { rows }: { rows: unknown[] } = await pool.query({ name, text, values });
  return rows;
};

const factsSchema = v.record(v.string(), v.looseTuple([v.string()]));
const personSchema = v.object({ uuid: v.string(), facts: factsSchema });
type Person = v.InferOutput<typeof personSchema>;

/** The fields of a profile, as Tidemark shows them. */
const FIELDS = [
  ...['unique_id', 'email', 'social_id', 'first_name', 'last_name', 'full_name', 'gender', 'marital_status'],
  ...['education_level', 'household_income', 'home_value', 'ethnicity', 'home_owner_status', 'phone_number'],
  ...['professional_id', 'birthday', 'has_children', 'street', 'street2', 'city', 'state', 'zipcode'],
] as const;

const viewOf = ({ uuid, facts }: Person) => ({
  profile_uuid: uuid,
  ...Object.fromEntries(FIELDS.map((name) => [name, facts[name]?.[0] ?? null])),
});

/** An answer: a status with a value for JSON. */
interface Answer {
  readonly status: number;
  readonly value: unknown;
}

const ok = (value: unknown): Answer => ({ status: 200, value });
const notFound: Answer = { status: 404, value: { code: 'not_found' } };

const lookUp = async (url: URL): Promise<Answer> => {
  const [row] = await rowsOf('look-up', sql.lookUp, [url.searchParams.get('email'), CLIENT]);
  return row === undefined ? notFound : ok({ profile: viewOf(v.parse(personSchema, row)) });
};

const recordSchema = v.objectWithRest({ email: v.pipe(v.string(), v.email()) }, v.string());
const storedSchema = v.object({ person_uuid: v.string(), created: v.boolean() });

const store = async (body: unknown): Promise<Answer> => {
  const record = v.parse(recordSchema, body);
  const facts = Object.fromEntries(
    Object.entries(record).map(([name, value]) => [name, [value, 1, Date.now()]]),
  );
  const [row] = await rowsOf('store', sql.storePerson, [CLIENT, record.email, facts, {}]);
  const { person_uuid, created } = v.parse(storedSchema, row);
  return { status: created ? 201 : 200, value: { profile_uuid: person_uuid } };
};

const pageRows = v.array(v.object({ id: v.number(), ...personSchema.entries }));

const page = async (url: URL): Promise<Answer> => {
  const given = (name: string): number => Number(url.searchParams.get(name));
  const values = [given('segment'), given('after'), given('limit'), CLIENT];
  const people = v.parse(pageRows, await rowsOf('page', sql.page, values));
  return ok({
    profiles: people.map(viewOf),
    paging: { count: people.length, after: people.at(-1)?.id ?? null },
  });
};

/** A segment, without the members of another if one is given. */
const countedSchema = v.object({ segment: v.number(), not: v.optional(v.number()) });

const count = async (body: unknown): Promise<Answer> => {
  const { segment, not } = v.parse(countedSchema, body);
  const [row] =
    not === undefined
      ? await rowsOf('count', sql.countSegment, [segment])
      : await rowsOf('count-without', sql.countWithout, [segment, not]);
  return ok(row);
};

const freeze = async (body: unknown): Promise<Answer> => {
  const [row] = await rowsOf('freeze', sql.freeze, [v.parse(countedSchema, body).segment]);
  return { status: 201, value: row };
};

const findSegment = async (url: URL): Promise<Answer> => {
  const [row] = await rowsOf('segment', sql.findSegment, ['tag', url.searchParams.get('name')]);
  return row === undefined ? notFound : ok(row);
};

const answerOf = async (request: IncomingMessage, url: URL): Promise<Answer> => {
  switch (`${request.method} ${url.pathname}`) {
    case 'GET /profile':
      return lookUp(url);
    case 'POST /profiles':
      return store(await json(request));
    case 'GET /segment':
      return findSegment(url);
    case 'GET /members':
      return page(url);
    case 'POST /count':
      return count(await json(request));
    case 'POST /moments':
      return freeze(await json(request));
    case 'POST /imports':
      return ok(JSON.parse(await copyIn(options, request)));
    default:
      return notFound;
  }
};

const handle = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
  if (request.headers.authorization !== `Bearer ${options.token}`) {
    response.writeHead(401).end();
    return;
  }
  const url = new URL(request.url ?? '/', 'http://peer');
  if (url.pathname === '/export') {
    response.writeHead(200, { 'content-type': 'text/csv' });
    await copyOut(options, response);
    return;
  }
  const { status, value } = await answerOf(request, url);
  const text = JSON.stringify(value);
  response.writeHead(status, {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
};

const server = createServer((request, response) => {
  handle(request, response).catch((error: unknown) => {
    console.error('peer:', error);
    if (response.headersSent) response.destroy();
    else response.writeHead(500).end();
  });
});

const { url } = await listenHttp(server);
process.send?.({ url });
