/** A small client of the HTTP API for the command line tools. */
import * as v from 'valibot';

/** Addresses and credentials of a running service: the members of `.local/endpoints.json` that a client needs. */
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

/** An unsuccessful answer, with the text of its problem. */
class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;

  constructor(request: string, status: number, body: string) {
    super(`${request} answered ${status}: ${body.slice(0, 500)}`);
    this.status = status;
  }
}

/** An authenticated client of one property. Paths are below `base_url`. The given schema parses the answers. */
export interface ApiClient {
  get<S extends v.GenericSchema>(path: string, schema: S): Promise<v.InferOutput<S>>;
  post<S extends v.GenericSchema>(path: string, body: unknown, schema: S): Promise<v.InferOutput<S>>;
}

/** An answer with the id of a new resource. */
export const identified = v.looseObject({ id: v.number() });

const tokenSchema = v.looseObject({ access_token: v.string() });

/** Signs in and returns a client. Throws `ApiError` when the credentials are refused. */
export const signIn = async (endpoints: Endpoints): Promise<ApiClient> => {
  const { client_id, username, password } = endpoints;
  const { access_token } = await send(
    `${endpoints.auth_url}/oauth/token`,
    tokenSchema,
    jsonRequest('POST', { grant_type: 'password', client_id, username, password }),
  );
  return clientWith(access_token, endpoints);
};

/** A client with an issued token. */
export const clientWith = (token: string, endpoints: Pick<Endpoints, 'base_url'>): ApiClient => {
  const authorization = `Bearer ${token}`;
  return {
    get: (path, schema) => send(at(endpoints, path), schema, { headers: { authorization } }),
    post: (path, body, schema) =>
      send(at(endpoints, path), schema, jsonRequest('POST', body, { authorization })),
  };
};

/** Links in answers are absolute; other addresses are paths. */
const at = ({ base_url }: Pick<Endpoints, 'base_url'>, path: string): string =>
  path.startsWith('http') ? path : `${base_url}${path}`;

const jsonRequest = (method: string, body: unknown, headers: Record<string, string> = {}): RequestInit => ({
  method,
  headers: { 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
});

const send = async <S extends v.GenericSchema>(
  url: string,
  schema: S,
  init: RequestInit,
): Promise<v.InferOutput<S>> => {
  const response = await fetch(url, init);
  const text = await response.text();
  if (!response.ok)
    throw new ApiError(`${init.method ?? 'GET'} ${new URL(url).pathname}`, response.status, text);
  return v.parse(schema, JSON.parse(text));
};
