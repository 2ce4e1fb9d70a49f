/** Addresses and credentials of a running service, and a client of it for the command line tools. */
import * as v from 'valibot';
import { Tidemark } from '../client/src/index.ts';

/** The members of `.local/endpoints.json` that a client needs. */
export const endpointsSchema = v.looseObject({
  pid: v.number(),
  base_url: v.string(),
  auth_url: v.string(),
  docs_url: v.string(),
  property_id: v.number(),
  client_id: v.string(),
  username: v.string(),
  password: v.string(),
});
export type Endpoints = v.InferOutput<typeof endpointsSchema>;

/** Signs in as the user of the endpoints. Throws `TidemarkProblem` when the credentials are refused. */
export const signIn = (endpoints: Endpoints): Promise<Tidemark> =>
  Tidemark.signIn({
    baseUrl: endpoints.base_url,
    clientId: endpoints.client_id,
    username: endpoints.username,
    password: endpoints.password,
    propertyId: endpoints.property_id,
  });
