import type { Endpoints } from '../endpoints.ts';
import type { Faults } from '../../../local/core/faults.ts';
import type { Strictness } from '../../../local/core/strictness.ts';

/** A start: how long it took, where the addresses are, the faults that it injects, and the limits that it imitates. */
interface Start {
  readonly seconds: number;
  readonly file: string;
  readonly faults: Pick<Faults, 'seed' | 'rate'> | undefined;
  readonly strictness: Strictness;
}

/** The table that a start prints: the addresses and the demo account. */
export const describeCloud = (endpoints: Endpoints, { seconds, file, faults, strictness }: Start): string => {
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['Console', `${endpoints.base_url}/console`],
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
    ...(faults ? [faultLine(faults)] : []),
    ...limitLines(strictness),
    `All addresses, a second account and credentials for the AWS endpoint are in ${file}. Ctrl-C stops it.`,
  ].join('\n');
};

const faultLine = ({ seed, rate }: Pick<Faults, 'seed' | 'rate'>): string =>
  `Faults of seed ${seed} disturb ${(rate * 100).toLocaleString('en-US')} % of AWS calls, deliveries and workers: some requests fail on purpose.`;

const count = (value: number): string => value.toLocaleString('en-US');

/** The limits of AWS that hold, in one line; none without limits. */
const limitLines = (strictness: Strictness): readonly string[] => {
  const { tableUnits, latency, realVisibility, realConcurrency } = strictness;
  const limits = [
    ...(tableUnits
      ? [`${count(tableUnits.write)} write and ${count(tableUnits.read)} read units a second`]
      : []),
    ...(latency ? [`table calls of ${latency.p50} to ${latency.p99} ms`] : []),
    ...(realVisibility === true ? ['visibility timeouts'] : []),
    ...(realConcurrency === undefined ? [] : [`${count(realConcurrency)} concurrent executions`]),
  ];
  return limits.length === 0 ? [] : [`Limits as in AWS: ${limits.join(', ')}.`];
};
