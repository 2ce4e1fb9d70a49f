import { createServer, type IncomingMessage } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import * as v from 'valibot';
import { listening } from './listening.ts';

const requestSchema = v.strictObject({
  type: v.literal('enrichment.requested'),
  request_id: v.string(),
  property_id: v.number(),
  social_token: v.exactOptional(v.string()),
  identities: v.strictObject({
    unique_id: v.exactOptional(v.string()),
    email: v.exactOptional(v.string()),
    social_id: v.exactOptional(v.string()),
  }),
});

/** A question to an enricher. */
export type EnrichmentRequest = v.InferOutput<typeof requestSchema>;

/** The owner of a token, by its first word, with the owner's known facts; nothing without a token. */
const knownOf = ({ social_token = '' }: EnrichmentRequest): unknown => {
  const person = /^(\w+)-/.exec(social_token)?.[1];
  if (person === undefined) return undefined;
  const fields = {
    social_id: `network/${person}`,
    full_name: `${person} of the network`,
    gender: 'f',
    social_likes: [{ id: `page-of-${person}` }],
  };
  return { values: [{ tier: 'social_network', fields }] };
};

/**
 * Opens the reference enricher on loopback, as a customer would write one. It refuses calls without a valid signature. It
 * turns a social token into a social id and attributes of trust `social_network`, and answers 204 to a token that it does not
 * know. `answer` takes the place of its knowledge.
 */
export const openReferenceEnricher = async (answer: (request: EnrichmentRequest) => unknown = knownOf) => {
  const requests: EnrichmentRequest[] = [];
  let webhook: Webhook | undefined;
  const server = createServer((request, response) => {
    void read(request, webhook).then((asked) => {
      if (!asked) return response.writeHead(401).end();
      requests.push(asked);
      const known = answer(asked);
      if (known === undefined) return response.writeHead(204).end();
      return response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(known));
    });
  });
  const at = await listening(server);
  return {
    url: `${at.url}/enrich`,
    /** The questions, in order, from calls with a valid signature. */
    requests,
    /** Sets the secret that the service signs with; calls before are refused. */
    useSecret: (secret: string) => {
      webhook = new Webhook(secret);
    },
    [Symbol.asyncDispose]: () => at[Symbol.asyncDispose](),
  };
};
export type ReferenceEnricher = Awaited<ReturnType<typeof openReferenceEnricher>>;

/** The request of a call, if its signature holds. */
const read = async (
  request: IncomingMessage,
  webhook: Webhook | undefined,
): Promise<EnrichmentRequest | undefined> => {
  const body = (await buffer(request)).toString('utf8');
  const headers = Object.fromEntries(
    Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
  );
  try {
    return v.parse(requestSchema, webhook?.verify(body, headers));
  } catch {
    return undefined;
  }
};
