/** Messages: what the process of the peer's HTTP service is told, and what it says. */
import * as v from 'valibot';

export const peerOptions = v.object({
  /** The folder of the database's socket. */
  host: v.string(),
  user: v.string(),
  psql: v.string(),
  psqlArgs: v.array(v.string()),
  /** The bearer token that each request must have. */
  token: v.string(),
});
export type PeerOptions = v.InferOutput<typeof peerOptions>;

export const peerReady = v.looseTuple([v.object({ url: v.string() })]);
