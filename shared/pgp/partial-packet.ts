/** Partial packet: frames a stream of unknown length as the body of one OpenPGP packet (RFC 9580, 4.2.1.4). */

/** Bytes of one partial body length: 2 to the power of 16. */
const CHUNK_BYTES = 65_536;

/** The length octet of a partial body length of `CHUNK_BYTES`: 224 plus the power of 2. */
const PARTIAL_LENGTH = 224 + 16;

/** The state of a packet in the making, as base64. */
export interface PartialPacketState {
  readonly begun: boolean;
  readonly held: string;
}

/** A packet whose body is written in pieces. The concatenated outputs of `write` and `end` are the packet. */
export class PartialPacket {
  readonly #tag: number;
  #begun: boolean;
  #held: Buffer;

  /** A new packet of this type, or a packet that goes on from a state. */
  constructor(tag: number, state: PartialPacketState = { begun: false, held: '' }) {
    this.#tag = tag;
    this.#begun = state.begun;
    this.#held = Buffer.from(state.held, 'base64');
  }

  /** Adds bytes to the body, and returns the bytes of the packet that are complete by now. */
  write(bytes: Uint8Array): Buffer {
    this.#held = Buffer.concat([this.#held, bytes]);
    const output: Uint8Array[] = [];
    let from = 0;
    for (; this.#held.length - from >= CHUNK_BYTES; from += CHUNK_BYTES)
      output.push(this.#start(), Buffer.of(PARTIAL_LENGTH), this.#held.subarray(from, from + CHUNK_BYTES));

    this.#held = this.#held.subarray(from);
    return Buffer.concat(output);
  }

  /** Ends the body, and returns the last bytes of the packet. */
  end(): Buffer {
    const last = this.#held;
    this.#held = Buffer.alloc(0);
    return Buffer.concat([this.#start(), lengthOf(last.length), last]);
  }

  state(): PartialPacketState {
    return { begun: this.#begun, held: this.#held.toString('base64') };
  }

  /** The first byte of the packet, once. */
  #start(): Buffer {
    if (this.#begun) return Buffer.alloc(0);
    this.#begun = true;
    return Buffer.of(0xc0 | this.#tag);
  }
}

/** A body length in one, two or five octets. */
const lengthOf = (length: number): Buffer => {
  if (length < 192) return Buffer.of(length);
  if (length < 8_384) return Buffer.of(((length - 192) >> 8) + 192, (length - 192) & 0xff);
  const octets = Buffer.alloc(5, 0xff);
  octets.writeUInt32BE(length, 1);
  return octets;
};
