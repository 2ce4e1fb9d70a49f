/** Side: the work that Tidemark and its peer do in turn, and how the peer does it. */
import { createReadStream } from 'node:fs';
import * as v from 'valibot';
import { emailOf, firstNameOf, refusedBetween } from '../support/people-file.ts';
import type { Report } from '../support/scenario.ts';
import type { Peer } from './peer.ts';

/** The rows of a file. */
export interface Rows {
  readonly file: string;
  readonly from: number;
  readonly to: number;
}

/** Each method does one piece of work over HTTP, from the request to the last byte of the answer, and checks the answer. */
export interface Side {
  readonly name: string;
  importFile(rows: Rows): Promise<unknown>;
  /** Looks up the person of a row. */
  lookUp(row: number): Promise<void>;
  /** Reads the first page of the segment `half`. */
  page(limit: number): Promise<void>;
  /** Exports everyone as CSV. */
  export(people: number): Promise<void>;
  /** Stores the record of a person who is new or known. */
  store(record: Readonly<Record<string, string>>, status: 200 | 201): Promise<void>;
  /** Counts the segment `half`. */
  count(wanted: number): Promise<void>;
  /** Counts who is in `half` and not in `third`. */
  countCombined(wanted: number): Promise<void>;
  /** Freezes the segment `half` as a moment, and returns the check of it. */
  freeze(wanted: number): Promise<() => Promise<void>>;
}

const profileSchema = v.object({ profile: v.looseObject({ first_name: v.string() }) });
export const pageSchema = v.looseObject({ paging: v.looseObject({ count: v.number() }) });
export const countSchema = v.looseObject({ count: v.number() });
const importedSchema = v.object({ stored: v.number(), refused: v.number() });
const idSchema = v.object({ id: v.number() });

/** Checks the answer of a lookup. */
export const checkPerson = (report: Report, text: string, row: number): void => {
  const { profile } = v.parse(profileSchema, JSON.parse(text));
  report.check(`the name of row ${row}`, profile.first_name, firstNameOf(row));
};

/** Checks the number of lines of an export, behind its head. */
export const checkLines = (report: Report, text: string, people: number): void => {
  report.check('people in the file', text.trimEnd().split('\n').length - 1, people);
};

/** Remembers the ids of segments, so that only the first piece of work asks for them. */
export const rememberIds = (idOf: (name: string) => Promise<number>) => {
  const ids = new Map<string, Promise<number>>();
  return (name: string): Promise<number> => {
    const id = ids.get(name) ?? idOf(name);
    ids.set(name, id);
    return id;
  };
};

/** The peer's side. */
export const peerSide = (peer: Peer, report: Report): Side => {
  const post = async (path: string, json: unknown, status = 200): Promise<unknown> => {
    const answer = await peer.call('POST', path, { json });
    report.check(`PostgreSQL: status of ${path}`, answer.status, status);
    return JSON.parse(answer.text);
  };
  const segment = rememberIds(async (name) => {
    const { text } = await peer.call('GET', `/segment?name=${name}`);
    return v.parse(idSchema, JSON.parse(text)).id;
  });
  return {
    name: 'PostgreSQL',
    importFile: async ({ file, from, to }) => {
      const { text } = await peer.call('POST', '/imports', { file: createReadStream(file) });
      const refused = refusedBetween(from, to);
      const stored = to - from + 1 - refused;
      report.check('PostgreSQL: rows', v.parse(importedSchema, JSON.parse(text)), { stored, refused });
    },
    lookUp: async (row) => {
      const { text } = await peer.call('GET', `/profile?email=${encodeURIComponent(emailOf(row))}`);
      checkPerson(report, text, row);
    },
    page: async (limit) => {
      const path = `/members?segment=${await segment('half')}&after=0&limit=${limit}`;
      const { text } = await peer.call('GET', path);
      report.check('PostgreSQL: a page', v.parse(pageSchema, JSON.parse(text)).paging.count, limit);
    },
    export: async (people) => checkLines(report, (await peer.call('GET', '/export')).text, people),
    store: async (record, status) => {
      await post('/profiles', record, status);
    },
    count: async (wanted) => {
      const found = await post('/count', { segment: await segment('half') });
      report.check('PostgreSQL: a count', v.parse(countSchema, found).count, wanted);
    },
    countCombined: async (wanted) => {
      const asked = { segment: await segment('half'), not: await segment('third') };
      const found = await post('/count', asked);
      report.check('PostgreSQL: a combined count', v.parse(countSchema, found).count, wanted);
    },
    freeze: async (wanted) => {
      const found = await post('/moments', { segment: await segment('half') }, 201);
      return () => {
        report.check('PostgreSQL: a moment', v.parse(countSchema, found).count, wanted);
        return Promise.resolve();
      };
    },
  };
};
