import * as v from 'valibot';
import { createObjection, endObjection, type ObjectionDeps } from '../../shared/ingest/objections.ts';
import type { ApiRequest } from '../../shared/http/api-types.ts';
import {
  endedObjectionAnswer,
  objectionAnswer,
  objectionBody,
} from '../../shared/profiles/objection-schemas.ts';
import { answered } from '../support/requests.ts';

interface ObjectingPorts {
  readonly ask: <Query, Body>(
    path: Readonly<Record<string, string>>,
    query: Query,
    body: Body,
  ) => ApiRequest<Query, Body>;
  /** Lets an hour pass. */
  readonly hour: () => void;
  readonly deps: ObjectionDeps;
}

/** Objections to every use, as requests make and end them. */
export const objecting = ({ ask, hour, deps }: ObjectingPorts) => ({
  /** Objects for whoever has an identity. Returns the id of the objection. */
  object: async (identity: Readonly<Record<string, string>>): Promise<string> => {
    hour();
    const asked = ask({}, {}, v.parse(objectionBody, { ...identity, scope: 'use' }));
    return (await answered(createObjection(deps, asked), objectionAnswer)).id;
  },
  endObjection: async (id: string): Promise<void> => {
    hour();
    await answered(endObjection(deps, ask({ objection: id }, {}, undefined)), endedObjectionAnswer);
  },
});
