import type { Endpoints } from '../cloud/endpoints.ts';

/** The table that a start prints: the addresses and the demo account. */
export const describeCloud = (endpoints: Endpoints, seconds: number, file: string): string => {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Service', endpoints.base_url],
    ['API document', endpoints.docs_url],
    ['Tokens', `${endpoints.auth_url}/oauth/token`],
    ['AWS endpoint', endpoints.aws_endpoint],
    ['Inbox', endpoints.inbox_url],
    ['SFTP', endpoints.sftp ? `${endpoints.sftp.host}:${endpoints.sftp.port}` : undefined],
    ['Property', endpoints.property_id?.toString()],
    ['Client id', endpoints.client_id],
    ['User name', endpoints.username],
    ['Password', endpoints.password],
  ];
  const shown = rows.flatMap(([label, value]) => (value === undefined ? [] : [[label, value] as const]));
  const width = Math.max(...shown.map(([label]) => label.length));
  const lines = shown.map(([label, value]) => `  ${label.padEnd(width)}  ${value}`);
  return [
    `Tidemark runs on this machine (ready in ${seconds.toFixed(1)} s).`,
    '',
    ...lines,
    '',
    `All addresses, a second account and credentials for the AWS endpoint are in ${file}. Ctrl-C stops it.`,
  ].join('\n');
};
