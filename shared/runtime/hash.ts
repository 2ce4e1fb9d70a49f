import { hash } from 'node:crypto';

/** SHA-256 in hex, the form in which user text (user names, client ids, tokens, idempotency keys) enters a key. */
export const sha256 = (content: string | Uint8Array): string => hash('sha256', content);
