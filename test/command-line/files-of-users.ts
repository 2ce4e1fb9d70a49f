/** Files of users, for the tests of the command line. */

/** Forty visitors in a German file: semicolons, Windows-1252, tags with bars, one bad address. */
export const visitors = Buffer.from(
  [
    'Kundennr;Vorname;E-Mail;Geburtsdatum;Interessen',
    ...Array.from({ length: 40 }, (_, index) => {
      const at = index === 7 ? ' (at) ' : '@';
      const tags = index % 2 === 0 ? 'Jazz|Abo' : 'Oper';
      return `K-${index};Käthe;kaethe.${index}${at}example.org;24.02.19${index + 40};${tags}`;
    }),
  ].join('\r\n'),
  'latin1',
);

/** Definitions as code: a segment, a segment and an export that name it, and a timeline. */
export const definitions = (name: string, expression: string): string =>
  [
    'segments:',
    `  - { name: ${name}, expression: '${expression}' }`,
    `  - { name: Friends of ${name}, expression: '${name} or Oper' }`,
    `exports: [{ name: ${name} daily, segments: [${name}], every: day 03:00, field_set: email }]`,
    'timelines: [{ name: Opera, segment: Oper }]',
  ].join('\n');
