/** PGP message: encrypts a stream as a binary OpenPGP message that one function can suspend and another can resume. */
import * as v from 'valibot';
import { AeadSealer } from './aead-sealer.ts';
import { CfbSealer } from './cfb-sealer.ts';
import { PartialPacket } from './partial-packet.ts';
import type { Recipient } from './recipient.ts';
import { ENCRYPTED_DATA, type Sealer, sessionKey, type SessionKey } from './sealer.ts';

/*
 * openpgp.js chooses the algorithms and encrypts the session key to the recipient. It cannot suspend the encryption of a
 * message, and a file that takes longer than the 15 minutes of a function needs that. So the message is built here, from
 * the ciphers of Node, as RFC 9580 defines it:
 *
 *     message        = encrypted session key (by openpgp.js), encrypted data (packet 18)
 *     encrypted data = version 1, or version 2 for keys that ask for it: see the two sealers
 *
 * The message is not compressed: compression would take five times as long.
 */

/** Packet types (RFC 9580, 5). */
const LITERAL_DATA = 11;

/** Begin of literal data (5.9): binary, without a name and a date. */
const LITERAL_HEAD = Buffer.of(0x62, 0, 0, 0, 0, 0);

const packetState = v.object({ begun: v.boolean(), held: v.string() });

/** The state of a message between two pieces. It contains the session key: store it only under encryption. */
export const messageState = v.object({
  sessionKey,
  literal: packetState,
  outer: packetState,
  sealer: v.looseObject({}),
});
export type MessageState = v.InferOutput<typeof messageState>;

/** A message in the making. The concatenated outputs of `write` and `end` are the bytes behind its first bytes. */
export class PgpMessage {
  readonly #key: SessionKey;
  readonly #literal: PartialPacket;
  readonly #outer: PartialPacket;
  readonly #sealer: Sealer;

  constructor(key: SessionKey, literal: PartialPacket, outer: PartialPacket, sealer: Sealer) {
    this.#key = key;
    this.#literal = literal;
    this.#outer = outer;
    this.#sealer = sealer;
  }

  /** Adds plain bytes, and returns the bytes of the message that are complete by now. */
  write(plain: Uint8Array): Buffer {
    return this.#outer.write(this.#sealer.write(this.#literal.write(plain)));
  }

  /** Ends the message, and returns its last bytes. */
  end(): Buffer {
    const last = Buffer.concat([this.#sealer.write(this.#literal.end()), this.#sealer.end()]);
    return Buffer.concat([this.#outer.write(last), this.#outer.end()]);
  }

  state(): MessageState {
    return {
      sessionKey: this.#key,
      literal: this.#literal.state(),
      outer: this.#outer.state(),
      sealer: this.#sealer.state(),
    };
  }
}

/** Begins a message to a recipient: its first bytes, and the message that goes on from there. */
export const beginMessage = async ({
  key,
  date,
}: Recipient): Promise<{ readonly head: Buffer; readonly message: PgpMessage }> => {
  const { encryptSessionKey, enums, generateSessionKey } = await import('openpgp');
  const config = { aeadProtect: false, preferredAEADAlgorithm: enums.aead.gcm };
  const generated = await generateSessionKey({ encryptionKeys: key, date, config });
  const wrapped: unknown = await encryptSessionKey({
    ...generated,
    encryptionKeys: key,
    date,
    format: 'binary',
  });
  if (!(wrapped instanceof Uint8Array)) throw new Error('pgp: a session key did not become bytes');
  const data = Buffer.from(generated.data).toString('base64');
  const chosen = v.parse(sessionKey, {
    ...generated,
    data,
    aeadAlgorithm: generated.aeadAlgorithm ?? undefined,
  });
  const sealer = await sealerOf(chosen, {});
  const outer = new PartialPacket(ENCRYPTED_DATA);
  const message = new PgpMessage(chosen, new PartialPacket(LITERAL_DATA), outer, sealer);
  return { head: Buffer.concat([wrapped, outer.write(sealer.head), message.write(LITERAL_HEAD)]), message };
};

/** The message of a state. Equal bytes written to it give equal outputs. */
export const resumeMessage = async (state: MessageState): Promise<PgpMessage> =>
  new PgpMessage(
    state.sessionKey,
    new PartialPacket(LITERAL_DATA, state.literal),
    new PartialPacket(ENCRYPTED_DATA, state.outer),
    await sealerOf(state.sessionKey, state.sealer),
  );

const sealerOf = (key: SessionKey, state: object): Promise<Sealer> =>
  key.aeadAlgorithm === undefined
    ? CfbSealer.open(key, state)
    : Promise.resolve(new AeadSealer(key, key.aeadAlgorithm, state));
