/** MIME: reads raw mails for the inbox. */
/** The parts of a raw mail that the inbox shows. */
export interface ParsedMail {
  readonly to: readonly string[];
  readonly from: string;
  readonly subject: string;
  readonly text: string;
  readonly html: string;
}

interface Part {
  readonly headers: ReadonlyMap<string, string>;
  readonly body: string;
}

/** Deepest nesting of parts. The service never sends deeper mails. */
const MAX_DEPTH = 5;

/** Reads subject, addresses and the first plain and HTML body of a MIME message. */
export const parseMime = (raw: string): ParsedMail => {
  const mail = partOf(raw);
  const leaves = leavesOf(mail, 0);
  const bodyOf = (type: string) => leaves.find((part) => typeOf(part).startsWith(type));
  const text = bodyOf('text/plain');
  const html = bodyOf('text/html');
  return {
    to: splitAddresses([mail.headers.get('to'), mail.headers.get('cc'), mail.headers.get('bcc')]),
    from: decodeWords(mail.headers.get('from') ?? ''),
    subject: decodeWords(mail.headers.get('subject') ?? ''),
    text: text ? decodeBody(text) : '',
    html: html ? decodeBody(html) : '',
  };
};

const partOf = (raw: string): Part => {
  const gap = /\r?\n\r?\n/.exec(raw);
  const head = gap ? raw.slice(0, gap.index) : raw;
  const body = gap ? raw.slice(gap.index + gap[0].length) : '';
  const headers = new Map<string, string>();
  for (const line of head.replace(/\r?\n(?=[ \t])/g, '').split(/\r?\n/)) {
    const colon = line.indexOf(':');
    if (colon > 0) headers.set(line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim());
  }
  return { headers, body };
};

const typeOf = (part: Part): string => part.headers.get('content-type')?.toLowerCase() ?? 'text/plain';

const leavesOf = (part: Part, depth: number): Part[] => {
  const boundary = /boundary="?([^";]+)"?/i.exec(part.headers.get('content-type') ?? '')?.[1];
  if (boundary === undefined || depth >= MAX_DEPTH) return [part];
  return part.body
    .split(`--${boundary}`)
    .slice(1)
    .filter((piece) => !piece.startsWith('--'))
    .flatMap((piece) => leavesOf(partOf(piece.replace(/^\r?\n/, '').replace(/\r?\n$/, '')), depth + 1));
};

const splitAddresses = (headers: readonly (string | undefined)[]): string[] =>
  headers
    .flatMap((header) => (header ?? '').split(',').map((address) => decodeWords(address.trim())))
    .filter(Boolean);

const decodeBody = (part: Part): string => {
  switch ((part.headers.get('content-transfer-encoding') ?? '').toLowerCase()) {
    case 'base64':
      return Buffer.from(part.body, 'base64').toString('utf8');
    case 'quoted-printable':
      return fromQuoted(part.body.replace(/=\r?\n/g, ''));
    default:
      return part.body;
  }
};

const fromQuoted = (text: string): string =>
  Buffer.from(
    text.replace(/=([0-9A-F]{2})/gi, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString();

/** RFC 2047 words: `=?utf-8?B?…?=`. White space between two such words does not count (section 6.2). */
export const decodeWords = (text: string): string =>
  text
    .replace(/(\?=)[ \t]+(?==\?)/g, '$1')
    .replace(/=\?utf-8\?([BQ])\?([^?]*)\?=/gi, (_, encoding: string, word: string) =>
      encoding.toUpperCase() === 'B'
        ? Buffer.from(word, 'base64').toString('utf8')
        : fromQuoted(word.replaceAll('_', ' ')),
    );
